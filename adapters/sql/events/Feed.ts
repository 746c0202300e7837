/**
 * The feed of events (D39): every event has a position, a number that grows from write to write over all shops.
 *
 * Transactions do not end in the order in which they write, so an event may be committed while an earlier one is not.
 * Writers of events therefore hold a shared advisory lock until their transaction ends, which names a position before
 * all its writes. A reader first looks at these locks, and reads nothing after the lowest of them. So only open
 * transactions that have written events hold the feed back, by any program, and the database releases their locks
 * however they end. They are in the order of writing: a transaction that has read an event writes after it, even if it
 * is the older one.
 *
 * Transaction ids would work without locks, but then any open transaction in any database of the server would hold back
 * all feeds, and ids restart in a restored dump. A sequence continues from its last number.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { EndpointKind } from "../../../core/model/events/Event.ts"
import type { FeedPage, FeedQuery } from "../../../core/ports/EventStore.ts"
import { PositionGone, StorageError } from "../../../core/ports/StorageError.ts"
import type { PageReads } from "../statements/PageReads.ts"
import { inTransaction } from "../statements/Transaction.ts"

/** The sequence of positions. */
const sequence = "designwire.feed_positions"

/** Number of locks shared by all shops, so that a transaction with events of very many shops holds no more. */
const lanes = 64

const laneOf = (sql: SqlClient.SqlClient, shop: string) =>
  sql`hashtext('designwire_feed ' || (hashtext(${shop}::text) & ${sql.literal(String(lanes - 1))}))`

/** Bits of a position that fit into a lock. */
const mask = 2 ** 31 - 1

/**
 * A row with the sequence for positions of a shop's events, once the transaction holds its lock. A transaction-local
 * setting records which locks it holds already; a savepoint's rollback undoes both the setting and the lock.
 */
export const positions = (sql: SqlClient.SqlClient, shop: string): Statement.Fragment => {
  const held = sql.literal("coalesce(current_setting('designwire_feed.held', true), '')")
  return sql`(
  SELECT CASE
    WHEN strpos(${held}, l.mark) > 0 THEN '${sql.literal(sequence)}'::regclass
    WHEN pg_advisory_xact_lock_shared(l.lane, (
      SELECT (last_value & ${sql.literal(String(mask))})::int4 FROM ${sql.literal(sequence)}
    )) IS NOT NULL AND set_config('designwire_feed.held', ${held} || l.mark, true) IS NOT NULL THEN '${sql.literal(sequence)}'::regclass
  END AS taken_from
  FROM (SELECT o.lane, ' ' || o.lane || ' ' AS mark FROM (SELECT ${laneOf(sql, shop)} AS lane) o) l
)`
}

/**
 * How far a lane's lock, which has the lowest bits of a position, is behind the last position. A lock ahead of it was
 * taken after that was read.
 */
const behind = (sql: SqlClient.SqlClient) => sql`((h.last_value - l.objid::int8) & ${sql.literal(String(mask))})`

/** Locks that hold lanes: the two-number locks of this database. */
const locks = `pg_catalog.pg_locks l JOIN pg_catalog.pg_database b ON b.oid = l.database AND b.datname = current_database()
  AND l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted`

/** The position up to which the next statement sees everything that will ever be there. */
const frontier = (sql: SqlClient.SqlClient, shop: string) =>
  // The locks are read after the last position: what was written up to there is committed by then, or its lock is still
  // held.
  sql<{ position: string; last: string; isolated: boolean }>`SELECT h.last_value::text AS last,
  current_setting('transaction_isolation') <> 'read committed' AS isolated,
  (h.last_value - coalesce((
    SELECT max(${behind(sql)}) FROM ${sql.literal(locks)}
    WHERE l.classid::int8 = ${laneOf(sql, shop)}::int8 & 4294967295 AND ${behind(sql)} < ${sql.literal(String(2 ** 30))}
  ), 0))::text AS position
FROM ${sql.literal(sequence)} h`.pipe(
    Effect.map(([row]) => ({
      last: BigInt(row?.last ?? 0),
      position: row?.position ?? "0",
      isolated: row?.isolated === true,
    })),
  )

interface Row {
  readonly dropped: string | null
  readonly newest: string | null
  readonly position: string | null
  readonly body: string | null
}

