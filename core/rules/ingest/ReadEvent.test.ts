import { describe, expect, it } from "vitest"
import {
  type SampleOrder,
  shopifyDataRequest,
  shopifyOrder,
  shopifyRedaction,
} from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceDeletion, wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import { defaultProperty, readEvent } from "./ReadEvent.ts"

const shopify = (topic: string, json: unknown, property = defaultProperty) =>
  readEvent({ source: "shopify", topic, property }, json)
const wooCommerce = (topic: string, json: unknown, property = defaultProperty) =>
  readEvent({ source: "woocommerce", topic, property }, json)

const withDesign = (id: number, design: string, rest: object = {}) => ({
  id,
  properties: { Engraving: "yes", [defaultProperty]: design },
  ...rest,
})

describe("An event of Shopify", () => {
  const order: SampleOrder = {
    id: 5_500_000_001_027,
    updatedAt: "2026-10-05T10:49:30-04:00",
    lines: [withDesign(1, "a"), { id: 2 }, withDesign(3, "b", { quantity: 4 })],
  }
  const placed = {
    _tag: "Place",
    order: {
      id: "5500000001027",
      name: "#1027",
      currency: "EUR",
      orderedAt: "2026-10-05T10:48:00-04:00",
      modifiedAt: Date.parse("2026-10-05T14:49:30Z"),
      lines: [
        { designId: "a", lineItemId: "1" },
        { designId: "b", lineItemId: "3" },
      ],
    },
  }

  it.each(["orders/create", "orders/paid", "orders/updated"])("%s MUST place the order with its designs", (topic) => {
    expect(shopify(topic, shopifyOrder(order))).toEqual(placed)
  })

  it("MUST take the design from the property with the configured name (D57)", () => {
    const lines = [{ id: 1, properties: { design: "x", [defaultProperty]: "a" } }]
    expect(shopify("orders/create", shopifyOrder({ ...order, lines }), "design")).toMatchObject({
      order: { lines: [{ designId: "x", lineItemId: "1" }] },
    })
  })

  it("MUST leave out lines of no pieces, and count the first line of a design", () => {
    const lines = [withDesign(1, "a", { currentQuantity: 0 }), withDesign(2, "b"), withDesign(3, "b")]
    expect(shopify("orders/create", shopifyOrder({ ...order, lines }))).toMatchObject({
      order: { lines: [{ designId: "b", lineItemId: "2" }] },
    })
  })

  it.each([null, "none", {}, [null], [{ name: defaultProperty }], [{ name: defaultProperty, value: "" }]])(
    "MUST read a line with the properties %j as one without a design",
    (properties) => {
      const payload = shopifyOrder({ ...order, lines: [{ id: 1 }] })
      const json = { ...payload, line_items: [{ ...payload.line_items[0], properties }] }
      expect(shopify("orders/create", json)).toMatchObject({ _tag: "Place", order: { lines: [] } })
    },
  )

  it("MUST read a cancelled order as cancelled, in any topic (D57)", () => {
    const cancelled = { ...order, cancelledAt: "2026-10-06T09:00:00-04:00" }
    const reading = {
      _tag: "Cancel",
      orderId: "5500000001027",
      modifiedAt: Date.parse("2026-10-05T14:49:30Z"),
      hasDesigns: true,
    }
    expect(shopify("orders/updated", shopifyOrder(cancelled))).toEqual(reading)
    expect(shopify("orders/cancelled", shopifyOrder(cancelled))).toEqual(reading)
    expect(shopify("orders/cancelled", shopifyOrder({ ...cancelled, lines: [{ id: 1 }] }))).toEqual({
      ...reading,
      hasDesigns: false,
    })
    // The lines of a cancelled order have no pieces left.
    const lines = [{ id: 1 }, withDesign(2, "a", { currentQuantity: 0 })]
    expect(shopify("orders/cancelled", shopifyOrder({ ...cancelled, lines }))).toEqual(reading)
  })

  it("MUST NOT read an order as cancelled by its topic, which nobody has signed (D57)", () => {
    expect(shopify("orders/cancelled", shopifyOrder(order))).toEqual({
      _tag: "Unreadable",
      reason: "cancelled_at: missing, and the topic alone cancels no order",
    })
  })

  it("MUST read neither a draft nor another object with the fields of an order as one", () => {
    const draft = { ...shopifyOrder(order), admin_graphql_api_id: "gid://shopify/DraftOrder/1" }
    expect(shopify("orders/create", draft)).toMatchObject({
      _tag: "Unreadable",
      reason: expect.stringContaining("admin_graphql_api_id: "),
    })
    expect(shopify("orders/create", { ...draft, admin_graphql_api_id: undefined })._tag).toBe("Place")
  })

  it("MUST name the orders to redact and to disclose, and the shop to remove", () => {
    expect(shopify("customers/redact", shopifyRedaction([1, 2]))).toEqual({
      ...{ _tag: "Redact", domain: "acme.myshopify.com" },
      orders: ["1", "2"],
    })
    expect(shopify("customers/redact", shopifyRedaction([1, 2, 1]))).toMatchObject({ orders: ["1", "2"] })
    expect(shopify("customers/data_request", shopifyDataRequest([3]))).toEqual({
      ...{ _tag: "Disclose", domain: "acme.myshopify.com" },
      orders: ["3"],
    })
    expect(shopify("shop/redact", { shop_id: 954_881, shop_domain: "acme.myshopify.com" })).toEqual({
      _tag: "RemoveShop",
      domain: "acme.myshopify.com",
    })
    expect(shopify("shop/redact", {})).toEqual({ _tag: "RemoveShop", domain: null })
    expect(shopify("products/update", { id: 1 })).toEqual({
      _tag: "Nothing",
      reason: 'Designs are not concerned by the topic "products/update"',
    })
  })

  it("MUST do nothing with the order of a test notification, whose id can't be read exactly", () => {
    const text = JSON.stringify(shopifyOrder(order)).replaceAll(String(order.id), "820982911946154508")
    expect(shopify("orders/create", JSON.parse(text))).toEqual({
      _tag: "Nothing",
      reason: "A test notification of Shopify, about no order",
    })
  })

  it.each([
    ["shop/redact", shopifyRedaction([1]), "customer: "],
    ["shop/redact", { shop_id: 1, shop_domain: "acme.myshopify.com", orders_to_redact: [] }, "orders_to_redact: "],
    ["shop/redact", { shop_id: 1, shop_domain: "acme.myshopify.com", id: 7 }, "id: "],
    ["customers/redact", { ...shopifyRedaction([1]), customer: undefined }, "customer: "],
    ["customers/redact", { ...shopifyRedaction([1]), customer: {} }, "customer: "],
    ["customers/redact", { ...shopifyRedaction([1]), shop_domain: undefined }, "shop_domain: "],
    ["customers/redact", { ...shopifyRedaction(["\0"] as never) }, "orders_to_redact[0]: "],
    ["customers/redact", shopifyDataRequest([1]), "orders_requested: "],
    ["customers/data_request", shopifyRedaction([1]), "orders_to_redact: "],
    ["customers/data_request", { ...shopifyDataRequest([1]), customer: null }, "customer: "],
    ["customers/redact", shopifyRedaction(Array.from({ length: 100_001 }, () => 1)), "orders_to_redact: more than"],
  ])("%s MUST refuse the body %j", (topic, json, begin) => {
    const reading = shopify(topic, json)
    expect(reading._tag).toBe("Unreadable")
    expect("reason" in reading && reading.reason.startsWith(begin)).toBe(true)
  })

  it.each([
    [{ id: undefined }, "id: "],
    [{ id: "1\0" }, "id: "],
    [{ id: "\ud800" }, "id: "],
    [{ id: "1".repeat(256) }, "id: "],
    [{ id: 2 ** 53 }, "id: "],
    [{ name: 1027 }, "name: "],
    [{ currency: null }, "currency: "],
    [{ created_at: "2026-10-05" }, "created_at: "],
    [{ updated_at: "soon" }, "updated_at: "],
    [{ line_items: undefined }, "line_items: "],
    [{ line_items: [{ id: null }] }, "line_items[0].id: "],
  ])("MUST say what is wrong with %j", (fields, begin) => {
    const reading = shopify("orders/create", { ...shopifyOrder(order), ...fields })
    expect(reading).toEqual({ _tag: "Unreadable", reason: expect.stringMatching(/^[a-z_]+(\[0\]\.id)?: ./) })
    expect("reason" in reading && reading.reason.startsWith(begin)).toBe(true)
  })
})

