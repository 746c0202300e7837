/**
 * Webhooks of Shopify, as its API versions 2026-07 and 2026-10 send them. An order event has the whole order as it is
 * when it is sent.
 */
import { Schema } from "effect"
import { DateTime, type Instant, parse } from "../../model/Instant.ts"
import { isPlainObject, own } from "../../model/Json.ts"
import {
  designLines,
  designOf,
  Line,
  OptionalDateTime,
  orderReading,
  PlatformId,
  type Reading,
  readingOf,
  shapeReader,
} from "./Reading.ts"

const readOrder = shapeReader(
  Schema.Struct({
    id: PlatformId,
    name: Schema.NonEmptyString,
    currency: Schema.NonEmptyString,
    created_at: DateTime,
    updated_at: DateTime,
    cancelled_at: OptionalDateTime,
    line_items: Schema.Array(
      Schema.Struct({
        ...Line,
        /** Pieces that were neither removed nor refunded. */
        current_quantity: Schema.optional(Schema.Unknown),
        properties: Schema.optional(Schema.Unknown),
      }),
    ),
  }),
)

const orderIds = Schema.Array(PlatformId)
const readRedaction = shapeReader(Schema.Struct({ orders_to_redact: Schema.optional(orderIds) }))
const readRequest = shapeReader(Schema.Struct({ orders_requested: Schema.optional(orderIds) }))
const readRemoval = shapeReader(Schema.Struct({ shop_domain: Schema.optional(Schema.NullOr(Schema.String)) }))

/** Topics with an order. */
const orderTopics: ReadonlyArray<string> = ["orders/create", "orders/paid", "orders/updated", "orders/cancelled"]

/** The order of test notifications, 820982911946154508: no id of an order is so large that it is not read exactly. */
const sampleId = Number("820982911946154508")

const isSample = (json: unknown): boolean => isPlainObject(json) && own(json, "id") === sampleId

/** Reads an event. `property` is the name of the line item property with a design's id. */
export const readShopify = (topic: string, json: unknown, property: string): Reading => {
  if (orderTopics.includes(topic)) {
    if (isSample(json)) return { _tag: "Nothing", reason: "A test notification of Shopify, about no order" }
    return readingOf(readOrder(json), (order) =>
      orderReading(
        {
          id: String(order.id),
          name: order.name,
          orderedAt: order.created_at,
          currency: order.currency,
          // The schema has validated it.
          modifiedAt: parse(order.updated_at) as Instant,
          lines: designLines(order.line_items, ({ current_quantity, properties, quantity }) => ({
            designId: designOf(properties, "name", property),
            quantity: current_quantity ?? quantity,
          })),
        },
        topic === "orders/cancelled" || (order.cancelled_at ?? null) !== null,
      ),
    )
  }
  switch (topic) {
    case "customers/redact":
      return readingOf(readRedaction(json), ({ orders_to_redact = [] }) => ({
        _tag: "Redact",
        orders: orders_to_redact.map(String),
      }))
    case "customers/data_request":
      return readingOf(readRequest(json), ({ orders_requested = [] }) => ({
        _tag: "Disclose",
        orders: orders_requested.map(String),
      }))
    case "shop/redact":
      return readingOf(readRemoval(json), ({ shop_domain }) => ({ _tag: "RemoveShop", domain: shop_domain ?? null }))
    default:
      return { _tag: "Nothing", reason: `Designs are not concerned by the topic ${JSON.stringify(topic)}` }
  }
}
