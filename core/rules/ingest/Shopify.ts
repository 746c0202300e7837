/**
 * Webhooks of Shopify, as its API versions 2026-07 and 2026-10 send them. An order event has the whole order as it is
 * when it is sent.
 */
import { Schema } from "effect"
import { DateTime, type Instant, parse } from "../../model/Instant.ts"
import { isPlainObject, own } from "../../model/json/Json.ts"
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
  textThat,
} from "./Reading.ts"

/** Names an order among Shopify's objects: a draft, which has the same fields, is another one. */
const OrderName = textThat((text) => text.startsWith("gid://shopify/Order/"), "the name of an order")

const readOrder = shapeReader(
  Schema.Struct({
    id: PlatformId,
    admin_graphql_api_id: Schema.optional(Schema.NullOr(OrderName)),
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

/** A buyer: an id, an address for mail, a telephone number. */
const Buyer = Schema.Unknown.check(
  Schema.makeFilter((value) => (isPlainObject(value) && Object.keys(value).length > 0) || "a customer"),
)
const orderIds = Schema.Array(PlatformId)
const ofBuyer = { shop_domain: Schema.NonEmptyString, customer: Buyer }
const readRedaction = shapeReader(
  Schema.Struct({ ...ofBuyer, orders_to_redact: Schema.optional(orderIds) }),
  (key) => key === "orders_requested" || key === "data_request",
)
const readRequest = shapeReader(
  Schema.Struct({ ...ofBuyer, orders_requested: Schema.optional(orderIds) }),
  (key) => key === "orders_to_redact",
)
// It can't be undone, so every further field refuses it.
const readRemoval = shapeReader(
  Schema.Struct({ shop_domain: Schema.optional(Schema.NullOr(Schema.String)) }),
  (key) => key !== "shop_id" && key !== "shop_domain",
)

/** Topics with an order. */
const orderTopics: ReadonlyArray<string> = ["orders/create", "orders/paid", "orders/updated", "orders/cancelled"]

/** The order of test notifications, 820982911946154508: no id of an order is so large that it is not read exactly. */
const sampleId = Number("820982911946154508")

const isSample = (json: unknown): boolean => isPlainObject(json) && own(json, "id") === sampleId

const distinct = (ids: ReadonlyArray<string | number>): ReadonlyArray<string> => [...new Set(ids.map(String))]

/** Reads an event. `property` is the name of the line item property with a design's id. */
export const readShopify = (topic: string, json: unknown, property: string): Reading => {
  if (orderTopics.includes(topic)) {
    if (isSample(json)) return { _tag: "Nothing", reason: "A test notification of Shopify, about no order" }
    return readingOf(readOrder(json), (order) => {
      const isCancelled = (order.cancelled_at ?? null) !== null
      if (topic === "orders/cancelled" && !isCancelled) {
        return { _tag: "Unreadable", reason: "cancelled_at: missing, and the topic alone cancels no order" }
      }
      const designOfLine = (line: { readonly properties?: unknown }) => designOf(line.properties, "name", property)
      return orderReading(
        {
          id: String(order.id),
          name: order.name,
          orderedAt: order.created_at,
          currency: order.currency,
          // The schema has validated it.
          modifiedAt: parse(order.updated_at) as Instant,
          lines: designLines(order.line_items, ({ current_quantity, quantity, ...line }) => ({
            designId: designOfLine(line),
            quantity: current_quantity ?? quantity,
          })),
        },
        // The lines of a cancelled order have no pieces left.
        { isCancelled, hasDesigns: order.line_items.some((line) => designOfLine(line) !== undefined) },
      )
    })
  }
  switch (topic) {
    case "customers/redact":
      return readingOf(readRedaction(json), ({ orders_to_redact = [], shop_domain }) => ({
        ...{ _tag: "Redact", domain: shop_domain },
        orders: distinct(orders_to_redact),
      }))
    case "customers/data_request":
      return readingOf(readRequest(json), ({ orders_requested = [], shop_domain }) => ({
        ...{ _tag: "Disclose", domain: shop_domain },
        orders: distinct(orders_requested),
      }))
    case "shop/redact":
      return readingOf(readRemoval(json), ({ shop_domain }) => ({ _tag: "RemoveShop", domain: shop_domain ?? null }))
    default:
      return { _tag: "Nothing", reason: `Designs are not concerned by the topic ${JSON.stringify(topic)}` }
  }
}
