import type { SqlClient } from "effect/sql"
import type { DesignRecord, DesignStatus } from "../../core/model/Design.ts"
import { format } from "../../core/model/Instant.ts"
import type { OrderRecord } from "../../core/model/Order.ts"

/** A design as a statement answers it. */
export interface DesignRow {
  readonly shop: string
  readonly id: string
  readonly status: DesignStatus
  readonly orderId: string | null
  readonly position: number
  readonly createdAt: Date
  readonly wire: string
  readonly etag: string
  readonly revision: number
}

/** The columns of a {@link DesignRow} of `designs d`. */
export const designColumns =
  'd.shop, d.id, d.status, d.order_id AS "orderId", d.position, d.created_at AS "createdAt", d.wire, d.etag, d.revision'

export const design = (row: DesignRow): DesignRecord => ({
  shop: row.shop,
  id: row.id,
  status: row.status,
  orderId: row.orderId,
  position: row.position,
  createdAt: row.createdAt.getTime(),
  wire: row.wire,
  etag: row.etag,
  revision: row.revision,
})

/** An order as a statement answers it beside its designs: under names of its own. */
export interface OrderRow {
  readonly orderShop: string
  readonly theOrderId: string
  readonly orderedAt: Date
  readonly head: string
  readonly orderEtag: string
  readonly orderRevision: number
}

/** The columns of an {@link OrderRow} of `orders o`. */
export const orderColumns =
  'o.shop AS "orderShop", o.id AS "theOrderId", o.ordered_at AS "orderedAt", o.head, o.etag AS "orderEtag", o.revision AS "orderRevision"'

export const order = (row: OrderRow): OrderRecord => ({
  shop: row.orderShop,
  id: row.theOrderId,
  orderedAt: row.orderedAt.getTime(),
  head: row.head,
  etag: row.orderEtag,
  revision: row.orderRevision,
})

/** The columns of a `CustomizerRecord` of `customizers c` but its version and definition. */
export const customizerColumns =
  'c.shop, c.id::float8 AS id, c.title, c.platform_product_id AS "platformProductId", c.asset_base AS "assetBase"'

/**
 * Many designs as the rows `r` of one statement. Ids are never empty: an empty `order_id` stands for none, because the driver can't tell
 * the type of a list of nulls.
 */
export const unnestDesigns = (sql: SqlClient.SqlClient, records: ReadonlyArray<DesignRecord>) =>
  sql`unnest(
  ${records.map((record) => record.id)}::text[],
  ${records.map((record) => record.status)}::text[],
  ${records.map((record) => record.orderId ?? "")}::text[],
  ${records.map((record) => record.position)}::int4[],
  ${records.map((record) => format(record.createdAt))}::text[]::timestamptz[],
  ${records.map((record) => record.wire)}::text[],
  ${records.map((record) => record.etag)}::text[],
  ${records.map((record) => record.revision)}::int4[]
) AS r (id, status, order_id, position, created_at, wire, etag, revision)`
