import { isDeepStrictEqual } from "node:util"
import { DeliveryState } from "designwire"
import {
  type Change,
  type DesignRecord,
  type DesignsPage,
  type DesignsQuery,
  type EndpointRecord,
  type EventRecord,
  type OrderRecord,
  OrderStore,
  type Removal,
  type Shop,
  StaleRevision,
  type UnstoredOrder,
  type Withdrawal,
} from "designwire/ports"
import { Effect, Option } from "effect"
import { addEntry } from "./Audit.ts"
import type { Database } from "./Database.ts"
import { addDelivery, addEvent } from "./Deliveries.ts"
import { redactEvents } from "./Events.ts"
import type { Host } from "./Host.ts"
import { ignoreCancellations, isFirstOfOrder, putItem } from "./Inbox.ts"
import { listedOrder, searchOrders } from "./OrderSearch.ts"

/** Designs and orders. */
export const makeOrders = (host: Host): OrderStore["Service"] => {
  const { database } = host
  const attempt = <A>(what: string, run: () => A | undefined) =>
    database.attempt(what, () => Option.fromUndefinedOr(run()))
  return OrderStore.of({
    commit: (change) =>
      Effect.flatMap(
        database.attempt("Storing a change", () => storeChanges(database, [change])),
        (made) => {
          if (made === undefined) return Effect.fail(new StaleRevision({ canRetry: true }))
          return Effect.sync(() => made > 0 && host.wake([change.shop]))
        },
      ),
    commitOrders: (shop, orders) =>
      Effect.flatMap(
        database.attempt("Storing orders", () =>
          storeChanges(
            database,
            orders.map((order) => ({ ...order, shop })),
          ),
        ),
        (made) => {
          if (made === undefined) return Effect.fail(new StaleRevision({ canRetry: true }))
          return Effect.sync(() => made > 0 && host.wake([shop]))
        },
      ),
    remove: (removal) =>
      Effect.flatMap(
        database.attempt("Removing a design", () => removeDraft(database, removal)),
        (isRemoved) => (isRemoved ? Effect.void : Effect.fail(new StaleRevision({ canRetry: true }))),
      ),
    unstoredOrder: (shop, id) => attempt("Reading a report", () => unstoredOf(database, shop, id)),
    keepUnstored: (report, now) =>
      database.attempt("Keeping a report", () => Option.fromUndefinedOr(keepUnstored(database, report, now))),
    withdrawCancellation: (withdrawal) =>
      database.attempt("Taking back a cancellation", () => withdrawCancellation(database, withdrawal)),
    storedOf: (shop, ids) =>
      database.attempt("Looking for orders", () => ids.filter((id) => orderWith(database, shop, id) !== undefined)),
    designs: (shop, ids) => database.attempt("Reading designs", () => designsWith(database, shop, ids)),
    order: (shop, id) =>
      attempt("Reading an order", () => {
        const order = orderWith(database, shop, id)
        return order && { order, designs: designsOf(database, shop, id) }
      }),
    readDesign: (shop, id) =>
      attempt("Reading a design", () => {
        const [design] = designsWith(database, shop, [id])
        return design && { wire: design.wire, etag: design.etag }
      }),
    hasDesign: (shop, id) =>
      database.attempt(
        "Looking for a design",
        () => database.first("SELECT 1 FROM designs WHERE shop = ? AND id = ?", shop, id) !== undefined,
      ),
    readOrders: (query) => database.attempt("Reading orders", () => readPage(database, query)),
    readDesigns: (query) => database.attempt("Reading designs", () => designsPage(database, query)),
    search: (query) => database.attempt("Searching orders", () => searchOrders(database, query)),
    listed: (shop, id, designs) =>
      attempt("Reading an order", () => {
        const order = orderWith(database, shop, id)
        return order && listedOrder(database, order, designs)
      }),
    latestOrderedDesign: (shop) => attempt("Reading the latest design", () => latestOrdered(database, shop)?.wire),
  })
}

