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
} from "./Reading.ts"

/** A date-time in UTC, without an offset: `2026-10-05T14:48:00`. */
const Gmt = Schema.String.check(
  Schema.makeFilter((text) => parse(`${text}Z`) !== undefined || "a date-time in UTC without an offset"),
)

const readOrder = shapeReader(
  Schema.Struct({
    id: PlatformId,
    number: PlatformId,
    status: Schema.NonEmptyString,
    currency: Schema.NonEmptyString,
    date_created_gmt: Gmt,
    date_modified_gmt: Gmt,
    line_items: Schema.Array(Schema.Struct({ ...Line, meta_data: Schema.optional(Schema.Unknown) })),
  }),
)

const readDeletion = shapeReader(Schema.Struct({ id: PlatformId }))

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
    return orderReading(
      {
        id: String(order.id),
        name: `#${order.number}`,
        orderedAt: `${order.date_created_gmt}Z`,
        currency: order.currency,
        // The schema has validated it.
        modifiedAt: parse(`${order.date_modified_gmt}Z`) as Instant,
        lines: designLines(order.line_items, ({ meta_data, quantity }) => ({
          designId: designOf(meta_data, "key", property),
          quantity,
        })),
      },
      order.status === "cancelled" || order.status === "trash",
    )
  })
}