/** A page of a shop's feed. */
export const readFeed = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  asPage: PageReads["Service"],
  query: FeedQuery,
): Effect.fn.Return<FeedPage, PositionGone | StorageError | SqlError.SqlError> {
  const after = query.after === null ? null : BigInt(query.after)
  const reached = yield* frontier(sql, query.shop)
  if (reached.isolated && (yield* inTransaction(sql))) return yield* unreadable
  if (after !== null && after > reached.last) return yield* new PositionGone({ reason: "ahead" })
  const rows = yield* page(sql, query, reached.position).pipe(asPage(query.shop))
  const dropped = BigInt(rows[0]?.dropped ?? 0)
  if (after !== null && after < dropped) return yield* new PositionGone({ reason: "dropped" })
  const shown = rows.filter((row): row is Row & { readonly body: string } => row.body !== null)
  const hasMore = rows.some(({ body, position }) => position !== null && body === null)
  const ends = [after ?? 0n, dropped, BigInt((hasMore ? shown.at(-1)?.position : rows[0]?.newest) ?? 0)]
  const next = ends.reduce((one, other) => (other > one ? other : one))
  const isBehindAll = after !== null && after > dropped && after > BigInt(rows[0]?.newest ?? 0)
  if (isBehindAll && !(yield* reaches(sql, query.shop, after))) return yield* new PositionGone({ reason: "ahead" })
  return { bodies: shown.map(({ body }) => body), next: String(next), hasMore }
})

/**
 * Whether a shop has an event at a position or after it, even one that is held back: positions count the events of all
 * shops, and a shop must not learn from ours how far the others are.
 */
const reaches = (sql: SqlClient.SqlClient, shop: string, position: bigint) =>
  sql`SELECT FROM unnest(${EndpointKind.literals}::text[]) k (event) WHERE EXISTS (
  SELECT FROM designwire.events e
  WHERE e.shop = ${shop} AND e.event = k.event AND NOT e.test AND e.position >= ${String(position)}::text::int8
)`.pipe(Effect.map((rows) => rows.length > 0))

/** The next statement would see one moment only, from before the look at the locks. */
const unreadable = new StorageError({
  message: "The feed can't be read in a transaction that is REPEATABLE READ or SERIALIZABLE: read it outside of it",
  cause: undefined,
  isRetryable: false,
})

/**
 * A page, plus one row if more events follow; one row if there is none. The end of a feed is the position of the last
 * committed event, never an unused number of the sequence, which may be issued again after a crash of the server.
 */
const page = (sql: SqlClient.SqlClient, { after, bytes, kinds, limit, shop }: FeedQuery, reached: string) => {
  const upTo = sql`${reached}::text::int8`
  const dropped = sql`(SELECT d.position FROM designwire.dropped_events d WHERE d.shop = ${shop})`
  const ofKind = sql`e.shop = ${shop} AND e.event = k.event AND NOT e.test AND e.position <= ${upTo}`
  return sql<Row>`SELECT s.dropped, s.newest, p.position::text AS position,
  CASE WHEN p.place = 1 OR (p.place <= ${limit}::int4 AND p.reached <= ${bytes}::int4) THEN p.body END AS body
FROM (
  SELECT ${dropped}::text AS dropped, (
    SELECT max(n.position)::text FROM unnest(${EndpointKind.literals}::text[]) k (event) CROSS JOIN LATERAL (
      SELECT e.position FROM designwire.events e WHERE ${ofKind} ORDER BY e.position DESC LIMIT 1
    ) n
  ) AS newest
) s LEFT JOIN (
  SELECT f.position, f.body, row_number() OVER written AS place, sum(octet_length(f.body)) OVER written AS reached FROM (
    SELECT n.position, n.body FROM unnest(${kinds}::text[]) k (event) CROSS JOIN LATERAL (
      SELECT e.position, e.body FROM designwire.events e WHERE ${ofKind} AND e.position > coalesce(
        ${after}::text::int8, ${dropped}, 0
      )
      ORDER BY e.position LIMIT ${limit + 1}::int4
    ) n ORDER BY n.position LIMIT ${limit + 1}::int4
  ) f WINDOW written AS (ORDER BY f.position ROWS UNBOUNDED PRECEDING)
) p ON true ORDER BY p.position`
}

/** Start of the oldest open transaction that holds a feed back, in milliseconds; no row without one. */
export const heldSince = (sql: SqlClient.SqlClient) =>
  sql<{
    since: number
  }>`SELECT (extract(epoch FROM min(coalesce(a.xact_start, p.prepared, now()))) * 1000)::float8 AS since
FROM ${sql.literal(locks)}
LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
LEFT JOIN pg_catalog.pg_prepared_xacts p ON l.pid IS NULL AND l.virtualtransaction = '-1/' || p.transaction
WHERE l.classid::int8 IN (
  SELECT hashtext('designwire_feed ' || lane)::int8 & 4294967295 FROM generate_series(0, ${sql.literal(String(lanes - 1))}) lane
) HAVING count(*) > 0`
