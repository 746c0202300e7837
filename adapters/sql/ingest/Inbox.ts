import { Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import {
  bodiesSearched,
  type InboxEntry,
  type InboxItem,
  type InboxSettlement,
  isDone,
  type OrderProgress,
  saysLater,
} from "../../../core/model/ingest/InboxItem.ts"
import { InboxStates } from "../../../core/model/ingest/InboxView.ts"
import { Inbox, type InboxQuery, type InboxSize, type InboxStep } from "../../../core/ports/Inbox.ts"
import { changeWithin, type Marking } from "../statements/ChangeWithin.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import { storing } from "../statements/Outcome.ts"
import { fitting, milliseconds } from "../statements/Rows.ts"
import { as } from "../statements/Table.ts"
import { inLane, inTransaction, undividedTransaction } from "../statements/Transaction.ts"
import { LockWait } from "../statements/Waits.ts"
import { inboxColumns } from "./InboxColumns.ts"
import { platformMethods } from "./Platforms.ts"
import { raise, trouble } from "./Trouble.ts"

/** `Inbox` over SQL. */
export const layerInbox: Layer.Layer<Inbox, never, SqlClient.SqlClient> = Layer.effect(
  Inbox,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Inbox.of({
      ...platformMethods(sql),
      put: (item) => put(sql, item).pipe(mapped("Keeping an event of a platform")),
      apply: (shop, id, change, isByHand = false) =>
        Effect.flatMap(Effect.all([inTransaction(sql), LockWait]), ([within, lockWait]) =>
          changeWithin(
            sql,
            "Applying an event of a platform",
            (marked) => apply(sql, { shop, id, change, isByHand, marked, lockWait: within ? undefined : lockWait }),
            (statements) => (within ? sql.withTransaction(statements) : undividedTransaction(sql, statements)),
          ),
        ),
      find: (shop, id) =>
        sql<InboxEntry>`SELECT ${inboxColumns} FROM designwire.inbox i WHERE i.shop = ${shop} AND i.id = ${id}`.pipe(
          Effect.map(([row]) => Option.fromUndefinedOr(row)),
          mapped("Reading an event of a platform"),
        ),
      list: (query) => list(sql, query).pipe(mapped("Reading events of a platform")),
      waiting: (page) =>
        inLane(sql, "upkeep")(waiting(sql, page)).pipe(mapped("Looking for shops with events to apply")),
      ready: (step) => inLane(sql, "upkeep")(ready(sql, step)).pipe(mapped("Looking for events to apply")),
      size: (shop) => size(sql, shop).pipe(mapped("Measuring events of a platform")),
      trouble: (shop, now) => trouble(sql, shop, now).pipe(mapped("Counting events of a platform")),
      raise: (step) => inLane(sql, "upkeep")(raise(sql, step)).pipe(mapped("Raising notices about events")),
      known: (shop, source, contents) =>
        sql<{ content: string }>`SELECT i.content FROM designwire.inbox i
WHERE i.shop = ${shop} AND i.source = ${source} AND i.content = ANY(${contents}::text[])`.pipe(
          Effect.map((rows) => rows.map(({ content }) => content)),
          mapped("Looking for events of a platform"),
        ),
      placed: ({ after, limit, shop, source }) =>
        inLane(
          sql,
          "upkeep",
        )(
          sql<{ id: string }>`SELECT DISTINCT i.order_id AS id FROM designwire.inbox i
WHERE i.shop = ${shop} AND i.source = ${source} AND i.order_id > ${after ?? ""} AND i.change = 'place'
  AND i.state = 'applied' ORDER BY 1 LIMIT ${limit}::int4`,
        ).pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          mapped("Looking for orders of a platform"),
        ),
      erase: (shop, orders, reason) =>
        orders.length === 0
          ? Effect.void
          : sql
              .withTransaction(
                sql`UPDATE designwire.inbox SET body = NULL, state = 'ignored', reason = ${reason}, design_id = NULL
WHERE shop = ${shop} AND order_id = ANY(${orders}::text[]) AND body IS NOT NULL`,
              )
              .pipe(Effect.asVoid, mapped("Erasing events of a platform")),
    }),
  ),
)

