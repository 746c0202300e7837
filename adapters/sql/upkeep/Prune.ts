import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { auditRetention } from "../../../core/model/audit/AuditEntry.ts"
import { format } from "../../../core/model/Instant.ts"
import type { InboxEntry } from "../../../core/model/ingest/InboxItem.ts"
import type { PruneStep } from "../../../core/ports/Upkeep.ts"
import { droppedOf, inboxBefore } from "../../../core/rules/webhooks/NoticeRules.ts"
import { fillSubjects } from "../events/Subjects.ts"
import { inboxColumns } from "../ingest/InboxColumns.ts"
import { fold } from "../orders/OrderCounts.ts"
import { milliseconds, rows } from "../statements/Rows.ts"
import { deliveriesOfEvent, hasWebhooks, suspend } from "../webhooks/DeliveryRules.ts"
import { insertNotices } from "../webhooks/Notices.ts"
import { dropHoldings, lockRemovedShop } from "./RemoveShop.ts"

/** Progress of a part of upkeep: the key of the last row read, empty at the beginning. */
type Position = ReadonlyArray<string>

/** A part of upkeep: runs a step after a position and returns the reached position, `null` at the end. */
type Part = (
  sql: SqlClient.SqlClient,
  step: PruneStep,
  after: Position,
) => Effect.Effect<Position | null, SqlError.SqlError>

/** Lock number, so that only one host at a time runs a step. */
export const pruneLock = 7_361_950_022

/** Runs a step of `Upkeep.prune` in a separate transaction that holds a lock. */
export const prune = (
  sql: SqlClient.SqlClient,
  lock: Statement.Fragment,
  step: PruneStep,
): Effect.Effect<string | null, SqlError.SqlError> =>
  sql.withTransaction(
    Effect.gen(function* () {
      const [mine] = yield* sql<{ free: boolean }>`SELECT pg_try_advisory_xact_lock(${lock}) AS free`
      if (mine?.free !== true) return null
      const [part, after] = step.after === null ? [0, []] : (JSON.parse(step.after) as [number, Position])
      const reached = yield* (parts[part] as Part)(sql, step, after)
      if (reached !== null) return JSON.stringify([part, reached])
      return part + 1 < parts.length ? JSON.stringify([part + 1, []]) : null
    }),
  )

/**
 * Reads deliveries in the order of the logs, and drops finished ones beyond their endpoint's newest. The remaining ones
 * are pending or in a log, so that the next pass is short. Of those that a log keeps for their time, only the first of
 * each endpoint is read, as the step to the next endpoint.
 */
const trimLogs: Part = (sql, { keep, keepSince = null, limit }, after) => {
  const [shop = "", endpointId = "", createdAt = format(0), id = ""] = after
  const before = keepSince === null ? null : sql`${format(keepSince)}::timestamptz`
  const columns = sql.literal("d.shop, d.endpoint_id, d.created_at, d.id, d.queue")
  const read = (
    position: Statement.Fragment,
    rows: Statement.Fragment,
  ) => sql`SELECT ${columns} FROM designwire.deliveries d
  WHERE (d.shop, d.endpoint_id, d.created_at, d.id) > (${position})
  ORDER BY d.shop, d.endpoint_id, d.created_at, d.id LIMIT ${rows}`
  const begin = sql`${shop}, ${endpointId}, ${createdAt}::timestamptz, ${id}`
  const one = sql.literal("1")
  const steps =
    before === null
      ? sql`part AS MATERIALIZED (
  ${read(begin, sql`${limit}::int4`)}
)`
      : sql`steps AS (
  (${read(begin, one)})
  UNION ALL
  SELECT n.* FROM steps p CROSS JOIN LATERAL (
    ${read(sql`p.shop, p.endpoint_id, CASE WHEN p.created_at < ${before} THEN p.created_at ELSE 'infinity' END, p.id`, one)}
  ) n
), part AS MATERIALIZED (
  SELECT * FROM steps LIMIT ${limit}::int4
)`
  return sql<{
    shop: string
    endpointId: string
    createdAt: number
    id: string
    looked: number
  }>`WITH RECURSIVE ${steps}, last_shown AS MATERIALIZED (
  SELECT p.shop, p.endpoint_id, l.created_at, l.id FROM (SELECT DISTINCT shop, endpoint_id FROM part) p CROSS JOIN LATERAL (
    SELECT d.created_at, d.id FROM designwire.deliveries d WHERE d.shop = p.shop AND d.endpoint_id = p.endpoint_id
    ORDER BY d.created_at DESC, d.id DESC OFFSET ${keep - 1}::int4 LIMIT 1
  ) l
), dropped AS (
  DELETE FROM designwire.deliveries d USING part p JOIN last_shown l USING (shop, endpoint_id)
  WHERE p.queue IS NULL AND (p.created_at, p.id) < (l.created_at, l.id)${before === null ? sql`` : sql` AND p.created_at < ${before}`} AND d.shop = p.shop AND d.id = p.id
  RETURNING d.shop, d.id, d.endpoint_id, d.event_id, d.status
), remembered AS (
  INSERT INTO designwire.received (shop, event_id, endpoint_id)
  SELECT DISTINCT shop, event_id, endpoint_id FROM dropped WHERE status = 'succeeded' ON CONFLICT DO NOTHING
)
SELECT shop, endpoint_id AS "endpointId", ${milliseconds("created_at")} AS "createdAt", id, (count(*) OVER ())::int4 AS looked
FROM part ORDER BY part.shop DESC, part.endpoint_id DESC, part.created_at DESC, part.id DESC LIMIT 1`.pipe(
    Effect.map(([last]) =>
      last === undefined || last.looked < limit ? null : [last.shop, last.endpointId, format(last.createdAt), last.id],
    ),
  )
}

