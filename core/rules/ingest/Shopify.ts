/**
 * Webhooks of Shopify, as its API versions 2026-07 and 2026-10 send them. An order event has the whole order as it is
 * when it is sent.
 */
import { type Result, Schema } from "effect"
import { DateTime, format, type Instant, parse } from "../../model/Instant.ts"
import { isPlainObject, own, quote } from "../../model/json/Json.ts"
import { storable } from "../../model/Text.ts"
import {
  designOf,
  foundTopics,
  idText,
  Line,
  missingTopics,
  OptionalDateTime,
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

/** Names an order among Shopify's objects: a draft, which has the same fields, is another one. */
const OrderName = textThat((text) => text.startsWith("gid://shopify/Order/"), "the name of an order")

const Pieces = Schema.Array(
  Schema.Struct({ id: Schema.optional(Schema.NullOr(PlatformId)), quantity: Schema.optional(Schema.Unknown) }),
)

const readOrder = shapeReader(
  Schema.Struct({
    id: PlatformId,
    admin_graphql_api_id: Schema.optional(Schema.NullOr(OrderName)),
    name: storable(1, 255),
    created_at: DateTime,
    updated_at: DateTime,
    cancelled_at: OptionalDateTime,
    closed_at: OptionalDateTime,
    test: Schema.optional(Schema.NullOr(Schema.Boolean)),
    // Left out, an order would wait for payment for ever.
    financial_status: Schema.NullOr(Schema.String),
    fulfillment_status: Schema.optional(Schema.NullOr(Schema.String)),
    payment_gateway_names: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
    payment_terms: Schema.optional(Schema.Unknown),
    fulfillments: Schema.optional(
      Schema.NullOr(
        Schema.Array(
          Schema.Struct({
            status: Schema.optional(Schema.NullOr(Schema.String)),
            line_items: Schema.optional(Schema.NullOr(Pieces)),
          }),
        ),
      ),
    ),
    refunds: Schema.optional(
      Schema.NullOr(
        Schema.Array(
          Schema.Struct({
            refund_line_items: Schema.optional(
              Schema.NullOr(
                Schema.Array(
                  Schema.Struct({
                    line_item_id: Schema.optional(Schema.NullOr(PlatformId)),
                    quantity: Schema.optional(Schema.Unknown),
                    restock_type: Schema.optional(Schema.NullOr(Schema.String)),
                  }),
                ),
              ),
            ),
          }),
        ),
      ),
    ),
    line_items: Schema.Array(
      Schema.Struct({
        ...Line,
        /** Pieces that were neither removed nor refunded. */
        current_quantity: Schema.optional(Schema.Unknown),
        fulfillment_status: Schema.optional(Schema.NullOr(Schema.String)),
        requires_shipping: Schema.optional(Schema.NullOr(Schema.Boolean)),
        properties: Schema.optional(Schema.Unknown),
        /** The bundle that it is a part of. */
        sales_line_item_group_id: Schema.optional(Schema.Unknown),
      }),
    ),
    line_item_groups: Schema.optional(Schema.Unknown),
  }),
)

type ShopifyOrder = Result.Result.Success<ReturnType<typeof readOrder>>
type ShopifyLine = ShopifyOrder["line_items"][number]

/** States of a parcel that was not sent. */
const notSent: ReadonlyArray<string | null | undefined> = ["cancelled", "error", "failure"]

const sum = (quantities: ReadonlyArray<unknown>): number =>
  quantities.reduce<number>((all, quantity) => all + (wholeOf(quantity) || 0), 0)

/**
 * The pieces of a line to make, or made: what came back after it was shipped is not in
 * `current_quantity`, and was made (D82). Of an order that was refunded as a whole only what was shipped counts.
 */
const piecesOf = (line: ShopifyLine, { financial_status, fulfillments, refunds }: ShopifyOrder) => {
  const quantity = wholeOf(line.quantity) ?? 1
  const current = wholeOf(line.current_quantity) ?? quantity
  const isFulfilled = line.fulfillment_status === "fulfilled"
  const id = idText(line.id)
  const ofLine = (refunds ?? [])
    .flatMap(({ refund_line_items }) => refund_line_items ?? [])
    .filter(({ line_item_id }) => line_item_id !== undefined && line_item_id !== null && idText(line_item_id) === id)
  const refunded = (isIn: (restock: string) => boolean) =>
    sum(ofLine.filter(({ restock_type }) => isIn(restock_type ?? "")).map((each) => each.quantity))
  const returned = refunded((restock) => restock === "return" || (isFulfilled && restock !== "cancel"))
  const sent = sum(
    (fulfillments ?? [])
      .filter(({ status }) => !notSent.includes(status))
      .flatMap(({ line_items }) => line_items ?? [])
      .filter((each) => each.id !== undefined && each.id !== null && idText(each.id) === id)
      .map((each) => each.quantity),
  )
  const shipped = Math.min(quantity, isFulfilled ? quantity - refunded((restock) => restock === "cancel") : sent)
  const pieces = Math.max(Math.min(quantity, current + returned), shipped)
  const wanted = financial_status === "refunded" ? Math.min(pieces, Math.max(shipped, returned)) : pieces
  return { quantity: wanted, isShipped: wanted > 0 && shipped >= wanted }
}

const isGranted = (terms: unknown): boolean =>
  Array.isArray(terms) ? terms.length > 0 : isPlainObject(terms) && Object.keys(terms).length > 0

const isPlatformId = Schema.is(PlatformId)

/** The id of the bundle that a line is a part of; `undefined` without one. */
const bundleOf = ({ sales_line_item_group_id: id }: ShopifyLine): string | undefined =>
  isPlatformId(id) ? idText(id) : undefined

/** The bundles of an order that have the property themselves. A bundle is not a line; its parts need no property. */
const bundlesOf = (order: ShopifyOrder, property: string) => {
  const groups: ReadonlyArray<unknown> = Array.isArray(order.line_item_groups) ? order.line_item_groups : []
  const partsOf = Map.groupBy(order.line_items, bundleOf)
  return groups.filter(isPlainObject).flatMap((group) => {
    const [id, design] = [own(group, "id"), designOf(own(group, "properties"), "name", property)]
    if (!isPlatformId(id) || design === undefined) return []
    const lineItemId = idText(id)
    const parts = (partsOf.get(lineItemId) ?? []).map((part) => ({
      ...piecesOf(part, order),
      all: wholeOf(part.quantity) || 1,
    }))
    const bundles = wholeOf(own(group, "quantity")) ?? 1
    // As many bundles are left as there are for the part that lost the fewest pieces.
    const left = parts.reduce((most, { all, quantity }) => Math.max(most, quantity / all), parts.length === 0 ? 1 : 0)
    const isShipped = parts.length > 0 && parts.every((part) => part.isShipped || part.quantity === 0)
    const quantity = Math.ceil(bundles * left)
    return [reportedLine(design, { lineItemId, quantity, isShipped: isShipped && quantity > 0, ships: true })]
  })
}

const linesOf = (order: ShopifyOrder, property: string) => {
  const bundles = bundlesOf(order, property)
  const designs = new Map<string | undefined, string | null>(bundles.map((each) => [each.lineItemId, each.designId]))
  const lines = order.line_items.flatMap((line) => {
    const design = designOf(line.properties, "name", property)
    if (design === undefined) return []
    // The bundle's design on its parts is the same piece.
    if (design.designId !== null && designs.get(bundleOf(line)) === design.designId) return []
    const ships = line.requires_shipping !== false
    return [reportedLine(design, { lineItemId: idText(line.id), ships, ...piecesOf(line, order) })]
  })
  return [...lines, ...bundles]
}

const orderOf = (order: ShopifyOrder, property: string): PlatformOrder => ({
  id: idText(order.id),
  name: order.name,
  // The schema has validated both. The API writes the same time in UTC.
  orderedAt: format(parse(order.created_at) as Instant),
  modifiedAt: parse(order.updated_at) as Instant,
  parentId: null,
  state: {
    platform: "shopify",
    isTest: order.test === true,
    financial: order.financial_status,
    gateways: order.payment_gateway_names ?? [],
    hasTerms: isGranted(order.payment_terms),
    isFulfilled: order.fulfillment_status === "fulfilled",
    isArchived: (order.closed_at ?? null) !== null,
  },
  lines: linesOf(order, property),
  // Removed lines stay, with no pieces.
  otherLines: null,
  note: null,
})

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
const orderTopics: ReadonlyArray<string> = [
  ...["orders/create", "orders/paid", "orders/updated", "orders/cancelled"],
  ...["orders/fulfilled", "orders/partially_fulfilled", foundTopics.shopify],
]

/** A deleted order has only its id: the topic, which nobody has signed, deletes no other one. */
const readDeletion = shapeReader(Schema.Struct({ id: PlatformId }), (key) => key !== "id")

const OptionalText = Schema.optional(Schema.NullOr(Schema.String))

const readUninstalled = shapeReader(Schema.Struct({ domain: OptionalText, myshopify_domain: OptionalText }))

/** The form of the topics of webhooks. Shopify's newer events have other ones, and other bodies. */
const webhookTopic = /^[a-z_]+(?:\/[a-z_]+)+$/

/** The order of test notifications, 820982911946154508: no id of an order is so large that it is not read exactly. */
const sampleId = "820982911946154508"

const isSample = (json: unknown): boolean =>
  isPlainObject(json) && [sampleId, Number(sampleId)].includes(own(json, "id") as string | number)

const sample: Reading = { _tag: "Nothing", reason: "A test notification of Shopify, about no order" }

const distinct = (ids: ReadonlyArray<string | number>): ReadonlyArray<string> => [...new Set(ids.map(idText))]

/** Reads an event. `property` is the name of the line item property with a design's id. */
export const readShopify = (topic: string, json: unknown, property: string): Reading => {
  if (orderTopics.includes(topic)) {
    if (isSample(json)) return sample
    return readingOf(readOrder(json), (order) => {
      const isCancelled = (order.cancelled_at ?? null) !== null
      if (topic === "orders/cancelled" && !isCancelled) {
        return { _tag: "Unreadable", reason: "cancelled_at: missing, and a topic cancels no order" }
      }
      const read = orderOf(order, property)
      if (!isCancelled) return { _tag: "Place", order: read, isReopened: false }
      // The lines of a cancelled order have no pieces left.
      return { _tag: "Cancel", orderId: read.id, modifiedAt: read.modifiedAt, hasDesigns: read.lines.length > 0 }
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
    case "orders/delete":
      if (isSample(json)) return sample
      return readingOf(readDeletion(json), ({ id }) => ({
        ...{ _tag: "Cancel", orderId: idText(id) },
        ...{ modifiedAt: null, hasDesigns: null },
      }))
    case missingTopics.shopify:
      return readMissing(json)
    case "app/uninstalled":
      return readingOf(readUninstalled(json), ({ domain, myshopify_domain }) => ({
        _tag: "Ended",
        reason: "The app was removed from the shop: its platform sends no more orders",
        domains: [myshopify_domain, domain].filter((named) => typeof named === "string"),
      }))
    default:
      if (!webhookTopic.test(topic)) {
        const reason =
          `The topic ${quote(topic)} is none of a webhook: Shopify's newer events have another form, so the app has ` +
          "to subscribe to webhooks such as orders/create and orders/updated"
        return { _tag: "Unreadable", reason }
      }
      return { _tag: "Nothing", reason: `Designs are not concerned by the topic ${JSON.stringify(topic)}` }
  }
}
