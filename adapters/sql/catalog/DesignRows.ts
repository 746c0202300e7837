import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import type { OrderRecord } from "../../../core/model/orders/Order.ts"
import { fixed } from "../statements/Fixed.ts"
import { rowsOf, select } from "../statements/Table.ts"

const fields = {
  id: "text",
  status: "text",
  orderId: "text",
  position: "int4",
  createdAt: "timestamptz",
  wire: "text",
  etag: "text",
  revision: "int4",
} as const

/** The columns of a `DesignRecord` of `designs d`. */
export const designColumns = fixed(`d.shop, ${select("d", fields)}`)

/** An order in a result row alongside its designs, under separate names. */
export interface OrderRow {
  readonly orderShop: string
  readonly theOrderId: string
  readonly orderedAt: number
  readonly head: string
  readonly orderEtag: string
  readonly orderRevision: number
}

/** The columns of an {@link OrderRow} of `orders o`. */
export const orderColumns = select(
  "o",
  { shop: "text", id: "text", orderedAt: "timestamptz", head: "text", etag: "text", revision: "int4" },
  { shop: "orderShop", id: "theOrderId", etag: "orderEtag", revision: "orderRevision" },
)

/** The order of a row. */
export const order = (row: OrderRow): OrderRecord => ({
  shop: row.orderShop,
  id: row.theOrderId,
  orderedAt: row.orderedAt,
  head: row.head,
  etag: row.orderEtag,
  revision: row.orderRevision,
})

/** The design of a row with further columns. */
export const design = (row: DesignRecord): DesignRecord => ({
  shop: row.shop,
  id: row.id,
  status: row.status,
  orderId: row.orderId,
  position: row.position,
  createdAt: row.createdAt,
  wire: row.wire,
  etag: row.etag,
  revision: row.revision,
})

/** Many designs as the rows `r` of a statement. */
export const designRows = (records: ReadonlyArray<DesignRecord>) => rowsOf("r", fields, records)