/**
 * Reads old events from shop to shop, and drops those without deliveries.
 *
 * They are locked first and then read again by another statement, which sees earlier additions; from then on nothing is
 * added to them (`DeliveryQueue.add`). Skips events to which something is being added.
 */
const dropEvents: Part = (sql, { eventsBefore, limit }, after) =>
  Effect.gen(function* () {
    const before = sql`${format(eventsBefore)}::timestamptz`
    const unused = sql.literal(`NOT EXISTS (${deliveriesOfEvent})`)
    const part = yield* oldEvents(sql, { before, unused, limit, after })
    const found = part.filter((event) => event.unused).map(({ id, shop }) => ({ shop, id }))
    if (found.length > 0) {
      const locked = yield* sql<EventKey>`SELECT ev.shop, ev.id FROM designwire.events ev
JOIN ${rows("r", { shop: "text", id: "text" }, found)} USING (shop, id) FOR UPDATE OF ev SKIP LOCKED`
      yield* sql`WITH dropped AS (
  DELETE FROM designwire.events ev USING ${rows("r", { shop: "text", id: "text" }, locked)}
  WHERE ev.shop = r.shop AND ev.id = r.id AND ${unused} RETURNING ev.shop, ev.id, ev.test, ev.position
), noted AS (
  INSERT INTO designwire.dropped_events AS d (shop, position) SELECT x.shop, max(x.position) FROM dropped x WHERE NOT x.test GROUP BY x.shop
  ON CONFLICT (shop) DO UPDATE SET position = greatest(d.position, excluded.position)
)
DELETE FROM designwire.received k USING dropped x WHERE k.shop = x.shop AND k.event_id = x.id`
    }
    const last = part.at(-1)
    return last === undefined || part.length < limit ? null : [last.shop, format(last.createdAt), last.id]
  })

interface EventKey {
  readonly shop: string
  readonly id: string
}

/**
 * The next `limit` events after a position, and whether each still has a delivery. Of a shop's recent events only the
 * first is included, as the step to the next shop.
 */
const oldEvents = (
  sql: SqlClient.SqlClient,
  options: {
    readonly before: Statement.Fragment
    readonly unused: Statement.Fragment
    readonly limit: number
    readonly after: Position
  },
) => {
  const { after, before, limit, unused } = options
  const [shop = "", createdAt = format(0), id = ""] = after
  const next = (position: Statement.Fragment) => sql`(
    SELECT ev.shop, ev.created_at, ev.id FROM designwire.events ev
    WHERE (ev.shop, ev.created_at, ev.id) > (${position}) ORDER BY ev.shop, ev.created_at, ev.id LIMIT 1
  )`
  return sql<EventKey & { readonly createdAt: number; readonly unused: boolean }>`WITH RECURSIVE part AS (
  ${next(sql`${shop}, ${createdAt}::timestamptz, ${id}`)}
  UNION ALL
  SELECT n.* FROM part p CROSS JOIN LATERAL ${next(
    sql`p.shop, CASE WHEN p.created_at < ${before} THEN p.created_at ELSE 'infinity' END, p.id`,
  )} n
)
SELECT ev.shop, ${milliseconds("ev.created_at")} AS "createdAt", ev.id, ev.created_at < ${before} AND ${unused} AS unused
FROM (SELECT * FROM part LIMIT ${limit}::int4) ev`
}

/**
 * Reads the endpoints, and suspends deliveries that may not be sent but are not suspended: those added by a commit
 * while the endpoint was being switched off, or while its shop's plan changed.
 */