describe("An event of WooCommerce", () => {
  const order = { id: 727, modifiedAt: "2026-10-05T14:49:30", lines: [withDesign(315, "a"), { id: 316 }] }
  const modifiedAt = Date.parse("2026-10-05T14:49:30Z")

  it.each(["pending", "processing", "on-hold", "completed", "refunded"])(
    "MUST place an order that is %s, with its designs",
    (status) => {
      const reading = {
        _tag: "Place",
        order: {
          id: "727",
          name: "#727",
          currency: "EUR",
          orderedAt: "2026-10-05T14:48:00Z",
          modifiedAt,
          lines: [{ designId: "a", lineItemId: "315" }],
        },
      }
      const payload = wooCommerceOrder({ ...order, status })
      expect(wooCommerce("order.created", payload)).toEqual(reading)
      expect(wooCommerce("order.updated", payload)).toEqual(reading)
    },
  )

  it.each(["checkout-draft", "auto-draft", "draft", "failed"])("MUST do nothing with an order that is %s", (status) => {
    expect(wooCommerce("order.updated", wooCommerceOrder({ ...order, status }))).toEqual({
      _tag: "Nothing",
      reason: `The order "727" is ${status}`,
    })
  })

  it.each(["cancelled", "trash"])("MUST read an order that is %s as cancelled", (status) => {
    expect(wooCommerce("order.updated", wooCommerceOrder({ ...order, status }))).toEqual({
      _tag: "Cancel",
      orderId: "727",
      modifiedAt,
      hasDesigns: true,
    })
  })

  it("MUST read a deletion, which has the id alone, as a cancellation (D57)", () => {
    expect(wooCommerce("order.deleted", wooCommerceDeletion(727))).toEqual({
      _tag: "Cancel",
      orderId: "727",
      modifiedAt: null,
      hasDesigns: null,
    })
  })

  it("MUST read no deletion from a body with more than an id, and no order from one of another kind (D57)", () => {
    const refused = (topic: string, json: unknown) => expect(wooCommerce(topic, json)._tag).toBe("Unreadable")
    refused("order.deleted", wooCommerceOrder(order))
    refused("order.deleted", { ...wooCommerceDeletion(727), status: "publish" })
    refused("order.updated", wooCommerceDeletion(727))
    const at = (href: string) => ({ ...wooCommerceOrder(order), _links: { self: [{ href }] } })
    refused("order.updated", at("https://acme.example.com/wp-json/wc/v3/subscriptions/727"))
    refused("order.updated", at("https://acme.example.com/index.php?rest_route=/wc/v3/subscriptions/727"))
    for (const href of [
      "https://acme.example.com/wp-json/wc/v3/orders/727",
      "https://acme.example.com/index.php?rest_route=/wc/v3/orders/727",
      "https://acme.example.com/index.php?rest_route=%2Fwc%2Fv3%2Forders%2F727",
      "https://acme.example.com/hidden",
    ]) {
      expect(wooCommerce("order.updated", at(href))._tag).toBe("Place")
    }
    expect(wooCommerce("order.updated", { ...wooCommerceOrder(order), _links: undefined })._tag).toBe("Place")
  })

  it("MUST do nothing with other topics, and say what is wrong with a payload", () => {
    expect(wooCommerce("coupon.created", { id: 1 })._tag).toBe("Nothing")
    const payload = wooCommerceOrder(order)
    expect(wooCommerce("order.created", { ...payload, date_modified_gmt: "2026-10-05T14:49:30Z" })).toEqual({
      _tag: "Unreadable",
      reason: expect.stringContaining("date_modified_gmt: a date-time in UTC without an offset"),
    })
    expect(wooCommerce("order.deleted", {})).toMatchObject({ _tag: "Unreadable" })
  })
})
