import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { notifyHosts, type TokenChanges } from "../access/TokenChanges.ts"

/** Tables of a shop's records besides its tokens, in the order of removal. */
const tables = [
  "endpoints",
  "platforms",
  "deliveries",
  "attempt_counts",
  "paces",
  "received",
  "events",
  "dropped_events",
  "notices",
  "designs",
  "uncounted_orders",
  "orders",
  "order_counts",
  "unstored_orders",
  "order_lines",
  "kept_answers",
  "settings_marks",
  "inbox",
  "audit_entries",
  "customizer_versions",
  "customizers",
  "rate_windows",
] as const

type Dropped = { readonly isEmpty: boolean; readonly tokens: ReadonlyArray<{ readonly digest: string }> }

/**
 * Drops about `limit` rows of a shop, its tokens first, within a transaction. Returns whether nothing is left, and the
 * removed tokens.
 */
export const dropHoldings = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  shop: string,
  limit: number,
): Effect.fn.Return<Dropped, SqlError.SqlError> {
  const tokens = yield* sql<{ digest: string }>`WITH dropped AS (
  DELETE FROM designwire.tokens WHERE shop = ${shop} RETURNING digest
)
SELECT digest, ${notifyHosts(sql)} AS notified FROM dropped`
  return yield* byIndex(sql, dropRows(sql, shop, limit, tokens))
})

/**
 * Lets statements find rows only by an index. By a scan of the table, or of a bitmap, each step would pass over all
 * rows that steps before it have deleted.
 */
const byIndex = Effect.fnUntraced(function* <A, E>(
  sql: SqlClient.SqlClient,
  statements: Effect.Effect<A, E>,
): Effect.fn.Return<A, E | SqlError.SqlError> {
  const set = (scans: string, bitmaps: string) => sql<{ scans: string; bitmaps: string }>`SELECT s.scans, s.bitmaps,
  set_config('enable_seqscan', ${scans}, true), set_config('enable_bitmapscan', ${bitmaps}, true)
FROM (
  SELECT current_setting('enable_seqscan') AS scans, current_setting('enable_bitmapscan') AS bitmaps OFFSET 0
) s`
  const [before] = yield* set("off", "off")
  const done = yield* statements
  yield* set(before?.scans ?? "on", before?.bitmaps ?? "on")
  return done
})

const dropRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  shop: string,
  limit: number,
  tokens: Dropped["tokens"],
): Effect.fn.Return<Dropped, SqlError.SqlError> {
  let left = limit
  for (const table of tables) {
    const name = sql.literal(`designwire.${table}`)
    // Nothing but the places: with another condition, and statistics from before the shop grew, each row of the shop
    // would be compared with each place.
    const [row] = yield* sql<{ dropped: number }>`WITH dropped AS (
  DELETE FROM ${name} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${name} WHERE shop = ${shop} LIMIT ${left}::int4)) RETURNING 1
)
SELECT count(*)::int4 AS dropped FROM dropped`
    left -= row?.dropped ?? 0
    if (left <= 0) return { isEmpty: false, tokens }
  }
  return { isEmpty: true, tokens }
})

/**
 * Runs a step of `ShopStore.remove` within a transaction. The first one marks the shop, because what is read of it from
 * then on may not be all. The shop's row goes last and the mark stays, because a concurrent call may still store
 * something.
 */
export const removeShop = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  changes: TokenChanges["Service"],
  { limit, now, shop }: { readonly shop: string; readonly now: Instant; readonly limit: number },
): Effect.fn.Return<boolean, SqlError.SqlError> {
  yield* sql`SELECT 1 AS locked FROM designwire.shops WHERE id = ${shop} FOR UPDATE`
  yield* sql`INSERT INTO designwire.removed_shops (shop, removed_at)
SELECT id, ${format(now)}::timestamptz FROM designwire.shops WHERE id = ${shop}
ON CONFLICT (shop) DO UPDATE SET removed_at = excluded.removed_at`
  const { isEmpty, tokens } = yield* dropHoldings(sql, shop, limit)
  yield* changes.committed(sql, tokens)
  if (isEmpty) yield* sql`DELETE FROM designwire.shops WHERE id = ${shop}`
  return isEmpty
})

/**
 * Before a shop is put: takes its mark, and drops what concurrent calls have stored since it is gone. Locks its row
 * first, as its removal does.
 */
export const purgeRemovedShop = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  shop: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  const there = yield* sql`SELECT 1 AS locked FROM designwire.shops WHERE id = ${shop} FOR NO KEY UPDATE`
  const removed = yield* sql`DELETE FROM designwire.removed_shops WHERE shop = ${shop} RETURNING 1 AS removed`
  if (there.length === 0 && removed.length > 0) yield* dropHoldings(sql, shop, 2 ** 31 - 1)
})

/**
 * Locks a removed shop that meets a condition, the first by id, within a transaction: it can't be put again meanwhile.
 * Passes over shops that other hosts have locked.
 */
export const lockRemovedShop = (
  sql: SqlClient.SqlClient,
  which: Statement.Fragment,
): Effect.Effect<string | undefined, SqlError.SqlError> =>
  Effect.map(
    sql<{ shop: string }>`SELECT r.shop FROM designwire.removed_shops r
WHERE ${which} AND NOT EXISTS (SELECT 1 FROM designwire.shops s WHERE s.id = r.shop)
ORDER BY r.shop LIMIT 1 FOR UPDATE SKIP LOCKED`,
    ([row]) => row?.shop,
  )

/** Runs a step of `Upkeep.purgeRemoved`. Takes a transaction only if there is something to drop. */
export const purgeRemoved = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { limit, since }: { readonly since: Instant; readonly limit: number },
): Effect.fn.Return<boolean, SqlError.SqlError> {
  const holdings = ["tokens", ...tables].map((table) =>
    sql.literal(`EXISTS (SELECT 1 FROM designwire.${table} h WHERE h.shop = r.shop)`),
  )
  const which = sql`r.removed_at >= ${format(since)}::timestamptz AND ${sql.or(holdings)}`
  const found = yield* sql`SELECT 1 AS found FROM designwire.removed_shops r WHERE ${which} LIMIT 1`
  if (found.length === 0) return true
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const shop = yield* lockRemovedShop(sql, which)
      if (shop === undefined) return true
      yield* dropHoldings(sql, shop, limit)
      return false
    }),
  )
})