const suspendMissed: Part = (sql, { limit }, after) =>
  Effect.gen(function* () {
    const [shop = "", id = ""] = after
    const endpoints = yield* sql<{ shop: string; id: string; off: boolean }>`SELECT e.shop, e.id,
  NOT (${hasWebhooks} AND e.status = 'active') AS off
FROM (
  SELECT e.shop, e.id, e.status FROM designwire.endpoints e WHERE (e.shop, e.id) > (${shop}, ${id}) ORDER BY e.shop, e.id LIMIT ${limit}::int4
) e JOIN designwire.shops s ON s.id = e.shop ORDER BY e.shop, e.id`
    const off = endpoints
      .filter((endpoint) => endpoint.off)
      .map((endpoint) => ({ shop: endpoint.shop, id: endpoint.id }))
    if (off.length > 0) {
      yield* suspend(
        sql,
        sql`(e.shop, e.id) IN (SELECT r.shop, r.id FROM ${rows("r", { shop: "text", id: "text" }, off)})`,
      )
    }
    const last = endpoints.at(-1)
    return last === undefined || endpoints.length < limit ? null : [last.shop, last.id]
  })

/** Folds the counts of orders. Folded rows are gone, so every step starts at the beginning. */
const foldCounts: Part = (sql, { limit }) => Effect.map(fold(sql, { limit }), (folded) => (folded < limit ? null : []))

/** Reads notices from shop to shop, and drops old ones that are settled. */
const dropNotices: Part = (sql, { eventsBefore, limit }, after) => {
  const [shop = "", id = ""] = after
  return sql<{ shop: string; id: string; looked: number }>`WITH part AS MATERIALIZED (
  SELECT n.shop, n.id FROM designwire.notices n WHERE (n.shop, n.id) > (${shop}, ${id}) ORDER BY n.shop, n.id LIMIT ${limit}::int4
), dropped AS (
  DELETE FROM designwire.notices n USING part p
  WHERE n.shop = p.shop AND n.id = p.id AND n.created_at < ${format(eventsBefore)}::timestamptz AND n.next_attempt_at IS NULL
)
SELECT shop, id, (count(*) OVER ())::int4 AS looked FROM part ORDER BY part.shop DESC, part.id DESC LIMIT 1`.pipe(
    Effect.map(([last]) => (last === undefined || last.looked < limit ? null : [last.shop, last.id])),
  )
}

/** Reads the endpoints, and drops old counts of their attempts. */
const dropCounts: Part = (sql, { eventsBefore, limit }, after) => {
  const [shop = "", id = ""] = after
  return sql<{ shop: string; id: string; looked: number }>`WITH part AS MATERIALIZED (
  SELECT e.shop, e.id FROM designwire.endpoints e WHERE (e.shop, e.id) > (${shop}, ${id}) ORDER BY e.shop, e.id LIMIT ${limit}::int4
), dropped AS (
  DELETE FROM designwire.attempt_counts c USING part p
  WHERE c.shop = p.shop AND c.endpoint_id = p.id AND c.hour < ${format(eventsBefore)}::timestamptz
)
SELECT shop, id, (count(*) OVER ())::int4 AS looked FROM part ORDER BY part.shop DESC, part.id DESC LIMIT 1`.pipe(
    Effect.map(([last]) => (last === undefined || last.looked < limit ? null : [last.shop, last.id])),
  )
}

/** Reads the subjects of events from before they were kept. Events with one are passed over. */
const readSubjects: Part = (sql, { limit }) =>
  Effect.map(fillSubjects(sql, limit), (filled) => (filled < limit ? null : []))

/** Reads the shops, and drops old entries of their changes. */
const dropEntries: Part = (sql, { limit, now }, after) => {
  const [shop = ""] = after
  return sql<{ shop: string; looked: number }>`WITH part AS MATERIALIZED (
  SELECT s.id AS shop FROM designwire.shops s WHERE s.id > ${shop} ORDER BY s.id LIMIT ${limit}::int4
), dropped AS (
  DELETE FROM designwire.audit_entries a USING part p
  WHERE a.shop = p.shop AND a.at < ${format(now - auditRetention)}::timestamptz
)
SELECT shop, (count(*) OVER ())::int4 AS looked FROM part ORDER BY part.shop DESC LIMIT 1`.pipe(
    Effect.map(([last]) => (last === undefined || last.looked < limit ? null : [last.shop])),
  )
}

