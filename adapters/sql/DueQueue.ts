/** Reading the queues of what is due (DeliveryRules.ts), in which shops stand one behind the other, each with its endpoints' deliveries. */
import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import { type DueQueue, dueQueues, maySend } from "./DeliveryRules.ts"
import { expectFewOnceKept } from "./Rows.ts"

/** Before every shop. */
export const beginning = ""

/** That a delivery was due at an instant or later; without one nothing. */
export const dueSince = (sql: SqlClient.SqlClient, since: Instant | null): Statement.Fragment =>
  since === null ? sql`` : sql` AND d.next_attempt_at >= ${format(since)}::timestamptz`

/**
 * A table of a `WITH`: the shops that have something in a queue, beginning behind one of them and, after the last, with the first again up to that one. `step`
 * counts them. Each takes one step in the index, however many deliveries it has, and only those that are asked for are read. What was due before `since` is
 * passed over.
 */
export const shopsInTurn = (
  sql: SqlClient.SqlClient,
  name: string,
  queue: DueQueue,
  { behind, since }: { readonly behind: string; readonly since: Instant | null },
): Statement.Fragment => {
  // The end of the range is outside: as a condition of the index it would differ between the two parts of the walk.
  const next = (shop: Statement.Fragment) => sql`(
        SELECT d.shop FROM designwire.deliveries d
        WHERE d.queue = ${sql.literal(`'${queue}'`)} AND d.shop > ${shop}${dueSince(sql, since)} ORDER BY d.shop LIMIT 1
      ) d`
  const few = (shop: string) => expectFewOnceKept(sql, shop)
  return sql`${sql.literal(name)} AS (
  WITH RECURSIVE walk AS (
    SELECT ${behind}::text COLLATE "C" AS shop, false AS again, 0 AS step
    UNION ALL
    SELECT n.shop, n.again, w.step + 1 FROM walk w CROSS JOIN LATERAL (
      SELECT d.shop, w.again FROM ${next(sql`w.shop`)} WHERE NOT w.again OR d.shop <= ${behind}
      UNION ALL
      SELECT d.shop, true FROM ${next(sql`${beginning}`)} WHERE NOT w.again AND d.shop <= ${behind}
      LIMIT 1
    ) n WHERE ${few("w.shop")}
  )
  SELECT shop, step FROM walk WHERE step > 0 AND ${few("shop")}
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
  return sql`SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = ${sql.literal(`'${queue}'`)} AND d.next_attempt_at <= ${at}${dueSince(sql, since)}
      AND (d.leased_until IS NULL OR d.leased_until <= ${at}) AND ${sql.literal(maySend)}
    ORDER BY d.next_attempt_at, d.id LIMIT ${limit}`
}

/** Tables of a `WITH`: the shops with something in each queue. {@link firstOpen} reads them. */
export const dueShops = (sql: SqlClient.SqlClient, since: Instant | null): Statement.Fragment =>
  sql.csv(dueQueues.map((queue) => shopsInTurn(sql, `${queue}_shops`, queue, { behind: beginning, since })))

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
