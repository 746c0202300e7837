import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  type SampleOrder,
  shopifyDataRequest,
  shopifyOrder,
  shopifyRedaction,
} from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceDeletion, wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import { parsePayload } from "../../model/json/ParseJson.ts"
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
  const lineOf = (lineItemId: string, designId: string | null, quantity = 1) => ({
    ...{ lineItemId, designId, quantity, problem: null, isShipped: false, ships: true },
  })
  const placed = {
    _tag: "Place",
    isReopened: false,
    order: {
      id: "5500000001027",
      name: "#1027",
      orderedAt: "2026-10-05T14:48:00.000+00:00",
      modifiedAt: Date.parse("2026-10-05T14:49:30Z"),
      parentId: null,
      state: {
        ...{ platform: "shopify", isTest: false, financial: "paid", gateways: ["bogus"], hasTerms: false },
        ...{ isFulfilled: false, isArchived: false },
      },
      lines: [lineOf("1", "a"), lineOf("3", "b", 4)],
      otherLines: null,
      note: null,
    },
  }

  it.each(["orders/create", "orders/paid", "orders/updated"])("%s MUST place the order with its designs", (topic) => {
    expect(shopify(topic, shopifyOrder(order))).toEqual(placed)
  })

  it("MUST take the design from the property with the configured name (D57)", () => {
    const lines = [{ id: 1, properties: { design: "x", [defaultProperty]: "a" } }]
    expect(shopify("orders/create", shopifyOrder({ ...order, lines }), "design")).toMatchObject({
      order: { lines: [lineOf("1", "x")] },
    })
  })

  /** The lines with a design of an order with this line. */
  const linesWith = (line: object, rest: object = {}) => {
    const payload = shopifyOrder({ ...order, lines: [{ id: 1 }] })
    const reading = shopify("orders/create", {
      ...payload,
      ...rest,
      line_items: [{ ...payload.line_items[0], ...line }],
    })
    return reading._tag === "Place" ? reading.order.lines : reading
  }

  it.each([null, "none", {}, [null], { other: "a" }])(
    "MUST read a line with the properties %j as one without a design",
    (properties) => {
      expect(linesWith({ properties })).toEqual([])
    },
  )

  const named = (value: unknown) => [{ name: defaultProperty, value }]

  it.each([
    [named(""), "is an empty string"],
    [named("  "), 'is "  "'],
    [named(undefined), "is missing"],
    [named(null), "is null"],
    [named(["a"]), "is a list"],
    [named({ id: "a" }), "is an object"],
    [named(true), "is true"],
    [named(1.5), "is 1.5"],
    [named("a\u0007"), 'is "a\\u0007"'],
    [{ [defaultProperty]: "" }, "is an empty string"],
    [[...named("a"), ...named("b")], 'names "a" and "b"'],
  ])("MUST say of a line with the properties %j that they can't be read (D83)", (properties, problem) => {
    const line = { ...lineOf("1", null), problem: `its property "_designwire_id" ${problem}` }
    expect(linesWith({ properties })).toEqual([line])
  })

  it.each([
    [named(4711), "4711"],
    [named(" a\t"), "a"],
    [[...named(""), ...named("a")], "a"],
    [[...named("a"), ...named("a")], "a"],
    [{ [defaultProperty]: "a" }, "a"],
  ])("MUST read the design of a line with the properties %j (D83)", (properties, design) => {
    expect(linesWith({ properties })).toEqual([lineOf("1", design)])
  })

  const refund = (restock_type: string, quantity: number) => ({
    refunds: [{ refund_line_items: [{ line_item_id: 1, quantity, restock_type }] }],
  })
  const parcel = (quantity: number, status = "success") => ({
    fulfillments: [{ status, line_items: [{ id: 1, quantity }] }],
  })

  it.each([
    ["ordered", { quantity: 3, current_quantity: 3 }, {}, 3, false],
    ["as text", { quantity: "3", current_quantity: null }, {}, 3, false],
    ["removed", { quantity: 1, current_quantity: 0 }, {}, 0, false],
    ["refunded in part before it was shipped", { quantity: 3, current_quantity: 2 }, refund("cancel", 1), 2, false],
    ["shipped", { quantity: 2, current_quantity: 2, fulfillment_status: "fulfilled" }, parcel(2), 2, true],
    ["shipped and returned", { quantity: 2, current_quantity: 0 }, { ...parcel(2), ...refund("return", 2) }, 2, true],
    [
      "shipped and refunded without a return",
      { quantity: 1, current_quantity: 0, fulfillment_status: "fulfilled" },
      refund("no_restock", 1),
      ...[1, true],
    ],
    [
      "shipped in part, the rest removed",
      { quantity: 3, current_quantity: 1 },
      { ...parcel(1), ...refund("cancel", 2) },
      1,
      true,
    ],
    ["in a parcel that was called back", { quantity: 1, current_quantity: 0 }, parcel(1, "cancelled"), 0, false],
    ["refunded with the whole order", { quantity: 1, current_quantity: 1 }, { financial_status: "refunded" }, 0, false],
  ] as ReadonlyArray<[string, object, object, number, boolean]>)(
    "MUST count the pieces of a line that was %s (D81, D82)",
    (_, line, rest, quantity, isShipped) => {
      const properties = named("a")
      expect(linesWith({ properties, ...line }, rest)).toEqual([{ ...lineOf("1", "a", quantity), isShipped }])
    },
  )

  it("MUST say of a line that its quantity is not a whole number (D83)", () => {
    const line = { ...lineOf("1", "a"), problem: "its quantity is not a whole number" }
    expect(linesWith({ properties: named("a"), quantity: 1.5, current_quantity: 1.5 })).toEqual([line])
  })

  it("MUST read ids above 2^53 as they are written, and a gid as its number (D80)", () => {
    const text = JSON.stringify(shopifyOrder({ ...order, lines: [withDesign(3, "a")] }))
    const large = text.replaceAll(String(order.id), "9007199254740995").replaceAll('"id":3,', '"id":9007199254740997,')
    const reading = shopify("orders/create", Result.getOrThrow(parsePayload(large)))
    expect(reading).toMatchObject({ order: { id: "9007199254740995", lines: [lineOf("9007199254740997", "a")] } })
    expect(shopify("orders/delete", { id: "gid://shopify/Order/1027" })).toMatchObject({ orderId: "1027" })
    expect(shopify("customers/redact", shopifyRedaction(["gid://shopify/Order/1", 1] as never))).toMatchObject({
      orders: ["1"],
    })
  })

  it("MUST read a deletion from an id alone, and the end of the app (D80)", () => {
    const deletion = { _tag: "Cancel", orderId: "7", modifiedAt: null, hasDesigns: null }
    expect(shopify("orders/delete", { id: 7 })).toEqual(deletion)
    expect(shopify("orders/delete", shopifyOrder(order))._tag).toBe("Unreadable")
    expect(shopify("app/uninstalled", { id: 1, domain: "acme.myshopify.com" })._tag).toBe("Ended")
  })

  it.each(["Order", "orders.create", "order/Create"])(
    "MUST refuse an event with the topic %s by name (D80)",
    (topic) => {
      expect(shopify(topic, shopifyOrder(order))).toEqual({
        _tag: "Unreadable",
        reason: expect.stringContaining("subscribe to webhooks such as orders/create"),
      })
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
      reason: "cancelled_at: missing, and a topic cancels no order",
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
    [{ name: undefined }, "name: missing: the platform must send webhooks with all their fields"],
    [{ financial_status: undefined }, "financial_status: missing"],
    [{ created_at: "2026-10-05" }, "created_at: "],
    [{ updated_at: "soon" }, "updated_at: "],
    [{ line_items: undefined }, "line_items: "],
    [{ line_items: [{ id: null }] }, "line_items[0].id: "],
  ])("MUST say what is wrong with %j", (fields, begin) => {
    const json: unknown = JSON.parse(JSON.stringify({ ...shopifyOrder(order), ...fields }))
    const reading = shopify("orders/create", json)
    expect(reading).toEqual({ _tag: "Unreadable", reason: expect.stringMatching(/^[a-z_]+(\[0\]\.id)?: ./) })
    expect("reason" in reading && reading.reason.startsWith(begin)).toBe(true)
  })
})