/** A conflict with an event that is being stored waits for its commit; the second statement then sees it. */
const put = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, item: InboxItem) {
  const stored = yield* insertOne(sql, item)
  if (stored !== undefined) return stored
  const [found] = yield* sql<InboxEntry & { returns: boolean }>`SELECT ${inboxColumns},
  ${isReturn(sql, item)} AS returns FROM designwire.inbox i
WHERE i.shop = ${item.shop} AND i.source = ${item.source} AND (i.event_id = ${item.eventId} OR i.content = ${item.content})
ORDER BY i.event_id = ${item.eventId} DESC NULLS LAST, i.id LIMIT 1`
  if (found === undefined) return item
  const { returns, ...kept } = found
  // The same event may have been stored meanwhile.
  if (returns) return (yield* insertOne(sql, { ...item, content: null })) ?? kept
  return saysLater(item, kept) ? ((yield* triggeredLater(sql, kept, item)) ?? kept) : kept
})

/** Gives an event the later time at which the platform has said the same. */
const triggeredLater = (sql: SqlClient.SqlClient, { id, shop }: InboxEntry, { triggeredAt }: InboxItem) =>
  Effect.map(
    storing(sql<InboxEntry>`UPDATE designwire.inbox i
SET triggered_at = greatest(i.triggered_at, ${instant(triggeredAt)}::timestamptz)
WHERE i.shop = ${shop} AND i.id = ${id} RETURNING ${inboxColumns}`),
    ([stored]) => stored,
  )

const insertOne = (sql: SqlClient.SqlClient, item: InboxItem) =>
  Effect.map(
    storing(sql<InboxEntry>`${insertItem(sql, item, sql`true`)} RETURNING ${inboxColumns}`),
    ([stored]) => stored,
  )

/** Whether an event says of its order what an earlier one, `i`, said, after another one has said something else. */
const isReturn = (sql: SqlClient.SqlClient, { eventId, triggeredAt }: InboxItem) =>
  sql`(${eventId}::text IS NOT NULL AND i.event_id IS DISTINCT FROM ${eventId} AND EXISTS (
    SELECT FROM designwire.inbox o WHERE o.shop = i.shop AND o.order_id = i.order_id AND o.source = i.source
      AND o.content IS DISTINCT FROM i.content AND o.modified_at = i.modified_at
      AND o.triggered_at < ${instant(triggeredAt)}::timestamptz
      AND (i.triggered_at IS NULL OR o.triggered_at >= i.triggered_at)
  ))`

const insertItem = (
  sql: SqlClient.SqlClient,
  item: InboxItem,
  condition: Statement.Fragment,
  waits: Statement.Fragment = sql``,
) => {
  const body = isDone(item.state) ? null : item.body
  return sql`INSERT INTO designwire.inbox AS i (shop, id, source, topic, event_id, order_id,
  change, modified_at, triggered_at, content, property, received_at, body, state, reason, design_id)
SELECT ${item.shop}, ${item.id}, ${item.source}, ${item.topic}, ${item.eventId}, ${item.orderId}, ${item.change},
  ${instant(item.modifiedAt)}::timestamptz, ${instant(item.triggeredAt)}::timestamptz, ${item.content}, ${item.property}, ${format(item.receivedAt)}::timestamptz,
  ${body}, ${item.state}, ${item.reason}, ${item.designId} FROM (SELECT) one${waits} WHERE ${condition}
ON CONFLICT DO NOTHING`
}

/**
 * Stores an event, together with the new order that it brings, unless there is another event of its order and source.
 * One that is applied at the same time changes the order, or a report of it, or nothing: if it changes something, the
 * commit of one of them is stale.
 */
export const firstOfOrder = (sql: SqlClient.SqlClient, item: InboxItem, waits: Statement.Fragment) =>
  sql`${insertItem(
    sql,
    item,
    sql`NOT EXISTS (
    SELECT FROM designwire.inbox o WHERE o.shop = ${item.shop} AND o.order_id = ${item.orderId} AND o.source = ${item.source}
  )`,
    waits,
  )} RETURNING 1`

const instant = (value: Instant | null): string | null => (value === null ? null : format(value))

/**
 * Carries out a change within a transaction, and stores the outcome in the same one, last: an open transaction that
 * has written holds back the feeds. A lock of the order is held until then.
 */
