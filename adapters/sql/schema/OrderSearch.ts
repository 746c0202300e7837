import type { OrderStatus } from "../../../core/model/orders/Order.ts"

/**
 * The form of an order's name in which a search compares it: `OrderSearch.searchKey` of its JSON. The texts that are
 * searched for in a kept head (`Order.wireHead`) can't be part of an id or a name: quotes within them are escaped.
 * That costs far less than to parse each new head, and never fails.
 */
export const nameKey = (head: string): string =>
  `lower(split_part(split_part(${head}, '","name":"', 2), '","status":"', 1) COLLATE "C")`

/** Whether an order has a status, as a condition on its kept head. */
export const hasStatus = (head: string, status: OrderStatus): string => `strpos(${head}, '","status":"${status}"') > 0`

/**
 * Orders by name, those of one name in page order, and those that were cancelled (D69). The indexes are over the kept
 * head, so that no row is written, orders are read meanwhile, and hosts of the old version need not know of them.
 * Orders are not stored while an index is built: on a large table, build it before with CONCURRENTLY.
 */
export const orderSearch: ReadonlyArray<string> = [
  `CREATE INDEX IF NOT EXISTS orders_by_name
  ON designwire.orders (shop, (${nameKey("head")}), ordered_at DESC, id DESC)`,
  `CREATE INDEX IF NOT EXISTS orders_cancelled ON designwire.orders (shop, ordered_at DESC, id DESC)
  WHERE ${hasStatus("head", "cancelled")}`,
]
