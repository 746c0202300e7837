/** How a change is committed: an order and designs in new versions, with their events, mostly by one statement. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import { format } from "../../../core/model/Instant.ts"
import type { OrderRecord, UnstoredOrder } from "../../../core/model/orders/Order.ts"
import type { OrderLines } from "../../../core/model/orders/OrderLine.ts"
import type { Change, OrderStore } from "../../../core/ports/OrderStore.ts"
import { StaleRevision, type StorageError } from "../../../core/ports/StorageError.ts"
import { insertEntry } from "../audit/Audit.ts"
import { designRows } from "../catalog/DesignRows.ts"
import { eventTables } from "../events/Events.ts"
import { redactionTables } from "../events/Redaction.ts"
import { firstOfOrder } from "../ingest/Inbox.ts"
import { storageError, withoutDefects } from "../statements/Errors.ts"
import { reported, storing } from "../statements/Outcome.ts"
import { inPieces } from "../statements/Pieces.ts"
import { hintFew, rows } from "../statements/Rows.ts"
import { inTransaction, isUndivided, onOwnConnection } from "../statements/Transaction.ts"
import { LockWait } from "../statements/Waits.ts"
import { lineUpAdded } from "../webhooks/Lines.ts"
import type { Signals } from "../webhooks/Signals.ts"
import { makeFolding } from "./OrderCounts.ts"
import { isUnknown, takenReport } from "./UnstoredOrders.ts"

/** A change, or several changes with a new order each. */
type Stored = Omit<Change, "order" | "lines"> & {
  readonly orders: ReadonlyArray<OrderRecord>
  readonly lines?: ReadonlyArray<OrderLines>
}

/** Returns `OrderStore.commit` and `OrderStore.commitOrders`. */
export const makeCommits = (sql: SqlClient.SqlClient, signals: Signals["Service"]) =>
  Effect.map(Effect.all([onOwnConnection(sql), LockWait, makeFolding(sql)]), ([alone, lockWait, foldCounts]) => {
    /**
     * In an embedder's transaction a stale change must not fail the statement: some libraries then end the transaction.
     */
    const commit = Effect.fnUntraced(
      function* (change: Stored, within: boolean) {
        const pieces = piecesOf(change)
        const ownStatement = !within && pieces.length === 1 && change.audit === undefined
        const undivided = yield* isUndivided(sql)
        const stale = sql.literal(ownStatement || undivided ? "designwire.refuse_stale()" : "false")
        let joins = false
        const stored = Effect.fnUntraced(function* (notify: Statement.Fragment) {
          let added = false
          for (const piece of pieces) {
            const statement = store(sql, piece, stale, notify, ownStatement ? lockWait : undefined)
            const [row] = yield* ownStatement ? alone(storing(statement)) : statement
            if (row?.complete !== true) return yield* staleRevision(within)
            added ||= row.added
            joins ||= row.joins
          }
          yield* insertEntry(sql, change.audit)
          return added
        })
        const whole = change.events.length === 0 ? stored(sql`false`) : signals.committing(sql, change.shop, stored)
        yield* ownStatement || undivided ? whole : sql.withTransaction(whole)
        if (joins) yield* lineUpAdded(sql, signals, change.shop)
        const added = change.orders.filter(({ revision }) => revision === 1).length
        if (added > 0) yield* sql.afterCommit(foldCounts(change.shop, added))
      },
      (effect, _, within) =>
        Effect.catch(
          reported(withoutDefects(effect)),
          (error): Effect.Effect<never, StaleRevision | StorageError> =>
            error._tag === "StaleRevision" || isRace(error)
              ? Effect.fail(staleRevision(within))
              : storageError("Storing a change")(error),
        ),
    )

    const stored = (change: Stored) => Effect.flatMap(inTransaction(sql), (within) => commit(change, within))
    const commits: Pick<OrderStore["Service"], "commit" | "commitOrders"> = {
      commit: ({ lines, order, ...change }) =>
        stored({ ...change, orders: order === null ? [] : [order], lines: lines === undefined ? [] : [lines] }),
      commitOrders: (shop, changes) =>
        stored({
          shop,
          designs: changes.flatMap(({ designs }) => designs),
          orders: changes.map(({ order }) => order),
          events: changes.flatMap(({ events }) => events),
          lines: changes.flatMap(({ lines }) => lines ?? []),
          isQuiet: changes.some(({ isQuiet }) => isQuiet === true),
        }),
    }
    return commits
  })

