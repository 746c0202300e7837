/**
 * The number of a shop's orders, without counting them one by one.
 *
 * A new order adds its own row to `uncounted_orders`, so that orders never wait for each other, however long their
 * transaction is open. Folding moves such rows into `order_counts`, which has a number for each hour, day and month,
 * and one for the total. A total is the sum of folded and unfolded rows as of one moment, because one statement reads
 * them.
 */
import { Effect, FiberSet } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { mapped } from "../statements/Errors.ts"
import { inLane } from "../statements/Transaction.ts"

/**
 * The number of a shop's orders, or of those placed at an instant or later, as an expression: by whole months, the days
 * after the bound up to the first month, the hours up to the first day, and one by one only within the bound's hour.
 */
export const total = (sql: SqlClient.SqlClient, shop: string, orderedAfter: Instant | null): Statement.Fragment =>
  orderedAfter === null ? wholeTotal(sql, shop) : totalSince(sql, shop, orderedAfter)

const wholeTotal = (sql: SqlClient.SqlClient, shop: string): Statement.Fragment =>
  sql`coalesce((SELECT orders FROM designwire.order_counts WHERE shop = ${shop} AND unit = 'all'), 0)
  + (SELECT count(*) FROM designwire.uncounted_orders WHERE shop = ${shop})`

const totalSince = (sql: SqlClient.SqlClient, shop: string, orderedAfter: Instant): Statement.Fragment => {
  const after = sql`${format(orderedAfter)}::timestamptz`
  const utc = sql`(${after} AT TIME ZONE 'UTC')`
  const nextHour = sql`((date_trunc('hour', ${utc}) + interval '1 hour') AT TIME ZONE 'UTC')`
  return sql`(SELECT coalesce(sum((
      SELECT sum(c.orders) FROM designwire.order_counts c
      WHERE c.shop = ${shop} AND c.unit = u.unit AND c.since > date_trunc(u.unit, ${utc}) AND c.since < u.until
    )), 0) FROM (VALUES ('month', 'infinity'),
      ('day', date_trunc('month', ${utc}) + interval '1 month'), ('hour', date_trunc('day', ${utc}) + interval '1 day')
    ) u (unit, until))
  + (SELECT count(*) FROM designwire.uncounted_orders WHERE shop = ${shop} AND ordered_at >= ${nextHour})
  + (SELECT count(*) FROM designwire.orders WHERE shop = ${shop} AND ordered_at >= ${after} AND ordered_at < ${nextHour})`
}

/** The counts of a table of orders `o`, as rows of `order_counts`. */
export const countsOf = (orders: string): string => `SELECT o.shop, u.unit,
  CASE u.unit WHEN 'all' THEN '-infinity' ELSE date_trunc(u.unit, o.ordered_at AT TIME ZONE 'UTC') END, count(*)
FROM ${orders} o CROSS JOIN (VALUES ('all'), ('month'), ('day'), ('hour')) u (unit) GROUP BY 1, 2, 3`

/**
 * Folds up to `limit` rows of one shop or of all, and returns their number. Concurrent calls lock the numbers in one
 * order, so that they never deadlock.
 */
export const fold = (
  sql: SqlClient.SqlClient,
  options: { readonly shop?: string; readonly limit: number },
): Effect.Effect<number, SqlError.SqlError> => {
  const ofShop = options.shop === undefined ? sql`` : sql` WHERE u.shop = ${options.shop}`
  return sql<{ folded: number }>`WITH u AS MATERIALIZED (
  SELECT u.shop, u.id FROM designwire.uncounted_orders u${ofShop} ORDER BY u.shop, u.id LIMIT ${options.limit}::int4 FOR UPDATE SKIP LOCKED
), folded AS (
  DELETE FROM designwire.uncounted_orders o USING u WHERE o.shop = u.shop AND o.id = u.id RETURNING o.shop, o.ordered_at
), counted AS (
  INSERT INTO designwire.order_counts AS c (shop, unit, since, orders) ${sql.literal(countsOf("folded"))} ORDER BY 1, 2, 3
  ON CONFLICT (shop, unit, since) DO UPDATE SET orders = c.orders + excluded.orders
)
SELECT count(*)::int4 AS folded FROM folded`.pipe(Effect.map(([row]) => row?.folded ?? 0))
}

/** A host folds a shop's orders after this many new ones, so that totals stay quick to read between upkeep. */
const foldAfter = 100

/** Counts the committed new orders of a host, and folds now and then, for which no order waits. */
export const makeFolding = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const added = new Map<string, number>()
  const upkeep = inLane(sql, "upkeep")
  const inBackground = yield* FiberSet.makeRuntime()
  return (shop: string, orders: number): Effect.Effect<void> =>
    Effect.sync(() => {
      const since = (added.get(shop) ?? 0) + orders
      added.set(shop, since)
      if (since < foldAfter) return
      added.delete(shop)
      // Some more than were added: what other hosts left as they ended.
      inBackground(
        upkeep(fold(sql, { shop, limit: since + foldAfter })).pipe(
          mapped("Folding the counts of orders"),
          Effect.catch((error) =>
            Effect.logWarning("Counts of orders are left to upkeep", error).pipe(
              logged("orders.count_failed", { shop }),
            ),
          ),
        ),
      )
    })
})
