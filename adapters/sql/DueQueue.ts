/** Reading the queues of what is due (DeliveryRules.ts), in which shops stand one behind the other, each with its endpoints' deliveries. */
import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import { type DueQueue, dueQueues, maySend } from "./DeliveryRules.ts"

/** Before every shop. */
export const beginning = ""

/** That a delivery was due at an instant or later; without one nothing. */
export const dueSince = (sql: SqlClient.SqlClient, since: Instant | null): Statement.Fragment =>
  since === null ? sql`` : sql` AND d.next_attempt_at >= ${format(since)}::timestamptz`

/**
 * A recursive table of a `WITH RECURSIVE`: the shops behind `after`, and not behind `until` where it is given, that have something in a queue.
 * Each takes one step in the index, however many deliveries it has, and only those that are asked for are read. What was due before `since` is passed over.
 */
export const shopsWithDue = (
  sql: SqlClient.SqlClient,
  name: string,
  queue: DueQueue,
  range: { readonly after: string; readonly until?: string; readonly since: Instant | null },
): Statement.Fragment => {
  const { after, since, until } = range
  const bound = until === undefined ? sql`` : sql` AND d.shop <= ${until}`
  const next = (shop: Statement.Fragment) => sql`(
    SELECT d.shop FROM designwire.deliveries d
    WHERE d.queue = ${sql.literal(`'${queue}'`)} AND d.shop > ${shop}${bound}${dueSince(sql, since)} ORDER BY d.shop LIMIT 1
  )`
  return sql`${sql.literal(name)} AS (
  ${next(sql`${after}`)}
  UNION ALL
  SELECT n.shop FROM ${sql.literal(name)} w CROSS JOIN LATERAL ${next(sql`w.shop`)} n
)`
}

/**
 * Joins to a table `w` of shops its settings `s` and its endpoints `e`, by key: `OFFSET 0` keeps the planner from reading the whole tables where it expects many
 * shops.
 */
export const withEndpoints = `CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.id, e.status, e.proven FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e`

/** The deliveries of an endpoint `e` in a queue that could be claimed at an instant, the longest due first, at most so many. */
export const openIn = (
  sql: SqlClient.SqlClient,
  queue: DueQueue,
  now: Instant,
  since: Instant | null,
  limit: Statement.Fragment,
): Statement.Fragment => {
  const at = sql`${format(now)}::timestamptz`
  return sql`SELECT d.id, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = ${sql.literal(`'${queue}'`)} AND d.next_attempt_at <= ${at}${dueSince(sql, since)}
      AND (d.leased_until IS NULL OR d.leased_until <= ${at}) AND ${sql.literal(maySend)}
    ORDER BY d.next_attempt_at, d.id LIMIT ${limit}`
}

/** Tables of a `WITH RECURSIVE`: the shops with something in each queue. {@link firstOpen} reads them. */
export const dueShops = (sql: SqlClient.SqlClient, since: Instant | null): Statement.Fragment =>
  sql.csv(dueQueues.map((queue) => shopsWithDue(sql, `${queue}_shops`, queue, { after: beginning, since })))

/** For each endpoint of the first `limit` of {@link dueShops}, of all where it is null, the `first` of its deliveries in a queue that could be claimed at an instant. */
export const firstOpen = (
  sql: SqlClient.SqlClient,
  now: Instant,
  since: Instant | null,
  limit: number | null,
): Statement.Fragment =>
  sql.join(
    " UNION ALL ",
    false,
  )(
    dueQueues.map(
      (queue) => sql`(
    SELECT first.next_attempt_at FROM (SELECT * FROM ${sql.literal(`${queue}_shops`)} LIMIT ${limit}::int4) w
    ${sql.literal(withEndpoints)} CROSS JOIN LATERAL (${openIn(sql, queue, now, since, sql`1`)}) first
  )`,
    ),
  )
