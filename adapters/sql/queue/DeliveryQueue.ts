import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { DeliveryRecord } from "../../../core/model/Delivery.ts"
import type { EventRecord } from "../../../core/model/Event.ts"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { type Claim, DeliveryQueue, type Recovery } from "../../../core/ports/DeliveryQueue.ts"
import { insertEvents } from "../events/Events.ts"
import { mapped } from "../statements/Errors.ts"
import { milliseconds, rows } from "../statements/Rows.ts"
import { makeClaim } from "./Claim.ts"
import { dueQueues, hasMissed, insertDeliveries, maySend, recoveredId } from "./DeliveryRules.ts"
import { dueShops, dueSince, firstClaimable, withEndpoints } from "./DueQueue.ts"
import { makeOldestDue } from "./OldestDue.ts"
import { settle } from "./Settle.ts"
import { Signals } from "./Signals.ts"

/**
 * `DeliveryQueue` over SQL.
 *
 * Every pending delivery is in one queue (DeliveryRules.ts), finished ones in none. `leased_until` is the end of its
 * lease.
 */
export const layer: Layer.Layer<DeliveryQueue, never, SqlClient.SqlClient | Signals> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const signals = yield* Signals
    const oldestDue = yield* makeOldestDue(sql)
    const claim = makeClaim(sql, oldestDue)

    const release = (claims: ReadonlyArray<Claim>) =>
      sql`UPDATE designwire.deliveries d SET claim_token = NULL, leased_until = NULL
FROM ${claimRows(sql, claims)} WHERE d.shop = r.shop AND d.id = r.id AND d.claim_token = r.token`.pipe(Effect.asVoid)

    /** Whether a row exists; keeps it until the transaction ends. */
    const keep = (table: "endpoints" | "events", shop: string, id: string) =>
      Effect.map(
        sql`SELECT 1 AS found FROM designwire.${sql.literal(table)} WHERE shop = ${shop} AND id = ${id} FOR KEY SHARE`,
        (found) => found.length > 0,
      )

    const add = Effect.fnUntraced(function* (delivery: DeliveryRecord, event: EventRecord | null) {
      if (!(yield* keep("endpoints", delivery.shop, delivery.endpointId))) return false
      if (event !== null) yield* insertEvents(sql, delivery.shop, [event])
      else if (!(yield* keep("events", delivery.shop, delivery.eventId))) return false
      yield* insertDeliveries(sql, delivery.shop, sql`SELECT * FROM ${deliveryRows(sql, [delivery])}`)
      yield* signals.committed(sql)
      return true
    })

    const recover = ({ endpointId, now, run, shop, since }: Recovery) =>
      sql<{ added: number }>`WITH added AS (
  ${insertDeliveries(
    sql,
    shop,
    sql`SELECT ev.shop, ${recoveredId(sql, run)} AS id, e.id AS endpoint_id, ev.id AS event_id, ev.event, ev.test, 'pending' AS status,
    ${format(now)}::timestamptz AS created_at, ${format(now)}::timestamptz AS next_attempt_at
  FROM designwire.endpoints e JOIN designwire.events ev ON ev.shop = e.shop AND ev.created_at >= ${format(since)}::timestamptz
  WHERE e.shop = ${shop} AND e.id = ${endpointId} AND ${sql.literal(hasMissed)} FOR KEY SHARE OF ev`,
  )}
  RETURNING 1
)
SELECT count(*)::int4 AS added FROM added`.pipe(
        Effect.map((rows) => rows[0]?.added ?? 0),
        Effect.tap((added) => (added > 0 ? signals.committed(sql) : Effect.void)),
      )

    return {
      add: (delivery, event) => sql.withTransaction(add(delivery, event)).pipe(mapped("Adding a delivery")),
      recover: (recovery) => recover(recovery).pipe(mapped("Recovering deliveries")),
      claim: (request) => claim(request).pipe(mapped("Claiming deliveries")),
      settle: (settlements, advance) =>
        settlements.length === 0
          ? Effect.succeed([])
          : settle(sql, settlements, advance).pipe(mapped("Settling deliveries")),
      release: (claims) => (claims.length === 0 ? Effect.void : release(claims).pipe(mapped("Releasing deliveries"))),
      nextDue: (now) =>
        Effect.flatMap(oldestDue.scanFrom, (scanFrom) => nextDue(sql, now, scanFrom)).pipe(
          mapped("Looking for the next delivery"),
        ),
    }
  }),
)

/**
 * If nothing can be claimed, the queues of due deliveries hold only attempts under way and deliveries of hosts whose
 * clocks are ahead. They are few, so all of them may be read.
 */
const nextDue = (sql: SqlClient.SqlClient, now: Instant, scanFrom: Instant | null) => {
  const underWay = sql.join(
    " UNION ALL ",
    false,
  )(
    dueQueues.map(
      (
        queue,
      ) => sql`SELECT greatest(d.next_attempt_at, d.leased_until) AS at FROM ${sql.literal(`${queue}_shops w ${withEndpoints}`)}
    JOIN designwire.deliveries d ON d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = ${sql.literal(`'${queue}' AND ${maySend}`)}${dueSince(sql, scanFrom)}`,
    ),
  )
  return sql<{ due: number | null }>`WITH ${dueShops(sql, scanFrom)}
SELECT ${sql.literal(milliseconds("n.at"))} AS due FROM (
  SELECT CASE WHEN EXISTS (${firstClaimable(sql, now, scanFrom, null)}) THEN ${format(now)}::timestamptz ELSE least((
    SELECT min(at) FROM (${underWay}) u
  ), (
    SELECT d.next_attempt_at FROM designwire.deliveries d WHERE d.queue = 'scheduled' ORDER BY d.next_attempt_at LIMIT 1
  )) END AS at
) n`.pipe(Effect.map(([row]) => Option.map(Option.fromNullishOr(row?.due), (due) => Math.max(now, due))))
}

const claimRows = (sql: SqlClient.SqlClient, claims: ReadonlyArray<Claim>) =>
  rows(
    sql,
    "r",
    { shop: "text", id: "text", token: "text" },
    claims.map(({ deliveryId, shop, token }) => ({ shop, id: deliveryId, token })),
  )

const deliveryRows = (sql: SqlClient.SqlClient, deliveries: ReadonlyArray<DeliveryRecord>) =>
  rows(
    sql,
    "r",
    {
      shop: "text",
      id: "text",
      endpoint_id: "text",
      event_id: "text",
      event: "text",
      test: "bool",
      status: "text",
      created_at: "timestamptz",
      next_attempt_at: "timestamptz",
    },
    deliveries.map((delivery) => ({
      shop: delivery.shop,
      id: delivery.id,
      endpoint_id: delivery.endpointId,
      event_id: delivery.eventId,
      event: delivery.event,
      test: delivery.test,
      status: delivery.status,
      created_at: delivery.createdAt,
      next_attempt_at: delivery.nextAttemptAt,
    })),
  )
