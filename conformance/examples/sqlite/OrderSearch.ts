import type { DesignRecord, DesignsShown, FoundOrders, ListedOrder, OrderRecord, OrderSearch } from "designwire/ports"
import type { Database } from "./Database.ts"

/** Searches for the beginning of a text look at this many orders, by id and by name: `searchReach` of the port. */
const reach = 1_000

/** Greater than every id or name that begins with the text before it. */
const highest = "\u{10ffff}".repeat(255)

const head = "json_extract(record, '$.head') || ']}'"

/** As the index `orders_by_name` has it. SQLite's `lower` changes letters of ASCII alone. */
const nameKey = `lower(iif(json_valid(${head}), json_extract(${head}, '$.name'), NULL))`

/** The orders that a search finds, newest first. */
export const searchOrders = (database: Database, query: OrderSearch): FoundOrders => {
  const { after, exact = false, from, limit, shop, status, text, until } = query
  const [fitting, isCut] = text === null || exact ? [null, false] : fittingIds(database, shop, text)
  const whole = exact ? text : null
  const found = database.records<OrderRecord>(
    `SELECT record FROM orders WHERE shop = ? AND ordered_at >= ? AND ordered_at < ? AND (ordered_at, id) < (?, ?)
     AND (? IS NULL OR json_extract(${head}, '$.status') = ?) AND (? IS NULL OR id IN (SELECT value FROM json_each(?)))
     AND (? IS NULL OR id = ? OR ${nameKey} = lower(?))
     ORDER BY ordered_at DESC, id DESC LIMIT ?`,
    ...[shop, from ?? -1e15, until ?? 1e15, after?.orderedAt ?? 1e15, after?.id ?? "", status, status],
    ...[fitting, fitting, whole, whole, whole, limit + 1],
  )
  const page = found.slice(0, limit)
  const last = found.length > page.length ? page.at(-1) : undefined
  return {
    orders: page.map((order) => listedOrder(database, order, query.designs)),
    next: last === undefined ? null : { orderedAt: last.orderedAt, id: last.id },
    isCut,
  }
}

/** The ids of orders whose id or name begins with a text, as JSON, and whether there are more. */
const fittingIds = (database: Database, shop: string, text: string): [string, boolean] => {
  const texts = [text, text + highest]
  const numbered = database.all<{ readonly id: string }>(
    `SELECT id FROM orders WHERE shop = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?`,
    ...[shop, ...texts, reach + 1],
  )
  const named = database.all<{ readonly id: string }>(
    `SELECT id FROM orders WHERE shop = ? AND ${nameKey} >= lower(?) AND ${nameKey} < lower(?)
     ORDER BY ${nameKey}, ordered_at DESC, id DESC LIMIT ?`,
    ...[shop, ...texts, reach + 1],
  )
  const ids = [...numbered.slice(0, reach), ...named.slice(0, reach)].map(({ id }) => id)
  return [JSON.stringify(ids), numbered.length > reach || named.length > reach]
}

/** An order with some of its designs. */
export const listedOrder = (database: Database, order: OrderRecord, shown: DesignsShown): ListedOrder => {
  const total = database.first<{ readonly total: number }>(
    "SELECT count(*) AS total FROM designs WHERE shop = ? AND order_id = ?",
    ...[order.shop, order.id],
  )
  const designs = database.records<DesignRecord>(
    "SELECT record FROM designs WHERE shop = ? AND order_id = ? ORDER BY position LIMIT ? OFFSET ?",
    ...[order.shop, order.id, shown.limit, shown.skip],
  )
  return {
    order,
    total: total?.total ?? 0,
    designs: designs.map(({ id, wire }) => ({ id, wire: Buffer.byteLength(wire) > shown.bytes ? null : wire })),
  }
}
