/** Answers of the platforms' APIs, and orders in them (D88). */
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { parseQuery, select } from "../../../conformance/testkit/platforms/GraphQl.ts"
import { shopifyServer } from "../../../conformance/testkit/platforms/ShopifyServer.ts"
import { shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { faultOfStatus } from "./ApiAnswer.ts"
import { defaultProperty, readEvent } from "./ReadEvent.ts"
import {
  askOrders,
  askParts,
  foundShopifyOrder,
  needsParts,
  readOrders,
  readParts,
  shopifyFault,
  waitAfter,
} from "./ShopifyApi.ts"
import * as WooCommerce from "./WooCommerceApi.ts"

const token = "shpat_0123456789"

type Order = ReturnType<typeof shopifyOrder>

/** An order as a webhook that came, and as it is found. */
const both = (fields: object) => {
  const order = {
    ...shopifyOrder({ id: 1, lines: [{ id: 1, quantity: 3, properties: { [defaultProperty]: "a" } }, { id: 2 }] }),
    ...fields,
  }
  const server = shopifyServer(token)
  server.orders.set(1, order as Order & { refunds: []; fulfillments: [] })
  const answer = (request: ReturnType<typeof askOrders>) => {
    const { body, method, path } = request
    const headers = { "x-shopify-access-token": token }
    return JSON.parse(server.answer({ method, path, headers, body: JSON.stringify(body) })?.body ?? "")
  }
  const [found] = Result.getOrThrow(readOrders(answer(askOrders("2026-01-01T00:00:00Z", null)))).orders
  if (found === undefined) throw new Error("Not found")
  const parts = needsParts(found) ? Result.getOrThrow(readParts(answer(askParts(found.order.id)))) : null
  const reading = (topic: string, json: unknown) =>
    readEvent({ source: "shopify", topic, property: defaultProperty }, json)
  return {
    sent: reading("orders/updated", order),
    found: reading("orders/found", foundShopifyOrder(found, parts).payload),
    asksForParts: parts !== null,
  }
}

const [line, second] = shopifyOrder({
  id: 1,
  lines: [{ id: 1, quantity: 3, properties: { [defaultProperty]: "a" } }, { id: 2 }],
}).line_items

const refund = (quantity: number, restock_type: string) => ({
  refund_line_items: [{ line_item_id: 1, quantity, restock_type }],
})

const parcel = (quantity: number, status = "success") => ({ status, line_items: [{ id: 1, quantity }] })

describe("An order that was found at Shopify", () => {
  it.each([
    ["is paid", {}, false],
    ["is paid in part", { financial_status: "partially_paid" }, false],
    ["has no state of payment", { financial_status: null }, false],
    ["is archived", { closed_at: "2026-10-05T11:48:00-04:00" }, false],
    ["is a test", { test: true }, false],
    ["is cancelled", { cancelled_at: "2026-10-05T11:48:00-04:00" }, false],
    [
      "has lost a piece",
      { line_items: [{ ...line, current_quantity: 2 }, second], refunds: [refund(1, "cancel")] },
      true,
    ],
    [
      "got a piece back",
      {
        ...{
          line_items: [{ ...line, current_quantity: 2 }, second],
          fulfillments: [parcel(3), parcel(1, "cancelled")],
        },
        ...{ refunds: [refund(1, "return")], fulfillment_status: "partial" },
      },
      true,
    ],
    ["was shipped in part", { fulfillments: [parcel(2)], fulfillment_status: "partial" }, true],
    [
      "was shipped",
      {
        ...{ fulfillments: [parcel(3)], fulfillment_status: "fulfilled" },
        line_items: [line, second].map((each) => ({ ...each, fulfillment_status: "fulfilled" })),
      },
      false,
    ],
    [
      "has its design on a bundle",
      {
        line_items: [line, second].map((each) => ({ ...each, properties: [], sales_line_item_group_id: 9 })),
        line_item_groups: [{ id: 9, quantity: 1, properties: line?.properties }],
      },
      false,
    ],
  ])("MUST read like the webhook that says the same: it %s (D80, D82, D88)", (_, fields, asksForParts) => {
    const { found, sent, ...rest } = both(fields)
    expect(found).toEqual(sent)
    expect(rest).toEqual({ asksForParts })
  })

  it("MUST lose no piece if there are more refunds than are read (D82, D88)", () => {
    const refunds = Array.from({ length: 10 }, () => refund(0, "no_restock"))
    const { found } = both({ line_items: [{ ...line, current_quantity: 1 }, second], refunds })
    expect(found).toMatchObject({ order: { lines: [{ quantity: 3 }] } })
  })
})

describe("A fault of a platform", () => {
  it("MUST be told from the others (D88)", () => {
    const kinds = [200, 201, 301, 401, 402, 403, 404, 423, 429, 500].map((status) => faultOfStatus(status, null)?.kind)
    expect(kinds).toEqual([
      ...[undefined, undefined, "outage", "key", "outage", "key", "absent", "outage", "throttled", "outage"],
    ])
    expect([faultOfStatus(429, "7")?.wait, faultOfStatus(429, "soon")?.wait]).toEqual([7_000, null])
    const said = (code: string) => shopifyFault({ errors: [{ message: "No", extensions: { code } }] })?.kind
    expect([said("ACCESS_DENIED"), said("THROTTLED"), said("OTHER"), shopifyFault({ data: {} })]).toEqual([
      ...["key", "throttled", "outage", undefined],
    ])
    for (const answer of [null, [], {}, { data: null }, { data: { orders: null } }, "x"]) {
      expect(Result.isFailure(readOrders(answer))).toBe(true)
      expect(Result.isFailure(WooCommerce.readOrders(answer === null ? [1] : answer, { since: 0, page: 1 }))).toBe(
        !Array.isArray(answer) || answer.length > 0,
      )
    }
  })

  it("MUST ask for a wait until the bucket has room (D88)", () => {
    const cost = (requestedQueryCost: number, currentlyAvailable: number, restoreRate = 50) => ({
      extensions: { cost: { requestedQueryCost, throttleStatus: { currentlyAvailable, restoreRate } } },
    })
    expect([waitAfter(cost(100, 500)), waitAfter(cost(100, 50)), waitAfter(cost(100, 0, 0)), waitAfter({})]).toEqual([
      ...[0, 1_000, 60_000, 0],
    ])
  })
})

describe("The GraphQL of tests", () => {
  it("refuses a field that the schema does not have", () => {
    expect(() => select({ id: 1 }, parseQuery("query Q { id name }", {}))).toThrow("name")
  })
})