const designsPage = (database: Database, { after, bytes, createdFrom, limit, shop }: DesignsQuery): DesignsPage => {
  const found = database.records<DesignRecord>(
    `SELECT record FROM designs WHERE shop = ? AND id > ? AND json_extract(record, '$.createdAt') >= ?
     ORDER BY id LIMIT ?`,
    ...[shop, after ?? "", createdFrom ?? -1e15, limit + 1],
  )
  const designs: Array<Pick<DesignRecord, "id" | "wire">> = []
  let left = bytes
  for (const { id, wire } of found.slice(0, limit)) {
    left -= Buffer.byteLength(wire)
    if (left < 0 && designs.length > 0) break
    designs.push({ id, wire })
  }
  return { designs, next: found.length > designs.length ? (designs.at(-1)?.id ?? null) : null }
}

const designsWith = (database: Database, shop: string, ids: ReadonlyArray<string>) =>
  database.records<DesignRecord>(
    "SELECT record FROM designs WHERE shop = ? AND id IN (SELECT value FROM json_each(?))",
    shop,
    JSON.stringify(ids),
  )

const designsOf = (database: Database, shop: string, order: string) =>
  database.records<DesignRecord>(
    "SELECT record FROM designs WHERE shop = ? AND order_id = ? ORDER BY position",
    shop,
    order,
  )

const latestOrdered = (database: Database, shop: string) =>
  database.record<DesignRecord>(
    `SELECT d.record FROM orders o JOIN designs d ON d.shop = o.shop AND d.order_id = o.id AND d.status = 'ordered'
     WHERE o.shop = ? ORDER BY o.ordered_at DESC, o.id DESC, d.position LIMIT 1`,
    shop,
  )

const orderWith = (database: Database, shop: string, id: string) =>
  database.record<OrderRecord>("SELECT record FROM orders WHERE shop = ? AND id = ?", shop, id)

const unstoredOf = (database: Database, shop: string, id: string): UnstoredOrder | undefined => {
  const row = database.first<{ readonly cancelled: number; readonly empty: number; readonly until: number }>(
    "SELECT cancelled, empty, until FROM unstored_orders WHERE shop = ? AND id = ?",
    shop,
    id,
  )
  return row && { shop, id, isCancelled: row.cancelled === 1, isEmpty: row.empty === 1, until: row.until }
}

/** Keeps the report of an order, unless the order is stored. */
const keepUnstored = (database: Database, report: UnstoredOrder, now: number): UnstoredOrder | undefined => {
  const { id, shop, until } = report
  if (orderWith(database, shop, id) !== undefined) return undefined
  const before = unstoredOf(database, shop, id)
  const still = before !== undefined && before.until > now ? before : undefined
  const isCancelled = report.isCancelled || still?.isCancelled === true
  const isEmpty = report.isEmpty || still?.isEmpty === true
  const sql = "INSERT OR REPLACE INTO unstored_orders VALUES (?, ?, ?, ?, ?)"
  database.run(sql, shop, id, isCancelled ? 1 : 0, isEmpty ? 1 : 0, until)
  return { shop, id, isCancelled, isEmpty, until }
}

/** Takes back a cancellation, unless the order is stored. Returns whether there was one. */
const withdrawCancellation = (database: Database, { audit, id, now, reason, shop }: Withdrawal): boolean => {
  if (orderWith(database, shop, id) !== undefined) return false
  const report = unstoredOf(database, shop, id)
  const key = [shop, id] as const
  database.run("DELETE FROM unstored_orders WHERE shop = ? AND id = ? AND NOT empty", ...key)
  database.run("UPDATE unstored_orders SET cancelled = 0 WHERE shop = ? AND id = ?", ...key)
  const ignored = ignoreCancellations(database, shop, id, reason)
  const isWithdrawn = ignored > 0 || (report?.isCancelled === true && now < report.until)
  if (isWithdrawn) addEntry(database, audit)
  return isWithdrawn
}

type PageQuery = Parameters<OrderStore["Service"]["readOrders"]>[0]

