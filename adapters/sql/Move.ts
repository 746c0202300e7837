/** Moving pending deliveries to the queue that they belong in now (DeliveryRules.ts): a claim does so where it comes across some. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import { type DueQueue, dueQueueOf } from "./DeliveryRules.ts"
import { expectFew, milliseconds, rows } from "./Rows.ts"

/** So many deliveries that have become due are moved to a queue of what is due by one statement: some milliseconds of work, done once for each. */
export const movedAtOnce = 256

/**
 * Whether deliveries in the queue `waiting` have become due. The first is compared: asked for any that has, the planner expects many among many that wait, and reads
 * the whole table for one.
 */
export const haveBecomeDue = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment =>
  sql`coalesce((
    SELECT w.next_attempt_at FROM designwire.deliveries w WHERE w.queue = 'waiting' ORDER BY w.next_attempt_at LIMIT 1
  ) <= ${format(now)}::timestamptz, false)`

/** Moves deliveries that have become due out of the queue `waiting`, the longest due first. Answers how many, and when the first of them was due. */
export const moveDue = (sql: SqlClient.SqlClient, now: Instant) =>
  // Materialized: a plan may run a plain subquery several times, and each run would pass over what was moved already and lock further rows.
  sql<{ count: number; oldest: number | null }>`WITH due AS MATERIALIZED (
  SELECT w.shop, w.id FROM designwire.deliveries w WHERE w.queue = 'waiting' AND w.next_attempt_at <= ${format(now)}::timestamptz
  ORDER BY w.next_attempt_at LIMIT ${sql.literal(String(movedAtOnce))} FOR UPDATE SKIP LOCKED
), moved AS (
  UPDATE designwire.deliveries d SET queue = ${sql.literal(dueQueueOf)} FROM due w, designwire.endpoints e
  WHERE d.shop = w.shop AND d.id = w.id AND e.shop = d.shop AND e.id = d.endpoint_id RETURNING d.next_attempt_at
)
SELECT count(*)::int4 AS count, ${sql.literal(milliseconds("min(next_attempt_at)"))} AS oldest FROM moved`.pipe(
    Effect.map(([row]) => row ?? { count: 0, oldest: null }),
  )

/** So many deliveries of an endpoint are moved by one statement where they stand in the wrong queue: more than are claimed of it meanwhile. */
const movedOfEndpoint = 64

/**
 * Moves deliveries that are due to the other queue, the longest due first, where their endpoints, some of these, belong there: they have become proven, or are no
 * longer. Deliveries that somebody else is changing are passed over.
 */
export const moveStrays = (
  sql: SqlClient.SqlClient,
  endpoints: ReadonlyArray<{ readonly shop: string; readonly endpointId: string }>,
): Effect.Effect<void, SqlError.SqlError> => {
  const found = rows(
    sql,
    "r",
    { shop: "text", id: "text" },
    endpoints.map(({ endpointId, shop }) => ({ shop, id: endpointId })),
  )
  const from = (queue: DueQueue, proven: boolean) => sql`SELECT e.shop, m.id FROM (
    SELECT e.shop, e.id FROM r JOIN designwire.endpoints e USING (shop, id) WHERE e.proven = ${sql.literal(String(proven))}
  ) e CROSS JOIN LATERAL (
    SELECT d.id FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.queue = ${sql.literal(`'${queue}'`)}
    ORDER BY d.next_attempt_at, d.id LIMIT ${sql.literal(String(movedOfEndpoint))} FOR UPDATE SKIP LOCKED
  ) m`
  // Materialized, as above. Looked up in tables of their own: a plan made while there were hardly any deliveries would look them up anew for each delivery.
  return Effect.asVoid(sql`WITH r AS MATERIALIZED (
  SELECT DISTINCT r.shop, r.id FROM ${found} WHERE ${sql.literal(expectFew("r.id"))}
), from_due AS MATERIALIZED (
  ${from("due", false)}
), from_unproven AS MATERIALIZED (
  ${from("unproven", true)}
), to_unproven AS (
  UPDATE designwire.deliveries d SET queue = 'unproven' FROM from_due m WHERE d.shop = m.shop AND d.id = m.id
)
UPDATE designwire.deliveries d SET queue = 'due' FROM from_unproven m WHERE d.shop = m.shop AND d.id = m.id`)
}
