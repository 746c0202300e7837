/** Orders by name, id, status and time, each with some of its designs. */
import { Effect, Option } from "effect"
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
import { hasStatus, nameKey } from "../schema/OrderSearch.ts"
import { mapped } from "../statements/Errors.ts"
import { type OrderRow, order, orderColumns } from "./DesignRows.ts"

/** An order with one of its designs; `designId` is null if none is shown. */
interface ListedRow extends OrderRow {
  readonly total: number
  readonly designId: string | null
  readonly designWire: string | null
}

/** An id or a name that begins with a text is less than the text with this behind it. */
const highest = "\u{10ffff}".repeat(255)

/** Columns of an order that its row needs. */
const columns = "o.shop, o.id, o.ordered_at, o.head, o.etag, o.revision"

const reach = String(searchReach)

/** Returns the searches of `OrderStore`. */
export const makeOrderSearch = (sql: SqlClient.SqlClient): Pick<OrderStore["Service"], "search" | "listed"> => {
  /** The rows of orders `o` with their designs. */
  const withDesigns = (shown: DesignsShown) => ({
    columns: sql`${sql.literal(orderColumns)}, s.total, d.id AS "designId", d.wire AS "designWire"`,
    tables: sql`CROSS JOIN LATERAL (
  SELECT count(*)::int4 AS total FROM designwire.designs d WHERE d.shop = o.shop AND d.order_id = o.id
) s LEFT JOIN LATERAL (
  SELECT d.id, d.position, CASE WHEN octet_length(d.wire) <= ${shown.bytes}::int4 THEN d.wire END AS wire
  FROM designwire.designs d WHERE d.shop = o.shop AND d.order_id = o.id
  ORDER BY d.position LIMIT ${shown.limit}::int4 OFFSET ${shown.skip}::int4
) d ON true`,
  })

  /** Orders whose id or name begins with a text, or is equal to it: a bounded part of each index. */
  const fitting = (shop: string, text: string, exact: boolean): Statement.Fragment => {
    const name = JSON.stringify(text).slice(1, -1)
    const key = sql.literal(nameKey("o.head"))
    const isId = exact ? sql`o.id = ${text}` : sql`o.id >= ${text} AND o.id < ${text + highest}`
    const isName = exact
      ? sql`${key} = lower(${name} COLLATE "C")`
      : sql`${key} >= lower(${name} COLLATE "C") AND ${key} < lower(${name + highest} COLLATE "C")`
    return sql`numbered AS MATERIALIZED (
  SELECT ${sql.literal(columns)}, row_number() OVER (ORDER BY o.id) AS place FROM designwire.orders o
  WHERE o.shop = ${shop} AND ${isId} ORDER BY o.id LIMIT ${sql.literal(`${reach} + 1`)}
), named AS MATERIALIZED (
  SELECT ${sql.literal(columns)}, row_number() OVER (ORDER BY ${key}, o.id) AS place
  FROM designwire.orders o
  WHERE o.shop = ${shop} AND ${isName}
  ORDER BY ${key}, o.id LIMIT ${sql.literal(`${reach} + 1`)}
), fitting AS (
  SELECT ${sql.literal(columns)} FROM numbered o WHERE place <= ${sql.literal(reach)}
  UNION SELECT ${sql.literal(columns)} FROM named o WHERE place <= ${sql.literal(reach)}
)`
  }

  const search = (query: OrderSearch) => {
    const { after, exact = false, from, limit, shop, status, text, until } = query
    const conditions = sql.and([
      sql`o.shop = ${shop}`,
      ...(status === null ? [] : [sql.literal(hasStatus("o.head", status))]),
      ...(from === null ? [] : [sql`o.ordered_at >= ${format(from)}::timestamptz`]),
      ...(until === null ? [] : [sql`o.ordered_at < ${format(until)}::timestamptz`]),
      ...(after === null ? [] : [sql`(o.ordered_at, o.id) < (${format(after.orderedAt)}::timestamptz, ${after.id})`]),
    ])
    const { columns: shown, tables } = withDesigns(query.designs)
    const source = sql.literal(text === null ? "designwire.orders" : "fitting")
    return sql<
      ListedRow & { readonly isCut: boolean }
    >`${text === null ? sql`WITH` : sql`WITH ${fitting(shop, text, exact)},`} found AS MATERIALIZED (
  SELECT ${sql.literal(columns)} FROM ${source} o WHERE ${conditions}
  ORDER BY o.ordered_at DESC, o.id DESC LIMIT ${sql.literal(String(limit + 1))}
)
SELECT ${shown}, ${text === null ? sql`false` : isCut} AS "isCut" FROM found o ${tables}
ORDER BY o.ordered_at DESC, o.id DESC, d.position`
  }

  const isCut = sql`(SELECT count(*) FROM numbered) > ${sql.literal(reach)} OR (SELECT count(*) FROM named) > ${sql.literal(reach)}`

  return {
    search: (query) =>
      search(query).pipe(
        Effect.map((rows) => {
          const all = listedOf(rows)
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

    listed: (shop, id, designs) => {
      const { columns: shown, tables } = withDesigns(designs)
      return sql<ListedRow>`SELECT ${shown} FROM designwire.orders o ${tables}
WHERE o.shop = ${shop} AND o.id = ${id} ORDER BY d.position`.pipe(
        Effect.map((rows) => Option.fromUndefinedOr(listedOf(rows)[0])),
        mapped("Reading an order"),
      )
    },
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
