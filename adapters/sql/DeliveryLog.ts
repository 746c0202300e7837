import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Attempt, AttemptError, DeliveryRecord, DeliveryStatus } from "../../core/model/Delivery.ts"
import type { EventKind } from "../../core/model/Event.ts"
import { format } from "../../core/model/Instant.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { mapped } from "./Errors.ts"
import { insertEvents } from "./Events.ts"
import { notifyWorkers, Signals } from "./Signals.ts"

interface DeliveryRow {
  readonly shop: string
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly event: EventKind
  readonly test: boolean
  readonly status: DeliveryStatus
  readonly createdAt: Date
  readonly nextAttemptAt: Date | null
}

interface AttemptRow {
  readonly deliveryId: string
  readonly number: number
  readonly at: Date
  readonly statusCode: number | null
  readonly durationMs: number
  readonly responseStart: string | null
  readonly error: AttemptError | null
}

const columns =
  'd.shop, d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event, d.test, d.status, d.created_at AS "createdAt", d.next_attempt_at AS "nextAttemptAt"'

const attempt = (row: AttemptRow): Attempt => ({
  number: row.number,
  at: row.at.getTime(),
  statusCode: row.statusCode,
  durationMs: row.durationMs,
  responseStart: row.responseStart,
  error: row.error,
})

