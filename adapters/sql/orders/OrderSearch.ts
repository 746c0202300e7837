/** Orders by name, id, status and time, each with some of its designs. */

import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import {
  type DesignsShown,
  type ListedDesign,
  type ListedOrder,
  type OrderSearch,
  searchReach,
} from "../../../core/model/orders/OrderSearch.ts"
import type { Position } from "../../../core/model/Page.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { type OrderRow, order, orderColumns } from "../catalog/DesignRows.ts"
import { nameKey } from "../schema/LaterMigrations.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import { milliseconds } from "../statements/Rows.ts"
import { conditionsOf, isOf, totals } from "./OrderTotals.ts"

/** An order with one of its designs; `designId` is null if none is shown. */
interface ListedRow extends OrderRow {
  readonly total: number
  readonly designId: string | null
  readonly designWire: string | null
}

/** What a search has not looked at. */
interface Looked {
  readonly isCut: boolean
  readonly looked?: readonly [orderedAt: string, id: string] | null
}

/** An id or a name that begins with a text is less than the text with this behind it. */
const highest = "\u{10ffff}".repeat(255)

/** A text as JSON has it between quotes. */
const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Columns of an order that its row needs. */
const columns = fixed("o.shop, o.id, o.ordered_at, o.head, o.etag, o.revision")

const reach = fixed(String(searchReach))

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
  ORDER BY o.id LIMIT ${reach} + 1
), named AS MATERIALIZED (
  SELECT ${columns}, row_number() OVER (ORDER BY ${key}, o.ordered_at DESC, o.id DESC) AS place
  FROM designwire.orders o
  WHERE o.shop = ${shop} AND ${key} >= lower(${name} COLLATE "C") AND ${key} < lower(${name + highest} COLLATE "C")
  ORDER BY ${key}, o.ordered_at DESC, o.id DESC LIMIT ${reach} + 1
), fitting AS (
  SELECT ${columns} FROM numbered o WHERE place <= ${reach}
  UNION SELECT ${columns} FROM named o WHERE place <= ${reach}
)`
  }

  const search = (query: OrderSearch) => {
    const { customizer = null, exact = false, limit, shop, text } = query
    const conditions = conditionsOf(sql, query)
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
    const found =
      customizer === null
        ? sql`found AS MATERIALIZED (
  ${from(source)} ${first}
)`
        : sql`looked AS MATERIALIZED (
  ${from(source)} ORDER BY o.ordered_at DESC, o.id DESC LIMIT ${reach}
), found AS MATERIALIZED (
  SELECT ${columns} FROM looked o WHERE EXISTS (
    SELECT FROM designwire.designs d WHERE d.shop = o.shop AND d.order_id = o.id AND ${isOf(sql, customizer)}
  ) ${first}
)`
    // One row without an order if nothing is found: that some were not looked at must be known then, too.
    return sql<
      (ListedRow | { readonly theOrderId: null }) & Looked
    >`${isBeginning ? sql`WITH ${beginning(shop, text)},` : sql`WITH`} ${found}
SELECT ${shown}, ${isBeginning ? isCut : sql`false`} AS "isCut"${customizer === null ? sql`` : looked}
FROM (SELECT 1) one LEFT JOIN found o ON true ${tables}
ORDER BY o.ordered_at DESC, o.id DESC, d.position`
  }

  /** The last of the orders that were looked at for a customizer, if there may be more. */
  const looked = sql`, (
  SELECT ARRAY[(${milliseconds("l.ordered_at")})::text, l.id] FROM looked l
  ORDER BY l.ordered_at DESC, l.id DESC OFFSET ${reach} - 1 LIMIT 1
) AS "looked"`

  const isCut = sql`(SELECT count(*) FROM numbered) > ${reach} OR (SELECT count(*) FROM named) > ${reach}`

  return {
    search: (query) =>
      Effect.all([search(query), query.isCounted === true ? totals(sql, query) : Effect.succeed([])]).pipe(
        Effect.map(([rows, [counts]]) => {
          const all = listedOf(rows.flatMap((row) => (row.theOrderId === null ? [] : [row])))
          const orders = all.slice(0, query.limit)
          const last = all.length > orders.length ? orders.at(-1)?.order : undefined
          const next = last === undefined ? placeOf(rows[0]) : { orderedAt: last.orderedAt, id: last.id }
          return { orders, next, isCut: rows[0]?.isCut ?? false, totals: counts }
        }),
        mapped("Searching orders"),
      ),
  }
}

/** Where a search for a customizer has stopped; `null` at the end. */
const placeOf = ({ looked }: Partial<Looked> = {}): Position | null => {
  const [orderedAt, id] = looked ?? []
  return orderedAt === undefined || id === undefined ? null : { orderedAt: Number(orderedAt), id }
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
