/** Moves misplaced pending deliveries to their queue (DeliveryRules.ts), if a claim finds some. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { hintFew, milliseconds, rows } from "../statements/Rows.ts"
import { type DueQueue, dueQueueOf, dueQueues } from "./DeliveryRules.ts"

/** Deliveries that one statement moves to a due queue: some milliseconds of work, once per delivery. */
export const requeuedAtOnce = 256

/**
 * Whether deliveries in the queue `scheduled` have become due. Compares the first one: for any due delivery the planner
 * expects many among many scheduled ones, and reads the whole table.
 */
export const anyBecameDue = (sql: SqlClient.SqlClient, now: Instant): Statement.Fragment =>
  sql`coalesce((
    SELECT w.next_attempt_at FROM designwire.deliveries w WHERE w.queue = 'scheduled' ORDER BY w.next_attempt_at LIMIT 1
  ) <= ${format(now)}::timestamptz, false)`

/**
 * Moves due deliveries out of the queue `scheduled`, the longest due first. Returns their number, and the first due
 * time.
 */
export const requeueDue = (sql: SqlClient.SqlClient, now: Instant) =>
  // Materialized: a plan may run a plain subquery several times, and each run would pass over what was moved already
  // and lock further rows.
  sql<{ count: number; oldest: number | null }>`WITH due AS MATERIALIZED (
  SELECT w.shop, w.id FROM designwire.deliveries w WHERE w.queue = 'scheduled' AND w.next_attempt_at <= ${format(now)}::timestamptz
  ORDER BY w.next_attempt_at LIMIT ${sql.literal(String(requeuedAtOnce))} FOR UPDATE SKIP LOCKED
), moved AS (
  UPDATE designwire.deliveries d SET queue = ${sql.literal(dueQueueOf)} FROM due w, designwire.endpoints e
  WHERE d.shop = w.shop AND d.id = w.id AND e.shop = d.shop AND e.id = d.endpoint_id RETURNING d.next_attempt_at
)
SELECT count(*)::int4 AS count, ${sql.literal(milliseconds("min(next_attempt_at)"))} AS oldest FROM moved`.pipe(
    Effect.map(([row]) => row ?? { count: 0, oldest: null }),
  )

/** Misplaced deliveries of an endpoint that one statement moves: more than are claimed of it meanwhile. */
const requeuedOfEndpoint = 64

/**
 * Moves due deliveries of the given endpoints to the queue that their endpoints belong to, the longest due first. Skips
 * deliveries that others are changing.
 */
export const requeueMisplaced = (
  sql: SqlClient.SqlClient,
  endpoints: ReadonlyArray<{ readonly shop: string; readonly endpointId: string }>,
): Effect.Effect<void, SqlError.SqlError> => {
  const found = rows(
    sql,
    "r",
    { shop: "text", id: "text" },
    endpoints.map(({ endpointId, shop }) => ({ shop, id: endpointId })),
  )
  // Materialized, as above. Separate tables for the look-ups: a plan made while there were hardly any deliveries would
  // repeat them for each delivery.
  const moved = (queue: DueQueue) => sql`from_${sql.literal(queue)} AS MATERIALIZED (
  SELECT e.shop, m.id, e.queue FROM (SELECT * FROM e WHERE e.queue <> ${sql.literal(`'${queue}'`)}) e CROSS JOIN LATERAL (
    SELECT d.id FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.queue = ${sql.literal(`'${queue}'`)}
    ORDER BY d.next_attempt_at, d.id LIMIT ${sql.literal(String(requeuedOfEndpoint))} FOR UPDATE SKIP LOCKED
  ) m
), moved_${sql.literal(queue)} AS (
  UPDATE designwire.deliveries d SET queue = m.queue FROM from_${sql.literal(queue)} m WHERE d.shop = m.shop AND d.id = m.id
)`
  return Effect.asVoid(sql`WITH r AS MATERIALIZED (
  SELECT DISTINCT r.shop, r.id FROM ${found} WHERE ${sql.literal(hintFew("r.id"))}
), e AS MATERIALIZED (
  SELECT e.shop, e.id, ${sql.literal(dueQueueOf)} AS queue FROM r JOIN designwire.endpoints e USING (shop, id)
), ${sql.csv(dueQueues.map(moved))}
SELECT 1 AS moved`)
}
