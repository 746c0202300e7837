/** Pages of a shop's orders, newest first. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import { tail } from "../../../core/model/orders/Order.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { mapped } from "../statements/Errors.ts"
import type { PageReads } from "../statements/PageReads.ts"
import { select } from "../statements/Table.ts"
import { total } from "./OrderCounts.ts"

/** An order of a page, or one after it, with a null wire form. Everything but the total is null without orders. */
interface PageRow {
  readonly total: number
  readonly id: string
  readonly orderedAt: number
  readonly etag: string
  readonly wire: string | null
}

type ShownRow = PageRow & { readonly wire: string }

/** Returns `OrderStore.readOrders`. */
export const makeReadOrders = (
  sql: SqlClient.SqlClient,
  asPage: PageReads["Service"],
): OrderStore["Service"]["readOrders"] => {
  const orderWire = sql.literal(`o.head || coalesce((
  SELECT string_agg(d.wire, ',' ORDER BY d.position) FROM designwire.designs d WHERE d.shop = o.shop AND d.order_id = o.id
), '') || '${tail}'`)

  return ({ after, bytes, limit, orderedAfter, shop }) => {
    const conditions = sql.and([
      sql`o.shop = ${shop}`,
      ...(after === null ? [] : [sql`(o.ordered_at, o.id) < (${format(after.orderedAt)}::timestamptz, ${after.id})`]),
      ...(orderedAfter === null ? [] : [sql`o.ordered_at >= ${format(orderedAfter)}::timestamptz`]),
    ])
    // Lengths are known without reading the texts: orders that don't fit are never put together.
    // The limit is not a parameter: Postgres would plan the statement again for each unknown limit.
    const rows = sql<PageRow>`SELECT t.total, ${select("o", { id: "text", orderedAt: "timestamptz", etag: "text" })},
  CASE WHEN o.place = 1 OR (o.place <= ${limit}::int4 AND o.reached <= ${bytes}::int4) THEN ${orderWire} END AS wire
FROM (SELECT (${total(sql, shop, orderedAfter)})::int4 AS total) t LEFT JOIN (
  SELECT o.shop, o.id, o.ordered_at, o.etag, o.head, row_number() OVER newest AS place,
    sum(octet_length(o.head) + d.bytes) OVER newest AS reached
  FROM designwire.orders o CROSS JOIN LATERAL (
    SELECT coalesce(sum(octet_length(d.wire) + 1) - 1, 0) + ${tail.length}::int4 AS bytes FROM designwire.designs d
    WHERE d.shop = o.shop AND d.order_id = o.id
  ) d
  WHERE ${conditions} WINDOW newest AS (ORDER BY o.ordered_at DESC, o.id DESC ROWS UNBOUNDED PRECEDING)
  ORDER BY o.ordered_at DESC, o.id DESC LIMIT ${sql.literal(`${limit + 1}`)}
) o ON true ORDER BY o.ordered_at DESC, o.id DESC`
    return asPage(shop)(rows).pipe(
      Effect.map((rows) => {
        const orders = rows.filter((row): row is ShownRow => row.wire !== null)
        const last = rows.length > orders.length ? orders.at(-1) : undefined
        return {
          orders,
          total: rows[0]?.total ?? 0,
          next: last === undefined ? null : { orderedAt: last.orderedAt, id: last.id },
        }
      }),
      mapped("Reading orders"),
    )
  }
}
