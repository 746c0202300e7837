/**
 * The rules of `core/rules/DeliveryState` in SQL, each once. They speak of the shop `s`, its endpoint `e`, an event `ev` and a delivery `d`.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { plansWithApi } from "../../core/model/Shop.ts"

/** `Shop.includesApi`: whether the shop's plan has webhooks. */
export const hasWebhooks = `s.plan IN (${plansWithApi.map((plan) => `'${plan}'`).join(", ")})`

/** `DeliveryState.isFor`: whether an event that happens is to be delivered to the endpoint. */
export const isFor = `(${hasWebhooks} AND e.status = 'active' AND ev.event = ANY(e.kinds))`

/**
 * `DeliveryState.maySend`: whether a pending delivery may be sent as things stand. A CASE, because the planner takes `d.test OR e.status = 'active'` for
 * something that hardly any delivery is, and then sorts all deliveries of an endpoint for the first.
 */
export const maySend = `(${hasWebhooks} AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)`

/** `DeliveryState.deliveryId`. */
export const deliveryId = "'dlv_' || substr(ev.id, 5) || substr(e.id, 5)"

/** The deliveries of an event to an endpoint: the one that it made when it happened, which its id tells, or those made later, which have an index. */
const ofEvent = {
  first: `d.shop = ev.shop AND d.id = ${deliveryId}`,
  later:
    "d.shop = ev.shop AND d.event_id = ev.id AND d.id <> 'dlv_' || substr(d.event_id, 5) || substr(d.endpoint_id, 5)",
}

/** The ids of all deliveries of an event. */
export const deliveriesOfEvent = `SELECT d.id FROM designwire.endpoints e JOIN designwire.deliveries d ON ${ofEvent.first} WHERE e.shop = ev.shop
  UNION ALL SELECT d.id FROM designwire.deliveries d WHERE ${ofEvent.later}`

/** `DeliveryState.hasMissed`: whether the endpoint has missed an event of its shop. */
export const hasMissed = `(NOT ev.test AND ev.event = ANY(e.kinds) AND NOT EXISTS (
  SELECT 1 FROM designwire.deliveries d WHERE ${ofEvent.first} AND d.status <> 'failed'
) AND NOT EXISTS (
  SELECT 1 FROM designwire.deliveries d WHERE ${ofEvent.later} AND d.endpoint_id = e.id AND d.status <> 'failed'
) AND NOT EXISTS (
  SELECT 1 FROM designwire.received k WHERE k.shop = ev.shop AND k.endpoint_id = e.id AND k.event_id = ev.id
))`

/**
 * The queues of what is due: its time has come, or comes when the clock of whoever claims is as far as that of whoever made it. `due` is for endpoints that are
 * proven, `unproven` for the others; a claim moves what stands in the wrong one, because the endpoint has changed since.
 */
export const dueQueues = ["due", "unproven"] as const
export type DueQueue = (typeof dueQueues)[number]

/** Which of {@link dueQueues} is that of the endpoint. */
export const dueQueueOf = "CASE WHEN e.proven THEN 'due' ELSE 'unproven' END"

/**
 * The queue of a delivery, its column `queue`; `outcome` has its status and its next attempt:
 * - one of {@link dueQueues};
 * - `waiting`: due later. A claim moves what has become due;
 * - `held`: may not be sent as things stand;
 * - null: finished.
 */
export const queueOf = (outcome = "d"): string => `CASE
    WHEN ${outcome}.status <> 'pending' THEN NULL WHEN NOT ${maySend} THEN 'held'
    WHEN ${outcome}.next_attempt_at > d.created_at THEN 'waiting' ELSE ${dueQueueOf}
  END`

/** `DeliveryState.recoveredId`. */
export const recoveredId = (sql: SqlClient.SqlClient, run: string): Statement.Fragment =>
  sql`'dlv_' || ${run} || substr(ev.id, 5)`

/** Adds the deliveries of a shop that `made` selects: pending, with their `next_attempt_at`, in the queue that the rules say. */
export const insertDeliveries = (sql: SqlClient.SqlClient, shop: string, made: Statement.Fragment) =>
  sql`INSERT INTO designwire.deliveries
  (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts)
SELECT d.shop, d.id, d.endpoint_id, d.event_id, d.event, d.test, d.status, d.created_at, d.next_attempt_at, ${sql.literal(queueOf())}, 0
FROM (${made}) d
JOIN designwire.endpoints e ON e.shop = ${shop} AND e.id = d.endpoint_id
JOIN designwire.shops s ON s.id = ${shop}
FOR KEY SHARE OF e`

/** Puts deliveries of some endpoints, those that `which` says, from one queue into another. Each queue has its own index: one statement per queue. */
const move = (
  sql: SqlClient.SqlClient,
  from: DueQueue | "waiting" | "held",
  which: Statement.Fragment,
) => sql`UPDATE designwire.deliveries d SET queue = ${sql.literal(queueOf())}
FROM designwire.endpoints e JOIN designwire.shops s ON s.id = e.shop
WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.queue = ${sql.literal(`'${from}'`)} AND ${which}`

/** Holds the pending deliveries of some endpoints, those that `which` says, where the rules don't let them be sent. */
export const hold = (sql: SqlClient.SqlClient, which: Statement.Fragment): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(
    [...dueQueues, "waiting"] as const,
    (from) => move(sql, from, sql`${which} AND NOT ${sql.literal(maySend)}`),
    {
      discard: true,
    },
  )

/** Frees the held deliveries of some endpoints, those that `which` says, where the rules let them be sent. Answers how many. */
export const free = (sql: SqlClient.SqlClient, which: Statement.Fragment): Effect.Effect<number, SqlError.SqlError> =>
  sql<{ freed: number }>`WITH freed AS (
  ${move(sql, "held", sql`${which} AND ${sql.literal(maySend)}`)} RETURNING 1
)
SELECT count(*)::int4 AS freed FROM freed`.pipe(Effect.map(([row]) => row?.freed ?? 0))
