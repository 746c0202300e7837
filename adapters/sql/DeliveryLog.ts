import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Attempt, AttemptError, DeliveryRecord, DeliveryStatus } from "../../core/model/Delivery.ts"
import type { EventKind } from "../../core/model/Event.ts"
import { format } from "../../core/model/Instant.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { activity } from "./Activity.ts"
import { hasMissed } from "./DeliveryRules.ts"
import { mapped } from "./Errors.ts"
import { milliseconds } from "./Rows.ts"

interface DeliveryRow {
  readonly shop: string
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly event: EventKind
  readonly test: boolean
  readonly status: DeliveryStatus
  readonly createdAt: number
  readonly nextAttemptAt: number | null
}

interface AttemptRow {
  readonly deliveryId: string
  readonly number: number
  readonly at: number
  readonly statusCode: number | null
  readonly durationMs: number
  readonly responseStart: string | null
  readonly error: AttemptError | null
}

const columns = `d.shop, d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event, d.test, d.status, ${milliseconds("d.created_at")} AS "createdAt", ${milliseconds("d.next_attempt_at")} AS "nextAttemptAt"`

const attempt = (row: AttemptRow): Attempt => ({
  number: row.number,
  at: row.at,
  statusCode: row.statusCode,
  durationMs: row.durationMs,
  responseStart: row.responseStart,
  error: row.error,
})

/** `DeliveryLog` over SQL. */
export const layer: Layer.Layer<DeliveryLog, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const all = sql.literal(columns)

    const withAttempts = Effect.fnUntraced(function* (shop: string, rows: ReadonlyArray<DeliveryRow>) {
      const attempts =
        yield* sql<AttemptRow>`SELECT delivery_id AS "deliveryId", number, ${sql.literal(milliseconds("at"))} AS at, status_code AS "statusCode",
  duration_ms AS "durationMs", response_start AS "responseStart", error
FROM designwire.attempts WHERE shop = ${shop} AND delivery_id = ANY(${rows.map((row) => row.id)}::text[])
ORDER BY delivery_id, number`
      const byDelivery = Map.groupBy(attempts, (row) => row.deliveryId)
      return rows.map(
        (row): DeliveryRecord => ({
          ...row,
          attempts: (byDelivery.get(row.id) ?? []).map(attempt),
        }),
      )
    })

    return {
      list: (shop, endpointId, limit) =>
        sql<DeliveryRow>`SELECT ${all} FROM designwire.deliveries d WHERE d.shop = ${shop} AND d.endpoint_id = ${endpointId}
ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}`.pipe(
          Effect.flatMap((rows) => withAttempts(shop, rows)),
          mapped("Reading deliveries"),
        ),
      find: (shop, endpointId, id) =>
        sql<DeliveryRow & { body: string }>`SELECT ${all}, ev.body FROM designwire.deliveries d
JOIN designwire.events ev ON ev.shop = d.shop AND ev.id = d.event_id
WHERE d.shop = ${shop} AND d.endpoint_id = ${endpointId} AND d.id = ${id}`.pipe(
          Effect.flatMap((rows) =>
            Effect.map(
              withAttempts(
                shop,
                rows.map(({ body: _, ...row }) => row),
              ),
              ([delivery]) =>
                delivery === undefined || rows[0] === undefined
                  ? Option.none()
                  : Option.some({ delivery, body: rows[0].body }),
            ),
          ),
          mapped("Reading a delivery"),
        ),
      activity: (shop, span) => mapped("Counting deliveries")(activity(sql, shop, span)),
      missed: (shop, endpointId, since) =>
        sql<{ missed: number }>`SELECT count(*)::int4 AS missed
FROM designwire.endpoints e JOIN designwire.events ev ON ev.shop = e.shop AND ev.created_at >= ${format(since)}::timestamptz
WHERE e.shop = ${shop} AND e.id = ${endpointId} AND ${sql.literal(hasMissed)}`.pipe(
          Effect.map((rows) => rows[0]?.missed ?? 0),
          mapped("Counting missed events"),
        ),
    }
  }),
)
