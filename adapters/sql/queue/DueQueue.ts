/** Reads the due queues (DeliveryRules.ts), which are ordered by shop, then endpoint. */
import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { hintFewInGenericPlan } from "../statements/Rows.ts"
import { type DueQueue, dueQueues, maySend } from "./DeliveryRules.ts"

/** Before every shop. */
export const beginning = ""

/** Restricts to deliveries due at an instant or later; no restriction without an instant. */
export const dueSince = (sql: SqlClient.SqlClient, scanFrom: Instant | null): Statement.Fragment =>
  scanFrom === null ? sql`` : sql` AND d.next_attempt_at >= ${format(scanFrom)}::timestamptz`

/**
 * A table of a `WITH`: the shops with deliveries in a queue, starting after a given shop and, after the last one,
 * wrapping around to it. `step` counts them. Each shop takes one step in the index, whatever its number of deliveries,
 * and only requested shops are read. Skips deliveries due before `scanFrom`.
 */
export const shopsInTurn = (
  sql: SqlClient.SqlClient,
  name: string,
  queue: DueQueue,
  { behind, scanFrom }: { readonly behind: string; readonly scanFrom: Instant | null },
): Statement.Fragment => {
  // The end of the range is outside: as a condition of the index it would differ between the two parts of the walk.
  const next = (shop: Statement.Fragment) => sql`(
        SELECT d.shop FROM designwire.deliveries d
        WHERE d.queue = ${sql.literal(`'${queue}'`)} AND d.shop > ${shop}${dueSince(sql, scanFrom)} ORDER BY d.shop LIMIT 1
      ) d`
  const few = (shop: string) => hintFewInGenericPlan(sql, shop)
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
 * Joins to a table `w` of shops their row `s` and endpoints `e`, by key: `OFFSET 0` keeps the planner from reading
 * whole tables if it expects many shops.
 */
export const withEndpoints = `CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.id, e.status, e.proven, e.troubled FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e`

/** The first claimable deliveries of an endpoint `e` in a queue at an instant, longest due first, up to a limit. */
export const claimableIn = (
  sql: SqlClient.SqlClient,
  queue: DueQueue,
  now: Instant,
  scanFrom: Instant | null,
  limit: Statement.Fragment,
): Statement.Fragment => {
  const at = sql`${format(now)}::timestamptz`
  return sql`SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = ${sql.literal(`'${queue}'`)} AND d.next_attempt_at <= ${at}${dueSince(sql, scanFrom)}
      AND (d.leased_until IS NULL OR d.leased_until <= ${at}) AND ${sql.literal(maySend)}
    ORDER BY d.next_attempt_at, d.id LIMIT ${limit}`
}

/** Tables of a `WITH`: the shops with deliveries in each queue. {@link firstClaimable} reads them. */
export const dueShops = (sql: SqlClient.SqlClient, scanFrom: Instant | null): Statement.Fragment =>
  sql.csv(dueQueues.map((queue) => shopsInTurn(sql, `${queue}_shops`, queue, { behind: beginning, scanFrom })))

/**
 * For each endpoint of the first `limit` of {@link dueShops}, or of all if it is null, the `first` claimable deliveries
 * of a queue at an instant.
 */
export const firstClaimable = (
  sql: SqlClient.SqlClient,
  now: Instant,
  scanFrom: Instant | null,
  limit: number | null,
): Statement.Fragment =>
  sql.join(
    " UNION ALL ",
    false,
  )(
    dueQueues.map(
      (queue) => sql`(
    SELECT first.next_attempt_at FROM (SELECT * FROM ${sql.literal(`${queue}_shops`)} LIMIT ${limit}::int4) w
    ${sql.literal(withEndpoints)} CROSS JOIN LATERAL (${claimableIn(sql, queue, now, scanFrom, sql`1`)}) first
  )`,
    ),
  )