const readPage = (database: Database, { after, bytes, limit, orderedAfter, shop }: PageQuery) => {
  const since = orderedAfter ?? -1e15
  const found = database.records<OrderRecord>(
    `SELECT record FROM orders WHERE shop = ? AND ordered_at >= ? AND (ordered_at, id) < (?, ?)
     ORDER BY ordered_at DESC, id DESC LIMIT ?`,
    shop,
    since,
    after?.orderedAt ?? 1e15,
    after?.id ?? "",
    limit + 1,
  )
  const page: Array<{ readonly wire: string; readonly etag: string }> = []
  let left = bytes
  for (const order of found.slice(0, limit)) {
    const designs = designsOf(database, shop, order.id).map(({ wire }) => wire)
    const wire = `${order.head}${designs.join(",")}]}`
    left -= Buffer.byteLength(wire)
    if (left < 0 && page.length > 0) break
    page.push({ wire, etag: order.etag })
  }
  const last = found[page.length - 1]
  const next = last !== undefined && page.length < found.length ? { orderedAt: last.orderedAt, id: last.id } : null
  const counted = "SELECT count(*) AS total FROM orders WHERE shop = ? AND ordered_at >= ?"
  return { orders: page, total: database.first<{ total: number }>(counted, shop, since)?.total ?? 0, next }
}

/** Stores changes of different records and returns the number of deliveries; `undefined` if one of them is stale. */
const storeChanges = (database: Database, changes: ReadonlyArray<Change>): number | undefined =>
  changes.some((change) => isStaleChange(database, change))
    ? undefined
    : changes.reduce((made, change) => made + storeChange(database, change), 0)

const isStaleChange = (database: Database, { designs, inboxItem, order, shop, unstored }: Change): boolean =>
  (inboxItem !== undefined && !isFirstOfOrder(database, inboxItem)) ||
  designs.some((design) => isStale(database, "designs", design)) ||
  (order !== null && isStale(database, "orders", order)) ||
  !isDeepStrictEqual(order === null ? unstored : unstoredOf(database, shop, order.id), unstored)

/** Stores a change that is not stale and returns the number of deliveries it made. */
const storeChange = (database: Database, { audit, designs, events, inboxItem, order, shop }: Change): number => {
  for (const design of designs) putDesign(database, design)
  if (order !== null) putOrder(database, order)
  if (order !== null) database.run("DELETE FROM unstored_orders WHERE shop = ? AND id = ?", shop, order.id)
  if (inboxItem !== undefined) putItem(database, inboxItem)
  addEntry(database, audit)
  return deliver(database, shop, events)
}

/** Removes a draft and redacts its events. Returns whether it was there, with the expected revision. */
const removeDraft = (database: Database, { audit, events, id, revision, shop }: Removal): boolean => {
  const sql = "DELETE FROM designs WHERE shop = ? AND id = ? AND revision = ?"
  if (database.run(sql, shop, id, revision) === 0) return false
  redactEvents(database, shop, events)
  addEntry(database, audit)
  return true
}

const isStale = (
  database: Database,
  table: "designs" | "orders",
  { id, revision, shop }: Pick<OrderRecord, "shop" | "id" | "revision">,
): boolean => {
  const sql = `SELECT revision FROM ${table} WHERE shop = ? AND id = ?`
  return revision !== 1 + (database.first<{ revision: number }>(sql, shop, id)?.revision ?? 0)
}

const putDesign = (database: Database, design: DesignRecord): void => {
  const { id, orderId, position, revision, shop, status } = design
  const sql = "INSERT OR REPLACE INTO designs VALUES (?, ?, ?, ?, ?, ?, ?)"
  database.run(sql, shop, id, revision, status, orderId, position, JSON.stringify(design))
}

const putOrder = (database: Database, order: OrderRecord): void => {
  const { id, orderedAt, revision, shop } = order
  const sql = "INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?, ?)"
  database.run(sql, shop, id, orderedAt, revision, JSON.stringify(order))
}

/** Keeps events and adds a delivery for each endpoint that takes them. Returns the number of deliveries. */
const deliver = (database: Database, shopId: string, events: ReadonlyArray<EventRecord>): number => {
  const shop = database.record<Shop>("SELECT record FROM shops WHERE id = ?", shopId)
  const endpoints = database.records<EndpointRecord>("SELECT record FROM endpoints WHERE shop = ?", shopId)
  let made = 0
  for (const event of events) {
    addEvent(database, event)
    for (const endpoint of endpoints) {
      if (shop === undefined || !DeliveryState.isFor(event, endpoint, shop)) continue
      const id = DeliveryState.deliveryId(event.id, endpoint.id)
      addDelivery(database, DeliveryState.pendingDelivery(id, event, endpoint, event.createdAt))
      made++
    }
  }
  return made
}
