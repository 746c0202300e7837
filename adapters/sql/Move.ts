/** Moving pending deliveries to the queue that they belong in now (DeliveryRules.ts): a claim does so where it comes across some. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import { dueQueueOf, firstToMove } from "./DeliveryRules.ts"
import { expectFew, milliseconds, rows } from "./Rows.ts"

/** So many deliveries that have become due are moved to a queue of what is due by one statement: some milliseconds of work, done once for each. */
export const movedAtOnce = 256

/** The deliveries in the queue `waiting` that have become due. */
export const becomeDue = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment =>
  sql`SELECT w.shop, w.id, w.next_attempt_at FROM designwire.deliveries w WHERE w.queue = 'waiting' AND w.next_attempt_at <= ${format(now)}::timestamptz`

/** Moves deliveries that have become due out of the queue `waiting`, the longest due first. Answers how many, and when the first of them was due. */
export const moveDue = (sql: SqlClient.SqlClient, now: Instant) =>
  // Materialized: a plan may run a plain subquery several times, and each run would pass over what was moved already and lock further rows.
  sql<{ count: number; oldest: number | null }>`WITH due AS MATERIALIZED (
  ${becomeDue(sql, now)} ORDER BY w.next_attempt_at LIMIT ${sql.literal(String(movedAtOnce))} FOR UPDATE SKIP LOCKED
), moved AS (
  UPDATE designwire.deliveries d SET queue = ${sql.literal(dueQueueOf)} FROM due w, designwire.endpoints e
  WHERE d.shop = w.shop AND d.id = w.id AND e.shop = d.shop AND e.id = d.endpoint_id RETURNING d.next_attempt_at
)
SELECT count(*)::int4 AS count, ${sql.literal(milliseconds("min(next_attempt_at)"))} AS oldest FROM moved`.pipe(
    Effect.map(([row]) => row ?? { count: 0, oldest: null }),
  )

/** Moves deliveries that are due to the other queue where their endpoints, some of these, belong there since they have become proven, or no longer are. */
export const moveStrays = (
  sql: SqlClient.SqlClient,
  endpoints: ReadonlyArray<{ readonly shop: string; readonly endpointId: string }>,
): Effect.Effect<void, SqlError.SqlError> => {
  const ids = new Map(
    endpoints.map(({ endpointId, shop }) => [JSON.stringify([shop, endpointId]), { shop, endpointId }]),
  )
  const columns = { shop: "text", id: "text" } as const
  const found = rows(
    sql,
    "r",
    columns,
    [...ids.values()].map(({ endpointId, shop }) => ({ shop, id: endpointId })),
  )
  const from = (queue: "due" | "unproven", endpoint: string) => sql`SELECT e.shop, m.id FROM (
    SELECT e.shop, e.id FROM r JOIN designwire.endpoints e USING (shop, id) WHERE ${sql.literal(endpoint)}
  ) e CROSS JOIN LATERAL (${firstToMove(sql, queue, { shop: sql`e.shop`, id: sql`e.id` })}) m`
  // Materialized, as above. Looked up in tables of their own: a plan made while there were hardly any deliveries would look them up anew for each delivery.
  return Effect.asVoid(sql`WITH r AS MATERIALIZED (
  SELECT * FROM ${found} WHERE ${sql.literal(expectFew("r.id"))}
), no_longer AS MATERIALIZED (
  ${from("due", "NOT e.proven")}
), since AS MATERIALIZED (
  ${from("unproven", "e.proven")}
), to_unproven AS (
  UPDATE designwire.deliveries d SET queue = 'unproven' FROM no_longer m WHERE d.shop = m.shop AND d.id = m.id
)
UPDATE designwire.deliveries d SET queue = 'due' FROM since m WHERE d.shop = m.shop AND d.id = m.id`)
}
