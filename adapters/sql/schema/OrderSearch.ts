/** A string within JSON, with its escapes. */
const string = String.raw`(?:[^"\\]|\\.)*`

/** The name of an order in its kept head (`Order.wireHead`), with the escapes of JSON. */
const name = (head: string): string => `substring(${head} from '^\\{"id":"${string}","name":"(${string})"')`

/**
 * The form of an order's name in which a search compares it: `OrderSearch.searchKey` of its JSON. A head is read by its
 * beginning alone, which costs less than to parse it, and never fails.
 */
export const nameKey = (head: string): string => `lower(${name(head)} COLLATE "C")`

/** The status of an order. */
export const statusOf = (head: string): string =>
  `substring(${head} from '^\\{"id":"${string}","name":"${string}","status":"([a-z]+)"')`

/**
 * Orders by name, and those that were cancelled (D69). The indexes are over what the head says, so that no row is
 * written, orders are read meanwhile, and the old version's hosts need not know of it. Orders are not stored while an
 * index is built: on a large table, build it before with CONCURRENTLY.
 */
export const orderSearch: ReadonlyArray<string> = [
  `CREATE INDEX IF NOT EXISTS orders_by_name ON designwire.orders (shop, (${nameKey("head")}), id)`,
  `CREATE INDEX IF NOT EXISTS orders_cancelled ON designwire.orders (shop, ordered_at DESC, id DESC) WHERE ${statusOf("head")} = 'cancelled'`,
]
