/** Orders by name, id, status and time, each with some of its designs. */

import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import {
  type DesignsShown,
  type ListedDesign,
  type ListedOrder,
  type OrderSearch,
  searchReach,
} from "../../../core/model/orders/OrderSearch.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { type OrderRow, order, orderColumns } from "../catalog/DesignRows.ts"
import { hasStatus, nameKey } from "../schema/LaterMigrations.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"

/** An order with one of its designs; `designId` is null if none is shown. */
interface ListedRow extends OrderRow {
  readonly total: number
  readonly designId: string | null
  readonly designWire: string | null
}

/** An id or a name that begins with a text is less than the text with this behind it. */
const highest = "\u{10ffff}".repeat(255)

/** A text as JSON has it between quotes. */
const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Columns of an order that its row needs. */
const columns = fixed("o.shop, o.id, o.ordered_at, o.head, o.etag, o.revision")

const reach = String(searchReach)

/** Returns the searches of `OrderStore`. */
export const makeOrderSearch = (sql: SqlClient.SqlClient): Pick<OrderStore["Service"], "search"> => {
  /** The rows of orders `o` with their designs. */
  const withDesigns = (shown: DesignsShown) => ({
    columns: sql`${orderColumns}, s.total, d.id AS "designId", d.wire AS "designWire"`,
    tables: sql`LEFT JOIN LATERAL (
  SELECT count(*)::int4 AS total FROM designwire.designs d WHERE d.shop = o.shop AND d.order_id = o.id
) s ON true LEFT JOIN LATERAL (
  SELECT d.id, d.position, CASE WHEN octet_length(d.wire) <= ${shown.bytes}::int4 THEN d.wire END AS wire
  FROM designwire.designs d WHERE d.shop = o.shop AND d.order_id = o.id
  ORDER BY d.position LIMIT ${shown.limit}::int4 OFFSET ${shown.skip}::int4
) d ON true`,
  })

  const key = sql.literal(nameKey("o.head"))

  /** Orders whose id or name begins with a text: a bounded part of each index. */
  const beginning = (shop: string, text: string): Statement.Fragment => {
    const name = jsonText(text)
    return sql`numbered AS MATERIALIZED (
  SELECT ${columns}, row_number() OVER (ORDER BY o.id) AS place FROM designwire.orders o
  WHERE o.shop = ${shop} AND o.id >= ${text} AND o.id < ${text + highest}
  ORDER BY o.id LIMIT ${sql.literal(`${reach} + 1`)}
), named AS MATERIALIZED (
  SELECT ${columns}, row_number() OVER (ORDER BY ${key}, o.ordered_at DESC, o.id DESC) AS place
  FROM designwire.orders o
  WHERE o.shop = ${shop} AND ${key} >= lower(${name} COLLATE "C") AND ${key} < lower(${name + highest} COLLATE "C")
  ORDER BY ${key}, o.ordered_at DESC, o.id DESC LIMIT ${sql.literal(`${reach} + 1`)}
), fitting AS (
  SELECT ${columns} FROM numbered o WHERE place <= ${sql.literal(reach)}
  UNION SELECT ${columns} FROM named o WHERE place <= ${sql.literal(reach)}
)`
  }

  const search = (query: OrderSearch) => {
    const { after, exact = false, ids, limit, shop, status, text } = query
    const conditions = sql.and([
      sql`o.shop = ${shop}`,
      ...(ids === undefined ? [] : [sql`o.id = ANY(${ids}::text[])`]),
      ...(status === null ? [] : [sql.literal(hasStatus("o.head", status))]),
      ...(query.from === null ? [] : [sql`o.ordered_at >= ${format(query.from)}::timestamptz`]),
      ...(query.until === null ? [] : [sql`o.ordered_at < ${format(query.until)}::timestamptz`]),
      ...(after === null ? [] : [sql`(o.ordered_at, o.id) < (${format(after.orderedAt)}::timestamptz, ${after.id})`]),
    ])
    const { columns: shown, tables } = withDesigns(query.designs)
    const first = sql.literal(`ORDER BY o.ordered_at DESC, o.id DESC LIMIT ${limit + 1}`)
    const from = (source: Statement.Fragment) => sql`SELECT ${columns} FROM ${source} o WHERE ${conditions}`
    const all = sql.literal("designwire.orders")
    // Orders of one name are in page order in their index, so that a page reads no more than its own.
    const equal = (own: string) => sql`(
  ${from(all)} AND o.id = ${own} UNION (${from(all)} AND ${key} = lower(${jsonText(own)} COLLATE "C") ${first})
)`
    const isBeginning = text !== null && !exact
    const source = isBeginning ? sql.literal("fitting") : text === null ? all : equal(text)
    // One row without an order if nothing is found: that some were not looked at must be known then, too.
    return sql<
      (ListedRow | { readonly theOrderId: null }) & { readonly isCut: boolean }
    >`${isBeginning ? sql`WITH ${beginning(shop, text)},` : sql`WITH`} found AS MATERIALIZED (
  ${from(source)} ${first}
)
SELECT ${shown}, ${isBeginning ? isCut : sql`false`} AS "isCut"
FROM (SELECT 1) one LEFT JOIN found o ON true ${tables}
ORDER BY o.ordered_at DESC, o.id DESC, d.position`
  }

  const isCut = sql`(SELECT count(*) FROM numbered) > ${sql.literal(reach)} OR (SELECT count(*) FROM named) > ${sql.literal(reach)}`

  return {
    search: (query) =>
      search(query).pipe(
        Effect.map((rows) => {
          const all = listedOf(rows.flatMap((row) => (row.theOrderId === null ? [] : [row])))
          const orders = all.slice(0, query.limit)
          const last = all.length > orders.length ? orders.at(-1)?.order : undefined
          return {
            orders,
            next: last === undefined ? null : { orderedAt: last.orderedAt, id: last.id },
            isCut: rows[0]?.isCut ?? false,
          }
        }),
        mapped("Searching orders"),
      ),
  }
}

/** The orders of rows that are in the order of the orders. */
const listedOf = (rows: ReadonlyArray<ListedRow>): ReadonlyArray<ListedOrder> => {
  const found = new Map<string, ListedOrder & { readonly designs: Array<ListedDesign> }>()
  for (const row of rows) {
    const listed = found.get(row.theOrderId) ?? { order: order(row), total: row.total, designs: [] }
    if (row.designId !== null) listed.designs.push({ id: row.designId, wire: row.designWire })
    found.set(row.theOrderId, listed)
  }
  return [...found.values()]
}
