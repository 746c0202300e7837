/**
 * Webhooks of WooCommerce (REST API v3). An order event has the whole order as it is when it is sent; a deletion has
 * its id alone.
 */
import { Schema } from "effect"
import { type Instant, parse } from "../../model/Instant.ts"
import {
  designLines,
  designOf,
  Line,
  orderReading,
  PlatformId,
  type Reading,
  readingOf,
  shapeReader,
  textThat,
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
    number: PlatformId,
    status: Schema.NonEmptyString,
    currency: Schema.NonEmptyString,
    date_created_gmt: Gmt,
    date_modified_gmt: Gmt,
    line_items: Schema.Array(Schema.Struct({ ...Line, meta_data: Schema.optional(Schema.Unknown) })),
    _links: Schema.optional(Links),
  }),
)

// Orders, products, customers and coupons are all deleted with the id alone. A body with more is none of a deletion.
const readDeletion = shapeReader(Schema.Struct({ id: PlatformId }), (key) => key !== "id")

/** States of an order that was not placed: a cart at the checkout, a draft of the shop, a payment that failed. */
const notPlaced: ReadonlyArray<string> = ["checkout-draft", "auto-draft", "draft", "failed"]

/** Reads an event. `property` is the key of the line's metadata with a design's id. */
export const readWooCommerce = (topic: string, json: unknown, property: string): Reading => {
  if (topic === "order.deleted") {
    return readingOf(readDeletion(json), ({ id }) => ({
      _tag: "Cancel",
      orderId: String(id),
      modifiedAt: null,
      hasDesigns: null,
    }))
  }
  if (topic !== "order.created" && topic !== "order.updated" && topic !== "order.restored") {
    return { _tag: "Nothing", reason: `Designs are not concerned by the topic ${JSON.stringify(topic)}` }
  }
  return readingOf(readOrder(json), (order) => {
    if (notPlaced.includes(order.status)) {
      return { _tag: "Nothing", reason: `The order ${JSON.stringify(String(order.id))} is ${order.status}` }
    }
    const designOfLine = (line: { readonly meta_data?: unknown }) => designOf(line.meta_data, "key", property)
    return orderReading(
      {
        id: String(order.id),
        name: `#${order.number}`,
        orderedAt: `${order.date_created_gmt}Z`,
        currency: order.currency,
        // The schema has validated it.
        modifiedAt: parse(`${order.date_modified_gmt}Z`) as Instant,
        lines: designLines(order.line_items, ({ quantity, ...line }) => ({
          designId: designOfLine(line),
          quantity,
        })),
      },
      {
        isCancelled: order.status === "cancelled" || order.status === "trash",
        hasDesigns: order.line_items.some((line) => designOfLine(line) !== undefined),
      },
    )
  })
}
