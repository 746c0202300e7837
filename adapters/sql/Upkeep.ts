import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { format } from "../../core/model/Instant.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { applyAvailability, maySend } from "./DeliveryRules.ts"
import { mapped } from "./Errors.ts"
import { milliseconds } from "./Rows.ts"

/** `Upkeep` over SQL. */
export const layer: Layer.Layer<Upkeep, never, SqlClient.SqlClient> = Layer.effect(
  Upkeep,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const prune = Effect.fnUntraced(function* (keep: number, before: string) {
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
      yield* applyAvailability(sql, sql`e.status <> 'active' AND d.available_at IS NOT NULL`)
    })

    return {
      prune: (keep, eventsBefore) =>
        sql.withTransaction(prune(keep, format(eventsBefore))).pipe(mapped("Clearing the log")),
      statistics: (now) =>
        sql<{ pending: number; oldestDue: number | null; endpointsSwitchedOff: number }>`SELECT
  (SELECT count(*)::int4 FROM designwire.deliveries WHERE status = 'pending') AS pending,
  (SELECT ${sql.literal(milliseconds("min(d.next_attempt_at)"))} FROM designwire.deliveries d
   JOIN designwire.endpoints e ON e.shop = d.shop AND e.id = d.endpoint_id
   JOIN designwire.shops s ON s.id = d.shop
   WHERE d.status = 'pending' AND d.available_at <= ${format(now)}::timestamptz
     AND (d.leased_until IS NULL OR d.leased_until <= ${format(now)}::timestamptz)
     AND ${sql.literal(maySend)}) AS "oldestDue",
  (SELECT count(*)::int4 FROM designwire.endpoints WHERE status = 'switched_off') AS "endpointsSwitchedOff"`.pipe(
          Effect.map(([row]) => row ?? { pending: 0, oldestDue: null, endpointsSwitchedOff: 0 }),
          mapped("Counting deliveries"),
        ),
    }
  }),
)