describe("An event of WooCommerce", () => {
  const order = { id: 727, modifiedAt: "2026-10-05T14:49:30", lines: [withDesign(315, "a"), { id: 316 }] }
  const modifiedAt = Date.parse("2026-10-05T14:49:30Z")

  const lineOf = (lineItemId: string, designId: string | null, quantity = 1) => ({
    ...{ lineItemId, designId, quantity, problem: null, isShipped: false, ships: true },
  })

  it.each(["pending", "processing", "on-hold", "completed", "checkout-draft", "in-production"])(
    "MUST read an order that is %s, with its designs and its state (D80)",
    (status) => {
      const reading = {
        _tag: "Place",
        isReopened: false,
        order: {
          id: "727",
          name: "#727",
          orderedAt: "2026-10-05T14:48:00Z",
          modifiedAt,
          parentId: null,
          state: { platform: "woocommerce", status, isPaid: false, wasCompleted: false },
          lines: [lineOf("315", "a")],
          otherLines: ["316"],
          note: null,
        },
      }
      const payload = wooCommerceOrder({ ...order, status })
      expect(wooCommerce("order.created", payload)).toEqual(reading)
      expect(wooCommerce("order.restored", payload)).toEqual({ ...reading, isReopened: true })
    },
  )

  it("MUST read metadata of lines that is an object by its values, and the whole of a part (D83, D84)", () => {
    const payload = wooCommerceOrder(order)
    const meta_data = { "1": { key: "x", value: "y" }, "3": { key: defaultProperty, value: "a" } }
    const line_items = payload.line_items.map((line) => ({ ...line, meta_data }))
    expect(wooCommerce("order.created", { ...payload, line_items, parent_id: 720 })).toMatchObject({
      order: { parentId: "720", lines: [lineOf("315", "a"), lineOf("316", "a")] },
    })
  })

  it("MUST read an order that was refunded as cancelled, unless it was completed before (D82)", () => {
    const refunded = { ...wooCommerceOrder({ ...order, status: "refunded" }), refunds: [{ id: 1, total: "-129.00" }] }
    expect(wooCommerce("order.updated", refunded)._tag).toBe("Cancel")
    const completed = { ...refunded, date_completed_gmt: "2026-10-06T14:48:00" }
    expect(wooCommerce("order.updated", completed)).toMatchObject({
      order: {
        state: { wasCompleted: true },
        note: "129.00 of the order were refunded: which pieces, only the shop knows",
      },
    })
  })

  it("MUST say of an error in place of an order what it is (D85)", () => {
    const error = { code: "woocommerce_rest_cannot_view", message: "Sorry.", data: { status: 401 } }
    for (const topic of ["order.created", "order.deleted"]) {
      expect(wooCommerce(topic, error)).toEqual({
        _tag: "Unreadable",
        reason: expect.stringContaining('an error in place of the order, "woocommerce_rest_cannot_view": "Sorry."'),
      })
    }
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
    // The reason is kept, and a payload has texts of buyers.
    expect(wooCommerce("order.created", { ...payload, date_modified_gmt: "Ada Lovelace" })).toEqual({
      _tag: "Unreadable",
      reason: "date_modified_gmt: must be a date-time in UTC without an offset",
    })
    expect(wooCommerce("order.created", { ...payload, date_modified_gmt: ["Ada Lovelace"] })).toEqual({
      _tag: "Unreadable",
      reason: "date_modified_gmt: must be a date-time in UTC without an offset, not a list",
    })
    expect(wooCommerce("order.created", { ...payload, date_modified_gmt: "2026-10-05T14:49:30Z" })).toEqual({
      _tag: "Unreadable",
      reason: expect.stringContaining("date_modified_gmt: must be a date-time in UTC without an offset"),
    })
    expect(wooCommerce("order.deleted", {})).toMatchObject({ _tag: "Unreadable" })
  })
})
