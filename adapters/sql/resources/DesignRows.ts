import type { SqlClient } from "effect/sql"
import type { DesignRecord } from "../../../core/model/Design.ts"
import type { OrderRecord } from "../../../core/model/Order.ts"
import { milliseconds, rows } from "../statements/Rows.ts"

/** The columns of a `DesignRecord` of `designs d`. */
export const designColumns = [
  'd.shop, d.id, d.status, d.order_id AS "orderId", d.position',
  `${milliseconds("d.created_at")} AS "createdAt"`,
  "d.wire, d.etag, d.revision",
].join(", ")

/** An order in a result row beside its designs, under separate names. */
export interface OrderRow {
  readonly orderShop: string
  readonly theOrderId: string
  readonly orderedAt: number
  readonly head: string
  readonly orderEtag: string
  readonly orderRevision: number
}

/** The columns of an {@link OrderRow} of `orders o`. */
export const orderColumns = [
  'o.shop AS "orderShop", o.id AS "theOrderId"',
  `${milliseconds("o.ordered_at")} AS "orderedAt"`,
  'o.head, o.etag AS "orderEtag", o.revision AS "orderRevision"',
].join(", ")

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
export const designRows = (sql: SqlClient.SqlClient, records: ReadonlyArray<DesignRecord>) =>
  rows(
    sql,
    "r",
    {
      id: "text",
      status: "text",
      order_id: "text",
      position: "int4",
      created_at: "timestamptz",
      wire: "text",
      etag: "text",
      revision: "int4",
    },
    records.map((record) => ({
      id: record.id,
      status: record.status,
      order_id: record.orderId,
      position: record.position,
      created_at: record.createdAt,
      wire: record.wire,
      etag: record.etag,
      revision: record.revision,
    })),
  )