/** The parts of a change that are stored by a statement each: all of it, unless its texts are too long for that. */
const piecesOf = (change: Stored): ReadonlyArray<Stored> => {
  const designs = inPieces(change.designs.toSorted(byId), ({ wire }) => wire.length)
  const events = inPieces(change.events, ({ body }) => body.length)
  if (designs.length <= 1 && events.length <= 1) return [change]
  const { isQuiet = false, shop } = change
  const [first = [], ...others] = designs
  return [
    { ...change, designs: first, events: [] },
    ...others.map((each) => ({ shop, designs: each, orders: [], events: [] })),
    ...events.map((each) => ({ shop, designs: [], orders: [], events: each, isQuiet })),
  ]
}

/** One order everywhere: two changes of the same designs wait for each other in turn, rather than until a deadlock. */
const byId = (left: Pick<DesignRecord, "id">, right: Pick<DesignRecord, "id">): number => (left.id < right.id ? -1 : 1)

/**
 * Stores a change by one statement. Events are written last, so that waiting for another change does not hold back
 * a feed. Returns whether the change was complete, otherwise it is stale, and whether there is something to claim.
 * Evaluates `stale` if it is stale, and `notify` if there is something to claim. Waits `lockWait` milliseconds for
 * locks, or as long as the session does.
 */
const store = (
  sql: SqlClient.SqlClient,
  change: Stored,
  stale: Statement.Fragment,
  notify: Statement.Fragment,
  lockWait: number | undefined,
) => {
  // Every part reads it before it locks a row.
  const waits =
    lockWait === undefined
      ? undefined
      : sql`waits AS MATERIALIZED (SELECT set_config('lock_timeout', ${String(lockWait)}, true))`
  const parts = recordTables(sql, change, sql.literal(waits === undefined ? "" : ", waits"))
  const isComplete = sql.and([
    sql`true`,
    ...parts.map(({ count, name }) => sql`(SELECT count(*) FROM ${sql.literal(name)}) = ${count}::int4`),
  ])
  const tables = [
    ...(waits === undefined ? [] : [waits]),
    ...parts.map(({ tables }) => tables),
    sql`stored AS MATERIALIZED (SELECT CASE WHEN ${isComplete} THEN true ELSE ${stale} END AS complete)`,
    change.events.length === 0
      ? sql`added AS (SELECT NULL::boolean AS joins WHERE false)`
      : eventTables(sql, change, sql`(SELECT complete FROM stored)`),
  ]
  return sql<{ complete: boolean; added: boolean; joins: boolean }>`WITH ${sql.csv(tables)}
SELECT (SELECT complete FROM stored) AS complete, count(*) > 0 AS added,
  coalesce(bool_or(joins), false) AS joins, CASE WHEN count(*) > 0 THEN ${notify} END AS notified FROM added`
}

/** Tables of a `WITH` that store the records of a change, with the expected number of rows of each. */
const recordTables = (
  sql: SqlClient.SqlClient,
  { unstored, designs, inboxItem, lines = [], orders, shop }: Stored,
  waits: Statement.Fragment,
) => {
  const records = designs.toSorted(byId)
  const [order, ...others] = orders
  const fresh = records.filter((record) => record.revision === 1)
  const changed = records.filter((record) => record.revision !== 1)
  return [
    ...(order === undefined
      ? []
      : [
          {
            name: "stored_order",
            tables:
              others.length === 0 ? orderTables(sql, order, unstored, waits) : newOrders(sql, shop, orders, waits),
            count: orders.length,
          },
        ]),
    ...(unstored === undefined ? [] : [{ name: "taken_report", tables: takenReport(sql, unstored), count: 1 }]),
    ...(fresh.length === 0
      ? []
      : [{ name: "new_designs", tables: newDesigns(sql, shop, fresh, waits), count: fresh.length }]),
    ...(changed.length === 0
      ? []
      : [{ name: "changed_designs", tables: changedDesigns(sql, shop, changed, waits), count: changed.length }]),
    ...(lines.length === 0
      ? []
      : [{ name: "stored_lines", tables: storedLines(sql, shop, lines, waits), count: lines.length }]),
    ...(inboxItem === undefined
      ? []
      : [{ name: "stored_event", tables: sql`stored_event AS (${firstOfOrder(sql, inboxItem, waits)})`, count: 1 }]),
  ]
}

/** Stores an order, as `stored_order`. */
const orderTables = (
  sql: SqlClient.SqlClient,
  order: OrderRecord,
  unstored: UnstoredOrder | undefined,
  waits: Statement.Fragment,
) => {
  const at = format(order.orderedAt)
  return order.revision === 1
    ? sql`new_order AS (
  INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision)
  SELECT ${order.shop}, ${order.id}, ${at}::timestamptz, ${order.head}, ${order.etag}, 1 FROM (SELECT) one${waits}
  WHERE ${unstored === undefined ? isUnknown(sql, order) : sql`true`} ON CONFLICT DO NOTHING RETURNING shop, id, ordered_at
), stored_order AS (
  INSERT INTO designwire.uncounted_orders (shop, id, ordered_at) SELECT * FROM new_order RETURNING 1
)`
    : sql`stored_order AS (
  UPDATE designwire.orders SET head = ${order.head}, etag = ${order.etag}, revision = ${order.revision} FROM (SELECT) one${waits}
  WHERE shop = ${order.shop} AND id = ${order.id} AND revision = ${order.revision - 1} RETURNING 1
)`
}

