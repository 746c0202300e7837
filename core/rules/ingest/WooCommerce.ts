/**
 * Webhooks of WooCommerce (REST API v3). An order event has the whole order as it is when it is sent; a deletion has
 * only its id.
 */
import { type Result, Schema } from "effect"
import { type Instant, parse } from "../../model/Instant.ts"
import { isPlainObject, own, ownString, quote } from "../../model/json/Json.ts"
import { storable } from "../../model/Text.ts"
import {
  designOf,
  foundTopics,
  Line,
  missingTopics,
  PlatformId,
  type PlatformOrder,
  type Reading,
  readingOf,
  readMissing,
  reportedLine,
  shapeReader,
  textThat,
  wholeOf,
} from "./Reading.ts"

/** A date-time in UTC, without an offset: `2026-10-05T14:48:00`. */
const Gmt = textThat((text) => parse(`${text}Z`) !== undefined, "a date-time in UTC without an offset")

/** The kind of the object at an address of the REST API: `orders` in `…/wc/v3/orders/727`. */
const kindAt = /(?:\/|%2F)([a-z_-]+)(?:\/|%2F)\d+\/?$/i

/** The address of an order: a subscription, which has the fields of one, has another. */
const OrderAddress = textThat((text) => (kindAt.exec(text)?.[1] ?? "orders") === "orders", "the address of an order")
const Links = Schema.Struct({ self: Schema.optional(Schema.Array(Schema.Struct({ href: OrderAddress }))) })

const readOrder = shapeReader(
  Schema.Struct({
    id: PlatformId,
    /** Its name has a `#` in front. */
    number: Schema.Union([storable(1, 254), Schema.Int]),
    status: Schema.NonEmptyString,
    parent_id: Schema.optional(Schema.NullOr(PlatformId)),
    date_created_gmt: Gmt,
    date_modified_gmt: Gmt,
    line_items: Schema.Array(Schema.Struct({ ...Line, meta_data: Schema.optional(Schema.Unknown) })),
    date_paid_gmt: Schema.optional(Schema.NullOr(Schema.String)),
    date_completed_gmt: Schema.optional(Schema.NullOr(Schema.String)),
    refunds: Schema.optional(Schema.NullOr(Schema.Array(Schema.Struct({ total: Schema.optional(Schema.Unknown) })))),
    _links: Schema.optional(Links),
  }),
)

// Orders, products, customers and coupons are all deleted with only the id. A body with more is none of a deletion.
const readDeletion = shapeReader(Schema.Struct({ id: PlatformId }), (key) => key !== "id")

type WooCommerceOrder = Result.Result.Success<ReturnType<typeof readOrder>>

const isThere = (text: string | null | undefined): boolean => (text ?? "") !== ""

/** A refund says how much went back, and not for what. */
const refundNote = ({ refunds }: WooCommerceOrder): string | null => {
  const totals = (refunds ?? []).map(({ total }) => Math.abs(Number(total)))
  if (totals.length === 0) return null
  const all = totals.reduce((sum, total) => sum + (Number.isFinite(total) ? total : 0), 0)
  return `${all.toFixed(2)} of the order were refunded: which pieces, only the shop knows`
}

const orderOf = (order: WooCommerceOrder, property: string): PlatformOrder => {
  const lines = order.line_items.map((line) => ({ line, design: designOf(line.meta_data, "key", property) }))
  const parent = order.parent_id ?? 0
  return {
    id: String(order.id),
    name: `#${order.number}`,
    orderedAt: `${order.date_created_gmt}Z`,
    // The schema has validated it.
    modifiedAt: parse(`${order.date_modified_gmt}Z`) as Instant,
    parentId: String(parent) === "0" ? null : String(parent),
    state: {
      platform: "woocommerce",
      status: order.status,
      isPaid: isThere(order.date_paid_gmt),
      wasCompleted: isThere(order.date_completed_gmt),
    },
    lines: lines.flatMap(({ design, line }) =>
      design === undefined
        ? []
        : [
            reportedLine(design, {
              lineItemId: String(line.id),
              quantity: wholeOf(line.quantity) ?? 1,
              ...{ isShipped: false, ships: true },
            }),
          ],
    ),
    otherLines: lines.filter(({ design }) => design === undefined).map(({ line }) => String(line.id)),
    note: refundNote(order),
  }
}

/** States of an order that is not to be made. One that was completed and came back was made (D82). */
const isCancelled = ({ date_completed_gmt, status }: WooCommerceOrder): boolean =>
  status === "cancelled" || status === "trash" || (status === "refunded" && !isThere(date_completed_gmt))

/** WooCommerce sends its answer to the user of the webhook, which is an error if that user may not read orders. */
const errorIn = (json: unknown): Reading | undefined => {
  if (!isPlainObject(json) || own(json, "id") !== undefined) return undefined
  const [code, message] = [ownString(json, "code"), ownString(json, "message")]
  if (code === undefined || message === undefined) return undefined
  const reason =
    `WooCommerce has sent an error in place of the order, ${quote(code)}: ${quote(message)}. The user of the webhook ` +
    "may not read orders: an administrator has to save the webhook again"
  return { _tag: "Unreadable", reason }
}

/** Topics with an order. */
const orderTopics: ReadonlyArray<string> = [
  ...["order.created", "order.updated", "order.restored", foundTopics.woocommerce],
]

/** Reads an event. `property` is the key of the line's metadata with a design's id. */
export const readWooCommerce = (topic: string, json: unknown, property: string): Reading => {
  if (topic === missingTopics.woocommerce) return readMissing(json)
  const isOrder = orderTopics.includes(topic)
  if (!isOrder && topic !== "order.deleted") {
    return { _tag: "Nothing", reason: `Designs are not concerned by the topic ${JSON.stringify(topic)}` }
  }
  const error = errorIn(json)
  if (error !== undefined) return error
  if (!isOrder) {
    return readingOf(readDeletion(json), ({ id }) => ({
      _tag: "Cancel",
      orderId: String(id),
      modifiedAt: null,
      hasDesigns: null,
    }))
  }
  return readingOf(readOrder(json), (order) => {
    const read = orderOf(order, property)
    return isCancelled(order)
      ? { _tag: "Cancel", orderId: read.id, modifiedAt: read.modifiedAt, hasDesigns: read.lines.length > 0 }
      : { _tag: "Place", order: read, isReopened: topic === "order.restored" }
  })
}
