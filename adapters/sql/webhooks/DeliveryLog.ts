import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import type { Attempt, DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import { DeliveryLog } from "../../../core/ports/DeliveryLog.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import { fitting } from "../statements/Rows.ts"
import { select } from "../statements/Table.ts"
import { attempts, waiting } from "./AttemptCounts.ts"
import { deliveryFields, hasMissed } from "./DeliveryRules.ts"
import { countResendable } from "./Resend.ts"

interface DeliveryRow extends Omit<DeliveryRecord, "attempts"> {
  /** A JSON array of {@link Attempt}. */
  readonly attempts: string
}

const columns = fixed(`${select("d", deliveryFields)}, d.attempt_log::text AS attempts`)

/** The database stores the members of an object in its own order. */
export const attemptOf = ({ at, durationMs, error, number, responseStart, statusCode }: Attempt): Attempt => ({
  number,
  at,
  statusCode,
  durationMs,
  responseStart,
  error,
})

const delivery = ({ attempts, ...row }: DeliveryRow): DeliveryRecord => ({
  ...row,
  attempts: (JSON.parse(attempts) as ReadonlyArray<Attempt>).map(attemptOf),
})

const newestFirst = fixed("created_at DESC, id DESC")

/** `DeliveryLog` over SQL. */
export const layer: Layer.Layer<DeliveryLog, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const all = columns

    return {
      list: (shop, endpointId, limit, part) => {
        const { after = null, bytes } = part ?? {}
        const rest =
          after === null ? sql`` : sql` AND (d.created_at, d.id) < (${format(after.at)}::timestamptz, ${after.id})`
        const found = sql`SELECT d.*, octet_length(d.attempt_log::text) AS bytes FROM designwire.deliveries d
WHERE d.shop = ${shop} AND d.endpoint_id = ${endpointId}${rest}
ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}::int4`
        return sql<DeliveryRow>`SELECT ${all} FROM (${fitting(sql, found, newestFirst, bytes)}) d
ORDER BY d.created_at DESC, d.id DESC`.pipe(
          Effect.map((rows) => rows.map(delivery)),
          mapped("Reading deliveries"),
        )
      },
      find: (shop, endpointId, id) =>
        sql<DeliveryRow & { body: string }>`SELECT ${all}, ev.body FROM designwire.deliveries d
JOIN designwire.events ev ON ev.shop = d.shop AND ev.id = d.event_id
WHERE d.shop = ${shop} AND d.endpoint_id = ${endpointId} AND d.id = ${id}`.pipe(
          Effect.map(([found]) => {
            if (found === undefined) return Option.none()
            const { body, ...row } = found
            return Option.some({ delivery: delivery(row), body })
          }),
          mapped("Reading a delivery"),
        ),
      attempts: (shop, span) => mapped("Counting attempts")(attempts(sql, shop, span)),
      waiting: (shop) => mapped("Counting pending deliveries")(waiting(sql, shop)),
      missed: (shop, endpointId, since) =>
        sql<{ missed: number }>`SELECT count(*)::int4 AS missed
FROM designwire.endpoints e JOIN designwire.events ev ON ev.shop = e.shop AND ev.created_at >= ${format(since)}::timestamptz
WHERE e.shop = ${shop} AND e.id = ${endpointId} AND ${hasMissed}`.pipe(
          Effect.map((rows) => rows[0]?.missed ?? 0),
          mapped("Counting missed events"),
        ),
      resendable: (shop, endpointId, filter) =>
        mapped("Counting deliveries to send again")(countResendable(sql, shop, endpointId, filter)),
    }
  }),
)
