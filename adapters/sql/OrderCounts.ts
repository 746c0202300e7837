/**
 * How many orders a shop has, without counting them one by one.
 *
 * A new order adds a row of its own to `uncounted_orders`, for which no other order waits, however long its transaction is open. Folding moves such
 * rows into `order_counts`, which has a number for each day, and for all days together under the day `-infinity`. A total is what was folded and
 * the rows that were not: both of one moment, because one statement reads them.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"
import type { OrderRecord } from "../../core/model/Order.ts"

/** The day of an order, in UTC. */
const dayOf = (orderedAt: Instant): string => format(orderedAt).slice(0, 10)

/** Counts a new order. */
export const count = (sql: SqlClient.SqlClient, { id, orderedAt, shop }: OrderRecord) =>
  sql`INSERT INTO designwire.uncounted_orders (shop, id, day) VALUES (${shop}, ${id}, ${dayOf(orderedAt)}::date)`

/** How many orders a shop has, or had placed at an instant or later: by whole days, and one by one only within the day that the bound cuts. */
export const total = (
  sql: SqlClient.SqlClient,
  shop: string,
  orderedAfter: Instant | null,
): Effect.Effect<number, SqlError.SqlError> => {
  const parts = orderedAfter === null ? wholeTotal(sql, shop) : totalSince(sql, shop, orderedAfter)
  return Effect.map(sql<{ total: number }>`SELECT (${parts})::int4 AS total`, ([row]) => row?.total ?? 0)
}

const wholeTotal = (sql: SqlClient.SqlClient, shop: string): Statement.Fragment =>
  sql`coalesce((SELECT orders FROM designwire.order_counts WHERE shop = ${shop} AND day = '-infinity'), 0)
  + (SELECT count(*) FROM designwire.uncounted_orders WHERE shop = ${shop})`

const totalSince = (sql: SqlClient.SqlClient, shop: string, orderedAfter: Instant): Statement.Fragment => {
  const day = dayOf(orderedAfter)
  return sql`(SELECT coalesce(sum(orders), 0) FROM designwire.order_counts WHERE shop = ${shop} AND day > ${day}::date)
  + (SELECT count(*) FROM designwire.uncounted_orders WHERE shop = ${shop} AND day > ${day}::date)
  + (SELECT count(*) FROM designwire.orders WHERE shop = ${shop}
      AND ordered_at >= ${format(orderedAfter)}::timestamptz AND ordered_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC')`
}

/** Folds up to `limit` rows of one shop, or of all, and answers how many. Several may run at once: all take the numbers in one order, so that none waits in a circle. */
export const fold = (
  sql: SqlClient.SqlClient,
  options: { readonly shop?: string; readonly limit: number },
): Effect.Effect<number, SqlError.SqlError> => {
  const ofShop = options.shop === undefined ? sql`` : sql` WHERE u.shop = ${options.shop}`
  return sql<{ folded: number }>`WITH folded AS (
  DELETE FROM designwire.uncounted_orders o USING (
    SELECT u.shop, u.id FROM designwire.uncounted_orders u${ofShop} ORDER BY u.shop, u.id LIMIT ${options.limit}::int4 FOR UPDATE SKIP LOCKED
  ) u WHERE o.shop = u.shop AND o.id = u.id RETURNING o.shop, o.day
), counted AS (
  INSERT INTO designwire.order_counts AS c (shop, day, orders)
  SELECT shop, coalesce(day, '-infinity'), count(*) FROM folded GROUP BY GROUPING SETS ((shop, day), (shop))
  ORDER BY 1, 2
  ON CONFLICT (shop, day) DO UPDATE SET orders = c.orders + excluded.orders
)
SELECT count(*)::int4 AS folded FROM folded`.pipe(Effect.map(([row]) => row?.folded ?? 0))
}

/** After so many new orders of a shop a host folds them, so that a total stays quick to read where upkeep comes later. */
const foldAfter = 100

/** Tells of each new order of a host once it is committed, and folds now and then. */
export const makeFolding = (sql: SqlClient.SqlClient) => {
  const added = new Map<string, number>()
  return (shop: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const since = (added.get(shop) ?? 0) + 1
      added.set(shop, since)
      if (since < foldAfter) return Effect.void
      added.delete(shop)
      // Some more than were added: what other hosts left as they ended.
      return fold(sql, { shop, limit: 2 * foldAfter }).pipe(
        Effect.catch((error) => Effect.logWarning("Could not fold the counts of orders; upkeep does it", error)),
        Effect.asVoid,
      )
    })
}