const apply = Effect.fnUntraced(function* <E, R>(
  sql: SqlClient.SqlClient,
  options: {
    readonly shop: string
    readonly id: string
    readonly change: (item: InboxItem, progress: OrderProgress) => Effect.Effect<InboxSettlement, E, R>
    readonly isByHand: boolean
    readonly marked: Marking<E>
    /** Milliseconds that the transaction waits for locks; not given if it is another one's. */
    readonly lockWait: number | undefined
  },
) {
  const { change, id, isByHand, lockWait, marked, shop } = options
  const setting = lockWait === undefined ? sql`` : sql`set_config('lock_timeout', ${String(lockWait)}, true)`
  yield* sql`WITH waits AS MATERIALIZED (SELECT ${setting})
SELECT pg_advisory_xact_lock(
  hashtextextended('designwire.inbox ' || i.shop || ' ' || coalesce(i.order_id, i.id), 7361950051)) IS NULL AS locked
FROM waits, designwire.inbox i WHERE i.shop = ${shop} AND i.id = ${id}`
  // By a statement of its own, which sees what was committed before the lock was free.
  const [row] = yield* sql<InboxEntry & { body: string | null } & OrderProgress>`SELECT ${inboxColumns}, i.body, p.*
FROM designwire.inbox i CROSS JOIN LATERAL (${orderProgress}) p WHERE i.shop = ${shop} AND i.id = ${id}`
  if (row === undefined) return Option.none<InboxEntry>()
  const { body, cancelledAt, cancelledTriggeredAt, isCancelled, placedAt, placedState, placedTriggeredAt, ...entry } =
    row
  if (body === null || (isDone(entry.state) && !isByHand)) return Option.some(entry)
  const progress = { placedAt, placedTriggeredAt, placedState, isCancelled, cancelledAt, cancelledTriggeredAt }
  const settlement = yield* marked(change({ ...entry, body }, progress))
  yield* endOthers(sql, entry, settlement)
  const { designId, keepsBody = false, modifiedAt = null, reason, state } = settlement
  const [settled] = yield* sql<InboxEntry>`UPDATE designwire.inbox i SET state = ${state}, reason = ${reason},
  design_id = ${designId}, body = CASE WHEN ${isDone(state) && !keepsBody}::bool THEN NULL ELSE i.body END,
  modified_at = coalesce(i.modified_at, ${instant(modifiedAt)}::timestamptz)
WHERE i.shop = ${shop} AND i.id = ${id} RETURNING ${inboxColumns}`
  return Option.fromUndefinedOr(settled)
})

/** Ends what an event settles of the others of its order. */
const endOthers = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, orderId, shop, source }: InboxEntry,
  { ends, lifts, retries = false }: InboxSettlement,
) {
  const others = sql`o.shop = ${shop} AND o.order_id = ${orderId} AND o.source = ${source} AND o.id <> ${id}`
  if (ends !== undefined) {
    yield* sql`UPDATE designwire.inbox o SET state = 'ignored', reason = ${ends}, design_id = NULL, body = NULL
WHERE ${others} AND o.change = 'place'
  AND (o.state IN ('unpaid', 'failed') OR o.state = 'waiting' AND o.design_id IS NOT NULL)`
  }
  if (retries) {
    yield* sql`UPDATE designwire.inbox o SET state = 'waiting', design_id = NULL
WHERE ${others} AND o.change = 'place' AND o.state IN ('unpaid', 'failed')`
  }
  if (lifts !== undefined) {
    yield* sql`UPDATE designwire.inbox o SET state = 'ignored', reason = ${lifts}, content = NULL
WHERE ${others} AND o.change = 'cancel' AND o.state = 'applied'`
    yield* sql`UPDATE designwire.unstored_orders SET cancelled = false WHERE shop = ${shop} AND id = ${orderId}`
  }
})

const isPlaced = "o.change = 'place' AND (o.state <> 'waiting' OR o.design_id IS NOT NULL)"
const isCancelled = "o.change = 'cancel' AND o.state = 'applied'"

const newestFirst = "o.modified_at DESC NULLS LAST, o.triggered_at DESC NULLS LAST"

/** A column of the newest of some events of a table `o`. Of events of one time, the last to come counts. */
const ofNewest = (column: string, condition: string): string =>
  `(array_agg(o.${column} ORDER BY ${newestFirst}, o.id DESC) FILTER (WHERE ${condition}))[1]`

const triggeredOf = (condition: string) => milliseconds(ofNewest("triggered_at", condition))

/** The progress of the order of an event of a table `i`, through events of the same source. */
const orderProgress = fixed(`SELECT
  ${as(milliseconds(`max(o.modified_at) FILTER (WHERE ${isPlaced})`), "placedAt")},
  ${as(triggeredOf(isPlaced), "placedTriggeredAt")},
  ${as(ofNewest("state", `${isPlaced} AND o.modified_at IS NOT NULL`), "placedState")},
  ${as(`count(*) FILTER (WHERE ${isCancelled}) > 0`, "isCancelled")},
  ${as(milliseconds(`max(o.modified_at) FILTER (WHERE ${isCancelled})`), "cancelledAt")},
  ${as(triggeredOf(isCancelled), "cancelledTriggeredAt")}
FROM designwire.inbox o WHERE o.shop = i.shop AND o.order_id = i.order_id AND o.source = i.source`)

