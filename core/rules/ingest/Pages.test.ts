/** Orders that are found by the platforms' APIs read like those that come by webhooks (D88). */
import { describe, expect, it } from "@effect/vitest"
import { shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import { defaultProperty, readEvent } from "./ReadEvent.ts"
import {
  type FoundOrder,
  linesQuery,
  ordersQuery,
  ordersVariables,
  readLinesPage,
  readOrdersPage,
  waitAfter,
  withLines,
} from "./ShopifyPages.ts"
import { readWooCommercePage, wooCommercePath } from "./WooCommercePages.ts"

const gid = (type: string, id: number) => `gid://shopify/${type}/${id}`

const lineNode = (id: number, design: string | null, fields: object = {}) => ({
  ...{ id: gid("LineItem", id), quantity: 1, currentQuantity: 1, requiresShipping: true },
  customAttributes: design === null ? [] : [{ key: defaultProperty, value: design }],
  ...fields,
})

const linesOf = (nodes: ReadonlyArray<object>, endCursor: string | null = null) => ({
  nodes,
  pageInfo: { hasNextPage: endCursor !== null, endCursor },
})

const orderNode = (lines: ReturnType<typeof linesOf>, fields: object = {}) => ({
  ...{ id: gid("Order", 1), name: "#1", createdAt: "2026-10-05T14:48:00Z", updatedAt: "2026-10-05T14:50:00Z" },
  ...{ cancelledAt: null, closedAt: null, test: false, displayFinancialStatus: "PAID" },
  ...{ displayFulfillmentStatus: "UNFULFILLED", paymentGatewayNames: ["manual"], paymentTerms: null },
  ...{ lineItems: lines, fulfillments: [], refunds: [] },
  ...fields,
})

const answerOf = (nodes: ReadonlyArray<object>, endCursor: string | null = null) => ({
  data: { orders: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } } },
})

/** The only order of a page. */
const found = (node: object): FoundOrder => {
  const page = readOrdersPage(answerOf([node]))
  if (page._tag !== "Page" || page.orders[0] === undefined) throw new Error(JSON.stringify(page))
  return page.orders[0]
}

const reading = (json: unknown, source: "shopify" | "woocommerce" = "shopify") =>
  readEvent(
    { source, topic: source === "shopify" ? "orders/updated" : "order.updated", property: defaultProperty },
    json,
  )

describe("An order of Shopify that was found", () => {
  it("MUST read like the webhook that says the same (D88)", () => {
    const lines = [{ id: 1, quantity: 3, currentQuantity: 2, properties: { [defaultProperty]: "a" } }, { id: 2 }]
    const sent = shopifyOrder({
      ...{ id: 1, lines, createdAt: "2026-10-05T14:48:00Z", updatedAt: "2026-10-05T14:50:00Z" },
    })
    const nodes = [lineNode(1, "a", { quantity: 3, currentQuantity: 2 }), lineNode(2, null)]
    const gateways = { paymentGatewayNames: sent.payment_gateway_names }
    const node = orderNode(linesOf(nodes), { name: sent.name, ...gateways })
    expect(reading(found(node).payload)).toEqual(reading(sent))
  })

  it.each([
    ["is paid in part", { displayFinancialStatus: "PARTIALLY_PAID" }, { financial: "partially_paid" }],
    ["has no state of payment", { displayFinancialStatus: null }, { financial: null }],
    ["is fulfilled", { displayFulfillmentStatus: "FULFILLED" }, { isFulfilled: true }],
    ["is on its way", { displayFulfillmentStatus: "IN_PROGRESS" }, { isFulfilled: false }],
    ["is archived", { closedAt: "2026-10-05T14:50:00Z" }, { isArchived: true }],
    ["has payment terms", { paymentTerms: { id: gid("PaymentTerms", 1) } }, { hasTerms: true }],
    ["is a test", { test: true }, { isTest: true }],
  ])("MUST say that it %s (D80, D88)", (_, fields, state) => {
    expect(reading(found(orderNode(linesOf([lineNode(1, "a")]), fields)).payload)).toMatchObject({
      ...{ _tag: "Place", order: { id: "1", state } },
    })
  })

  it("MUST be cancelled, and count what was shipped and came back (D82, D88)", () => {
    const cancelled = orderNode(linesOf([lineNode(1, "a")]), { cancelledAt: "2026-10-05T14:50:00Z" })
    expect(reading(found(cancelled).payload)).toMatchObject({ _tag: "Cancel", orderId: "1" })
    const ofLine = { quantity: 2, lineItem: { id: gid("LineItem", 1) } }
    const returned = orderNode(linesOf([lineNode(1, "a", { quantity: 2, currentQuantity: 0 })]), {
      fulfillments: [{ status: "SUCCESS", fulfillmentLineItems: { nodes: [ofLine] } }],
      refunds: [{ refundLineItems: { nodes: [{ ...ofLine, restockType: "RETURN" }] } }],
    })
    expect(reading(found(returned).payload)).toMatchObject({ order: { lines: [{ quantity: 2, isShipped: true }] } })
    const removed = orderNode(linesOf([lineNode(1, "a", { quantity: 2, currentQuantity: 0 })]))
    expect(reading(found(removed).payload)).toMatchObject({ order: { lines: [{ quantity: 0 }] } })
  })

  it("MUST have its lines beyond the first 250 (D88)", () => {
    const first = found(orderNode(linesOf([lineNode(1, "a")], "cursor-1")))
    expect(first.moreLines).toBe("cursor-1")
    const more = readLinesPage({ data: { order: { lineItems: linesOf([lineNode(2, "b")]) } } })
    if (more._tag !== "Lines") throw new Error(JSON.stringify(more))
    const whole = withLines(first, more)
    expect(whole.moreLines).toBeNull()
    const lines = [{ designId: "a" }, { designId: "b" }]
    expect(reading(whole.payload)).toMatchObject({ order: { lines } })
    expect(readLinesPage({ data: { order: null } })).toEqual({ _tag: "Lines", lines: [], moreLines: null })
  })
})