/** Reads the shops, and drops old events of their platforms, with a notice about those that were never applied. */
const dropInbox: Part = (sql, { eventsBefore, limit, now }, after) =>
  Effect.gen(function* () {
    const [shop = ""] = after
    const shops = yield* sql<{ shop: string }>`SELECT s.id AS shop FROM designwire.shops s
WHERE s.id > ${shop} ORDER BY s.id LIMIT ${limit}::int4`
    const lost = yield* sql<InboxEntry & { readonly events: number }>`WITH dropped AS (
  DELETE FROM designwire.inbox i USING ${rows("r", { shop: "text" }, shops)}
  WHERE i.shop = r.shop AND i.received_at < ${format(inboxBefore(eventsBefore))}::timestamptz RETURNING i.*
)
SELECT DISTINCT ON (i.shop) ${inboxColumns}, (count(*) OVER (PARTITION BY i.shop))::int4 AS events
FROM dropped i WHERE i.state IN ('waiting', 'failed') ORDER BY i.shop, i.received_at, i.id`
    const notices = lost.map(({ events, ...oldest }) => droppedOf(events, oldest, now))
    if (notices.length > 0) yield* insertNotices(sql, notices)
    const last = shops.at(-1)
    return last === undefined || shops.length < limit ? null : [last.shop]
  })

/** Drops reports of orders that are not stored when they end. */
const dropUnstored: Part = (sql, { limit, now }) =>
  sql<{ dropped: number }>`WITH dropped AS (
  DELETE FROM designwire.unstored_orders c USING (
    SELECT e.shop, e.id FROM designwire.unstored_orders e WHERE e.until <= ${format(now)}::timestamptz
    ORDER BY e.until LIMIT ${limit}::int4 FOR UPDATE SKIP LOCKED
  ) old WHERE c.shop = old.shop AND c.id = old.id RETURNING 1
)
SELECT count(*)::int4 AS dropped FROM dropped`.pipe(Effect.map(([row]) => ((row?.dropped ?? 0) < limit ? null : [])))

/** Drops answers whose time has ended. */
const dropAnswers: Part = (sql, { limit, now }) =>
  sql<{ dropped: number }>`WITH dropped AS (
  DELETE FROM designwire.kept_answers k USING (
    SELECT a.shop, a.key FROM designwire.kept_answers a WHERE a.until <= ${format(now)}::timestamptz
    ORDER BY a.until LIMIT ${limit}::int4 FOR UPDATE SKIP LOCKED
  ) old WHERE k.shop = old.shop AND k.key = old.key RETURNING 1
)
SELECT count(*)::int4 AS dropped FROM dropped`.pipe(Effect.map(([row]) => ((row?.dropped ?? 0) < limit ? null : [])))

/** Drops marks of sessions whose time has ended. */
const dropMarks: Part = (sql, { limit, now }) =>
  sql<{ dropped: number }>`WITH dropped AS (
  DELETE FROM designwire.settings_marks k USING (
    SELECT m.shop, m.id FROM designwire.settings_marks m WHERE m.until <= ${format(now)}::timestamptz
    ORDER BY m.until LIMIT ${limit}::int4 FOR UPDATE SKIP LOCKED
  ) old WHERE k.shop = old.shop AND k.id = old.id RETURNING 1
)
SELECT count(*)::int4 AS dropped FROM dropped`.pipe(Effect.map(([row]) => ((row?.dropped ?? 0) < limit ? null : [])))

/** Reads removed shops, and drops what concurrent calls have stored afterwards; after a while nothing can follow. */
const purgeRemovedShops: Part = (sql, { eventsBefore, limit }, after) =>
  Effect.gen(function* () {
    const [shop = ""] = after
    yield* sql`DELETE FROM designwire.removed_shops WHERE removed_at < ${format(eventsBefore)}::timestamptz`
    const next = yield* lockRemovedShop(sql, sql`r.shop > ${shop}`)
    if (next === undefined) return null
    const { isEmpty } = yield* dropHoldings(sql, next, limit)
    return [isEmpty ? next : shop]
  })

/** Minutes until proxies no longer route a shop's requests to the cell that it has left. */
const rerouting = 10

/** Reads shops that have moved to other cells, and drops the rows that are left of them. */
const dropMoved: Part = (sql, { limit, now }, after) =>
  Effect.gen(function* () {
    const [shop = ""] = after
    const [next] = yield* sql<{ shop: string }>`SELECT m.shop FROM designwire.moves m
WHERE m.shop > ${shop} AND m.state = 'moved' AND m.at < ${format(now - rerouting * 60_000)}::timestamptz
ORDER BY m.shop LIMIT 1 FOR UPDATE SKIP LOCKED`
    if (next === undefined) return null
    const { isEmpty } = yield* dropHoldings(sql, next.shop, limit)
    if (isEmpty) yield* sql`UPDATE designwire.moves SET state = 'gone' WHERE shop = ${next.shop}`
    return [isEmpty ? next.shop : shop]
  })

const parts: ReadonlyArray<Part> = [
  trimLogs,
  dropEvents,
  suspendMissed,
  dropCounts,
  foldCounts,
  dropNotices,
  dropEntries,
  dropInbox,
  dropUnstored,
  dropAnswers,
  dropMarks,
  readSubjects,
  purgeRemovedShops,
  dropMoved,
]