/** `DeliveryLog` over SQL. */
export const layer: Layer.Layer<DeliveryLog, never, SqlClient.SqlClient | Signals> = Layer.effect(
  DeliveryLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const signals = yield* Signals
    const all = sql.literal(columns)

    const withAttempts = Effect.fnUntraced(function* (shop: string, rows: ReadonlyArray<DeliveryRow>) {
      const attempts =
        yield* sql<AttemptRow>`SELECT delivery_id AS "deliveryId", number, at, status_code AS "statusCode",
  duration_ms AS "durationMs", response_start AS "responseStart", error
FROM designwire.attempts WHERE shop = ${shop} AND delivery_id = ANY(${rows.map((row) => row.id)}::text[])
ORDER BY delivery_id, number`
      const byDelivery = Map.groupBy(attempts, (row) => row.deliveryId)
      return rows.map(
        (row): DeliveryRecord => ({
          ...row,
          createdAt: row.createdAt.getTime(),
          nextAttemptAt: row.nextAttemptAt?.getTime() ?? null,
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
      add: (delivery, event) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const endpoint = yield* sql`SELECT 1 AS found FROM designwire.endpoints
WHERE shop = ${delivery.shop} AND id = ${delivery.endpointId} FOR KEY SHARE`
              if (endpoint.length === 0) return
              if (event !== null) yield* insertEvents(sql, [event])
              yield* sql`INSERT INTO designwire.deliveries
  (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, available_at, attempts)
SELECT e.shop, ${delivery.id}, e.id, ${delivery.eventId}, ${delivery.event}, ${delivery.test}::bool, 'pending',
  ${format(delivery.createdAt)}::timestamptz, r.due, CASE WHEN s.plan <> 'free' AND (${delivery.test}::bool OR e.status = 'active') THEN r.due END, 0
FROM designwire.endpoints e JOIN designwire.shops s ON s.id = e.shop,
  (SELECT ${format(delivery.nextAttemptAt ?? delivery.createdAt)}::timestamptz AS due) r
WHERE e.shop = ${delivery.shop} AND e.id = ${delivery.endpointId} AND ${notifyWorkers(sql)}`
              yield* signals.committed(sql)
            }),
          )
          .pipe(mapped("Adding a delivery")),
      recover: (shop, endpointId, since, now, run) =>
        sql<{ added: number }>`WITH added AS (
  INSERT INTO designwire.deliveries
    (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, available_at, attempts)
  SELECT e.shop, 'dlv_' || ${run} || substr(ev.id, 5), e.id, ev.id, ev.event, false, 'pending',
    r.now, r.now, CASE WHEN e.status = 'active' AND s.plan <> 'free' THEN r.now END, 0
  FROM designwire.endpoints e
  JOIN designwire.shops s ON s.id = e.shop
  JOIN designwire.events ev ON ev.shop = e.shop AND ev.created_at >= ${format(since)}::timestamptz AND NOT ev.test
    AND ev.event = ANY(e.kinds)
  CROSS JOIN (SELECT ${format(now)}::timestamptz AS now) r
  WHERE e.shop = ${shop} AND e.id = ${endpointId} AND NOT EXISTS (
    SELECT 1 FROM designwire.deliveries d
    WHERE d.shop = ev.shop AND d.event_id = ev.id AND d.endpoint_id = e.id AND d.status <> 'failed'
  )
  FOR KEY SHARE OF e
  RETURNING 1
)
SELECT count(*)::int4 AS added, ${notifyWorkers(sql)} AS told FROM added`.pipe(
          Effect.map((rows) => rows[0]?.added ?? 0),
          Effect.tap(signals.committed(sql)),
          mapped("Recovering deliveries"),
        ),
      prune: (keep, eventsBefore) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const before = format(eventsBefore)
              // Of each endpoint, what is finished and lies behind the last delivery that its log shows.
              const behind = sql`SELECT d.shop, d.id, d.event_id FROM designwire.endpoints e CROSS JOIN LATERAL (
  SELECT l.created_at, l.id FROM designwire.deliveries l WHERE l.shop = e.shop AND l.endpoint_id = e.id
  ORDER BY l.created_at DESC, l.id DESC OFFSET ${keep - 1}::int4 LIMIT 1
) last JOIN designwire.deliveries d ON d.shop = e.shop AND d.endpoint_id = e.id
  AND (d.created_at, d.id) < (last.created_at, last.id) AND d.status <> 'pending'`
              yield* sql`DELETE FROM designwire.attempts a USING (${behind}) b WHERE a.shop = b.shop AND a.delivery_id = b.id`
              yield* sql`WITH behind AS (${behind}), doomed AS (
  SELECT ev.shop, ev.id FROM designwire.events ev WHERE ev.created_at < ${before}::timestamptz AND NOT EXISTS (
    SELECT 1 FROM designwire.deliveries d WHERE d.shop = ev.shop AND d.event_id = ev.id
      AND NOT EXISTS (SELECT 1 FROM behind b WHERE b.shop = d.shop AND b.id = d.id)
  )
), dropped AS (
  DELETE FROM designwire.deliveries d USING doomed WHERE d.shop = doomed.shop AND d.event_id = doomed.id
)
DELETE FROM designwire.events ev USING doomed WHERE ev.shop = doomed.shop AND ev.id = doomed.id`
              // What a commit added while its endpoint was being switched off.
              yield* sql`UPDATE designwire.deliveries d SET available_at = NULL FROM designwire.endpoints e
WHERE d.shop = e.shop AND d.endpoint_id = e.id AND e.status <> 'active' AND d.available_at IS NOT NULL AND NOT d.test`
            }),
          )
          .pipe(mapped("Clearing the log")),
      statistics: (now) =>
        sql<{ pending: number; oldest: Date | null; off: number }>`SELECT
  (SELECT count(*)::int4 FROM designwire.deliveries WHERE status = 'pending') AS pending,
  (SELECT min(d.next_attempt_at) FROM designwire.deliveries d
   JOIN designwire.endpoints e ON e.shop = d.shop AND e.id = d.endpoint_id
   JOIN designwire.shops s ON s.id = d.shop
   WHERE d.status = 'pending' AND d.available_at <= ${format(now)}::timestamptz
     AND (d.leased_until IS NULL OR d.leased_until <= ${format(now)}::timestamptz)
     AND s.plan <> 'free' AND (d.test OR e.status = 'active')) AS oldest,
  (SELECT count(*)::int4 FROM designwire.endpoints WHERE status = 'switched_off') AS off`.pipe(
          Effect.map(([row]) => ({
            pending: row?.pending ?? 0,
            oldestDue: row?.oldest?.getTime() ?? null,
            endpointsSwitchedOff: row?.off ?? 0,
          })),
          mapped("Counting deliveries"),
        ),
    }
  }),
)