const list = (sql: SqlClient.SqlClient, { after, bytes, from, limit, order, saying, shop, state }: InboxQuery) =>
  sql<InboxEntry>`SELECT ${inboxColumns} FROM (${fitting(
    sql,
    sql`SELECT i.*, ${textBytes} AS bytes FROM ${saying === undefined ? fixed("designwire.inbox") : newestOf(sql, shop)} i WHERE ${sql.and(
      [
        sql`i.shop = ${shop}`,
        ...(state === null ? [] : [sql`i.state = ${state}`]),
        ...(order === undefined ? [] : [sql`i.order_id = ${order}`]),
        ...(saying === undefined
          ? []
          : [sql`EXISTS (SELECT FROM unnest(${saying}::text[]) s(part) WHERE position(s.part IN i.body) > 0)`]),
        ...(from === undefined ? [] : [sql`i.id >= ${from}`]),
        ...(after === null ? [] : [sql`i.id < ${after}`]),
      ],
    )} ORDER BY i.id DESC LIMIT ${limit}::int4`,
    fixed("id DESC"),
    bytes,
  )}) i ORDER BY i.id DESC`

/** The newest events of each state, whose bodies may be searched. */
const newestOf = (sql: SqlClient.SqlClient, shop: string) =>
  sql`(SELECT n.* FROM unnest(${InboxStates.literals}::text[]) s(state) CROSS JOIN LATERAL (
    SELECT * FROM designwire.inbox i WHERE i.shop = ${shop} AND i.state = s.state ORDER BY i.id DESC
    LIMIT ${bodiesSearched}::int4
  ) n)`

/** The lengths of texts are known without reading them. The body is not read. */
const textBytes = fixed(
  ["topic", "event_id", "order_id", "design_id", "property", "reason"]
    .map((column) => `coalesce(octet_length(i.${column}), 0)`)
    .join(" + "),
)

/** Goes from shop to shop by the index of waiting events, without reading the others. */
const waiting = (
  sql: SqlClient.SqlClient,
  { after, limit }: { readonly after: string | null; readonly limit: number },
) => {
  const next = (position: Statement.Fragment) => sql`(
    SELECT i.shop FROM designwire.inbox i WHERE i.state = 'waiting' AND i.shop > ${position} ORDER BY i.shop LIMIT 1
  )`
  return Effect.map(
    sql<{ shop: string }>`WITH RECURSIVE shops AS (
  ${next(sql`${after ?? ""}`)} UNION ALL SELECT n.shop FROM shops s CROSS JOIN LATERAL ${next(sql`s.shop`)} n
)
SELECT shop FROM shops LIMIT ${limit}::int4`,
    (rows) => rows.map(({ shop }) => shop),
  )
}

const ready = (
  sql: SqlClient.SqlClient,
  { after, limit, shop }: { readonly shop: string; readonly after: string | null; readonly limit: number },
): Effect.Effect<InboxStep, SqlError.SqlError> =>
  Effect.map(
    sql<{ id: string; ready: boolean }>`SELECT p.id, p.design_id IS NULL OR EXISTS (
  SELECT FROM designwire.designs d WHERE d.shop = p.shop AND d.id = p.design_id
) AS ready FROM (
  SELECT i.shop, i.id, i.design_id FROM designwire.inbox i
  WHERE i.state = 'waiting' AND i.shop = ${shop} AND i.id > ${after ?? ""} ORDER BY i.id LIMIT ${limit}::int4
) p ORDER BY p.id`,
    (rows) => ({
      found: rows.filter((row) => row.ready).map(({ id }) => id),
      after: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
    }),
  )

/** The length of a body is known without reading it, also if it is compressed. */
const size = (sql: SqlClient.SqlClient, shop: string) =>
  Effect.map(
    sql<InboxSize>`SELECT (SELECT count(*)::int4 FROM designwire.inbox i WHERE i.shop = ${shop}) AS events,
  (SELECT coalesce(sum(octet_length(i.body)), 0)::float8 FROM designwire.inbox i
    WHERE i.shop = ${shop} AND i.state IN ('waiting', 'failed', 'unpaid', 'ignored')) AS bytes`,
    ([row]) => row ?? { events: 0, bytes: 0 },
  )
