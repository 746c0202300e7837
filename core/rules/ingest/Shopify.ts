/**
 * Webhooks of Shopify, as its API versions 2026-07 and 2026-10 send them. An order event has the whole order as it is
 * when it is sent.
 */
import { Schema } from "effect"
import { DateTime, type Instant, parse } from "../../model/Instant.ts"
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

/** Topics with an order. */
const orderTopics: ReadonlyArray<string> = ["orders/create", "orders/paid", "orders/updated", "orders/cancelled"]

/** Reads an event. `property` is the name of the line item property with a design's id. */
export const readShopify = (topic: string, json: unknown, property: string): Reading => {
  if (orderTopics.includes(topic)) {
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
      return { _tag: "RemoveShop" }
    default:
      return { _tag: "Nothing", reason: `Designs are not concerned by the topic ${JSON.stringify(topic)}` }
  }
}
