import { Schema } from "effect"
import { Design } from "../catalog/Design.ts"
import { DesignId, LineItemId, OrderId } from "../Ids.ts"
import { DateTime, type Instant, Timestamp } from "../Instant.ts"
import { means, noted } from "../Means.ts"
import { storable } from "../Text.ts"

/** `ordered` or `cancelled` (§3). */
export const OrderStatus = Schema.Literals(["ordered", "cancelled"])
export type OrderStatus = typeof OrderStatus.Type

const head = {
  id: means("The order's id on the platform", OrderId),
  name: means("The order's name, e.g. #1027", Schema.String),
  status: means("Whether the order holds or was cancelled", OrderStatus),
  currency: means("The currency's code (ISO 4217)", Schema.String),
  total: means("The sum of the designs' totals, in minor units", Schema.Int),
  orderedAt: means("When the order was placed", Timestamp),
}

/** An order on the platform and its designs (§2.2). The fields stand in the order in which they are written. */
export const Order = Schema.Struct({
  ...head,
  designs: means("The order's designs, in the order of its lines", Schema.Array(Design)),
}).annotate({ identifier: "Order", description: "An order and its designs" })
export type Order = typeof Order.Type

const OrderHead = Schema.Struct(head)

/** An order without its designs. */
export type OrderHead = typeof OrderHead.Type

/**
 * An order as the platform reports it: its designs with their line items, in order; no lines without custom items (D6).
 */
export const OrderInput = Schema.Struct({
  name: noted("1 to 255 characters, e.g. `#1001`.", storable(1, 255)),
  orderedAt: noted("RFC 3339, e.g. `new Date().toISOString()`.", DateTime),
  lines: noted(
    "The order's lines that have a design.",
    Schema.Array(
      Schema.Struct({
        designId: DesignId,
        lineItemId: LineItemId,
        quantity: noted(
          "How many pieces of it. Default: 1, or what was placed before.",
          Schema.optionalKey(
            Schema.Int.check(
              Schema.isBetween({ minimum: 1, maximum: 1_000_000 }, { expected: "an integer from 1 to 1000000" }),
            ),
          ),
        ),
      }),
    ).annotate({ expected: 'a list of lines, such as {"designId":"mine","lineItemId":"1"}' }),
  ),
}).annotate({ documentation: "An order as the platform reports it." })
export type OrderInput = typeof OrderInput.Type

/**
 * An order as it is kept. Its wire form is `head`, its designs' wire forms in line order with commas between them,
 * and {@link tail}: so that a store puts it together without reading any of it.
 */
export interface OrderRecord {
  readonly shop: string
  readonly id: string
  readonly orderedAt: Instant
  /** The wire form up to and with the `[` of `designs`. */
  readonly head: string
  /** Names the bytes of the whole wire form, designs included (D17). */
  readonly etag: string
  /** Counts changes from 1; a commit names the revision that it replaces. */
  readonly revision: number
}

/** The reports of a platform about an order that is not stored, of the last 24 hours (D50). */
export interface UnstoredOrder {
  readonly shop: string
  /** The order's id. */
  readonly id: string
  /** It was cancelled. */
  readonly isCancelled: boolean
  /** It came without custom items. */
  readonly isEmpty: boolean
  /** This counts before this instant. */
  readonly until: Instant
}

/** The answer to the cancellation of an order that has not come yet (D50). */
export const KeptCancellation = Schema.Struct({
  message: noted("A sentence for people.", Schema.String),
  keptUntil: noted("If the order is placed before this time, it is cancelled at once.", Timestamp),
}).annotate({
  identifier: "KeptCancellation",
  documentation: "The result of cancelling an order that the shop does not have.",
})
export type KeptCancellation = typeof KeptCancellation.Type

/** What closes an order's wire form. */
export const tail = "]}"

/** The beginning of an order's wire form: everything before its designs (§2.2, D10). */
export const wireHead = (order: OrderHead): string =>
  `${JSON.stringify({
    id: order.id,
    name: order.name,
    status: order.status,
    currency: order.currency,
    total: order.total,
    orderedAt: order.orderedAt,
  }).slice(0, -1)},"designs":[`

/** The whole wire form of an order (§2.2). */
export const wire = (record: Pick<OrderRecord, "head">, designs: ReadonlyArray<{ readonly wire: string }>): string =>
  record.head + designs.map((design) => design.wire).join(",") + tail

/** The order that a kept head represents. */
export const fromHead = (text: string): OrderHead => {
  const { designs: _, ...order } = JSON.parse(text + tail) as OrderHead & { readonly designs: ReadonlyArray<never> }
  return order
}