describe("An answer of Shopify", () => {
  it("MUST lead to the next page, and to none at the end (D88)", () => {
    expect(readOrdersPage(answerOf([], "next"))).toMatchObject({ next: "next", orders: [] })
    expect(readOrdersPage(answerOf([]))).toMatchObject({ next: null })
    expect(ordersVariables("2026-10-05T00:00:00Z", null, 50)).toEqual({
      ...{ first: 50, after: null, query: "updated_at:>='2026-10-05T00:00:00Z'" },
    })
    for (const query of [ordersQuery, linesQuery]) expect(query).toContain("lineItems(first: 250")
  })

  it("MUST ask for a wait until its bucket has room (D88)", () => {
    const cost = (requestedQueryCost: number, currentlyAvailable: number, restoreRate = 50) => ({
      extensions: { cost: { requestedQueryCost, throttleStatus: { currentlyAvailable, restoreRate } } },
    })
    expect([waitAfter(cost(100, 500)), waitAfter(cost(100, 50)), waitAfter(cost(100, 0, 0)), waitAfter({})]).toEqual([
      ...[0, 1_000, 60_000, 0],
    ])
    const errors = [{ message: "Throttled", extensions: { code: "THROTTLED" } }]
    expect(readOrdersPage({ errors, ...cost(200, 100) })).toEqual({ _tag: "Throttled", milliseconds: 2_000 })
    expect(readOrdersPage({ errors })).toEqual({ _tag: "Throttled", milliseconds: 1_000 })
  })

  it("MUST be told from a lost key and from anything else (D88)", () => {
    const denied = { message: "Access denied for orders field.", extensions: { code: "ACCESS_DENIED" } }
    expect(readOrdersPage({ errors: [denied] })).toEqual({ _tag: "LostKey", message: denied.message })
    expect(readLinesPage({ errors: [{ message: "Oops" }] })).toEqual({ _tag: "Unreadable", message: "Oops" })
    for (const answer of [null, [], {}, { data: null }, { data: { orders: null } }, "x"]) {
      expect(readOrdersPage(answer)).toMatchObject({ _tag: "Unreadable" })
    }
  })
})

describe("A page of WooCommerce", () => {
  it("MUST have orders that read like webhooks (D88)", () => {
    const order = wooCommerceOrder({ id: 1, lines: [{ id: 1, properties: { [defaultProperty]: "a" } }] })
    const page = readWooCommercePage([order], { page: 1, totalPages: "1" })
    expect(page?.next).toBeNull()
    expect(reading(page?.orders[0], "woocommerce")).toMatchObject({
      _tag: "Place",
      order: { lines: [{ designId: "a" }] },
    })
  })

  it("MUST lead to the next page by the number of all, and without it by its size (D88)", () => {
    const nextOf = (size: number, page: number, totalPages?: string) =>
      readWooCommercePage(Array(size).fill({}), { page, totalPages })?.next
    expect([nextOf(10, 1, "2"), nextOf(10, 2, "2"), nextOf(0, 1, "2")]).toEqual([2, null, null])
    expect([nextOf(100, 3), nextOf(99, 3), nextOf(100, 3, "x")]).toEqual([4, null, 4])
    for (const body of [{}, null, [1], "[]"]) {
      expect(readWooCommercePage(body, { page: 1, totalPages: "1" })).toBeUndefined()
    }
  })

  it("MUST be asked for by the time of modification in UTC, every state among them (D88)", () => {
    const url = new URL(wooCommercePath("2026-10-05T00:00:00", 2), "https://acme.example.com")
    expect(url.pathname).toBe("/wp-json/wc/v3/orders")
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ modified_after: "2026-10-05T00:00:00", dates_are_gmt: "true", orderby: "modified", order: "asc" },
      ...{ status: "any", per_page: "100", page: "2" },
    })
  })
})