/** Stores several new orders, of which the store has no report, as `stored_order`. */
const newOrders = (
  sql: SqlClient.SqlClient,
  shop: string,
  orders: ReadonlyArray<OrderRecord>,
  waits: Statement.Fragment,
) => {
  const records = orders
    .toSorted(byId)
    .map(({ etag, head, id, orderedAt }) => ({ id, ordered_at: orderedAt, head, etag }))
  const columns = { id: "text", ordered_at: "timestamptz", head: "text", etag: "text" } as const
  return sql`new_orders AS (
  INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision)
  SELECT ${shop}, r.id, r.ordered_at, r.head, r.etag, 1 FROM ${rows("r", columns, records)}${waits}
  WHERE designwire.known_of_order(${shop}, r.id) IS NULL ON CONFLICT DO NOTHING RETURNING shop, id, ordered_at
), stored_order AS (
  INSERT INTO designwire.uncounted_orders (shop, id, ordered_at) SELECT * FROM new_orders RETURNING 1
)`
}

const newDesigns = (
  sql: SqlClient.SqlClient,
  shop: string,
  records: ReadonlyArray<DesignRecord>,
  waits: Statement.Fragment,
) => sql`new_designs AS (
  INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision)
  SELECT ${shop}, r.id, r.status, r.order_id, r.position, r.created_at, r.wire, r.etag, r.revision FROM ${designRows(records)}${waits}
  ON CONFLICT DO NOTHING RETURNING 1
)`

const changedDesigns = (
  sql: SqlClient.SqlClient,
  shop: string,
  records: ReadonlyArray<DesignRecord>,
  waits: Statement.Fragment,
) => sql`changed_designs AS (
  UPDATE designwire.designs d
  SET status = r.status, order_id = r.order_id, position = r.position, created_at = r.created_at, wire = r.wire, etag = r.etag, revision = r.revision, saved_at = now()
  FROM ${designRows(records)}${waits} WHERE d.shop = ${shop} AND d.id = r.id AND d.revision = r.revision - 1
    AND ${hintFew("r.id")} RETURNING 1
)`

const storedLines = (
  sql: SqlClient.SqlClient,
  shop: string,
  orders: ReadonlyArray<OrderLines>,
  waits: Statement.Fragment,
) => {
  const records = orders.map(({ lines, order, parent }) => ({ id: order, parent, lines: JSON.stringify(lines) }))
  return sql`stored_lines AS (
  INSERT INTO designwire.order_lines (shop, order_id, parent, lines)
  SELECT ${shop}, r.id, r.parent, r.lines FROM ${rows("r", { id: "text", parent: "text", lines: "text" }, records)}${waits}
  ON CONFLICT (shop, order_id) DO UPDATE SET parent = excluded.parent, lines = excluded.lines RETURNING 1
)`
}

/** Returns `OrderStore.remove`. */
export const makeRemove =
  (sql: SqlClient.SqlClient): OrderStore["Service"]["remove"] =>
  ({ audit, events, id, revision, shop }) =>
    Effect.flatMap(inTransaction(sql), (within) => {
      const statement = sql<{ removed: boolean }>`WITH removed AS (
  DELETE FROM designwire.designs WHERE shop = ${shop} AND id = ${id} AND revision = ${revision}::int4 RETURNING 1
), ${redactionTables(sql, shop, events, sql`EXISTS (SELECT FROM removed)`)}
SELECT EXISTS (SELECT FROM removed) AS removed, count(*) AS redacted FROM redacted`
      return Effect.filterOrFail(
        withoutDefects(
          sql.withTransaction(
            Effect.tap(statement, ([row]) => (row?.removed === true ? insertEntry(sql, audit) : Effect.void)),
          ),
        ),
        ([row]) => row?.removed === true,
        () => staleRevision(within),
      ).pipe(
        Effect.asVoid,
        Effect.catch(
          (error): Effect.Effect<never, StaleRevision | StorageError> =>
            error._tag === "StaleRevision" || isRace(error)
              ? Effect.fail(staleRevision(within))
              : storageError("Removing a design")(error),
        ),
      )
    })

/** Within a transaction a retry might read the same outdated state. */
const staleRevision = (within: boolean) => new StaleRevision({ canRetry: !within })

/** A stale change, a deadlock, or an outdated snapshot: all are decided again. */
const isRace = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError"
