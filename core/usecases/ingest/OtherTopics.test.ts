/** The topic of a webhook is in a header that nobody has signed: a captured body can be sent under any other. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ring, ringInput } from "../../../conformance/suites/service/Samples.ts"
import {
  lineWith,
  minute,
  receive,
  shopifyWith,
  statusOf,
  worldDomain,
} from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { shopifyDataRequest, shopifyRedaction } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceDeletion, wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import { saveDesign } from "../catalog/SaveDesign.ts"
import { placeOrder } from "../orders/PlaceOrder.ts"
import { readOrder } from "../orders/ReadOrders.ts"
import { getShop } from "../shops/ManageShops.ts"

const order = shopifyWith(["a"])
const later = { updatedAt: minute(1) }
const line = { id: 1, product_id: 7, quantity: 1, properties: [{ name: "_designwire_id", value: "a" }] }
const times = { created_at: minute(0), updated_at: minute(0) }

/** Bodies of Shopify's topics, all about the order 1 or the shop; which of them nobody but the owner may act on. */
const shopifyBodies: Readonly<Record<string, unknown>> = {
  "orders/create": order,
  "orders/paid": order,
  "orders/updated": shopifyWith(["a"], later),
  "orders/cancelled": shopifyWith(["a"], { ...later, cancelledAt: minute(1) }),
  "orders/delete": { id: 1 },
  "customers/redact": shopifyRedaction([1], worldDomain),
  "customers/data_request": shopifyDataRequest([1], worldDomain),
  "shop/redact": { shop_id: 954_881, shop_domain: worldDomain },
  "app/uninstalled": { id: 954_881, name: "Acme", domain: worldDomain, myshopify_domain: worldDomain, ...times },
  "draft_orders/create": { ...order, admin_graphql_api_id: "gid://shopify/DraftOrder/1", status: "open" },
  "checkouts/create": { id: 1, token: "t", name: "#1", currency: "EUR", line_items: [line], ...times },
  "refunds/create": { id: 9, order_id: 1, ...times, refund_line_items: [] },
  "fulfillments/create": { id: 9, order_id: 1, status: "success", ...times, line_items: [line], name: "#1.1" },
  "products/update": { id: 1, title: "Ring", ...times },
  "customers/delete": { id: 1, phone: null, ...times },
}

const wooOrder = (fields: object = {}) => wooCommerceOrder({ id: 1, lines: [lineWith(1, "a")], ...fields })
const wooBodies: Readonly<Record<string, unknown>> = {
  "order.created": wooOrder(),
  "order.updated": wooOrder({ modifiedAt: "2026-10-05T14:51:00" }),
  "order.restored": wooOrder({ modifiedAt: "2026-10-05T14:52:00" }),
  "order.deleted": wooCommerceDeletion(1),
  "subscription.updated": {
    ...wooOrder({ status: "cancelled" }),
    _links: { self: [{ href: "https://acme.example.com/wp-json/wc/v3/subscriptions/1" }] },
  },
  "product.updated": { id: 1, name: "Ring", status: "trash", date_modified_gmt: "2026-10-05T14:51:00" },
  "customer.updated": { id: 1, email: "ada@example.com", date_modified_gmt: "2026-10-05T14:51:00" },
  "coupon.updated": { id: 1, code: "A", status: "trash", date_modified_gmt: "2026-10-05T14:51:00" },
  "action.woocommerce_add_to_cart": { action: "woocommerce_add_to_cart", arg: "1" },
}

const pairs = (bodies: Readonly<Record<string, unknown>>) =>
  Object.keys(bodies).flatMap((topic) =>
    Object.entries(bodies).flatMap(([other, body]) => (topic === other ? [] : [[topic, other, body] as const])),
  )

const isOrder = (topic: string) => /^orders\/(create|paid|updated|cancelled)$/.test(topic)

/** A shop with the order 1 and a buyer's text in its design. */
const prepared = Effect.gen(function* () {
  const world = yield* makeWorld()
  const selection = { ...ring, engrave: "text", line: { text: "To Ada" }, font: "serif" }
  yield* world.run(saveDesign(world.shop, "a", { ...ringInput, selection }))
  const lines = [{ designId: "a", lineItemId: "1" }]
  yield* world.run(placeOrder(world.shop, "1", { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines }))
  const untouched = Effect.gen(function* () {
    expect(yield* statusOf(world)).toBe("ordered a")
    expect((yield* world.run(readOrder(world.shop, "1"))).text).toContain("To Ada")
    expect((yield* world.run(getShop(world.shop))).domain).toBe(worldDomain)
  })
  return { world, untouched }
})

describe("The body of one topic under another", () => {
  it.effect.each([
    ...pairs(shopifyBodies).filter(([topic, other]) => !(isOrder(topic) && other === "orders/cancelled")),
    ...pairs(wooBodies),
  ])("%s with the body of %s MUST cancel, redact and remove nothing (D57)", ([topic, , body]) =>
    Effect.gen(function* () {
      const { untouched, world } = yield* prepared
      yield* receive(world, topic, body)
      yield* untouched
    }),
  )

  it.effect.each(["orders/create", "orders/paid", "orders/updated"])(
    "%s MUST cancel an order that says itself that it was cancelled (D57)",
    (topic) =>
      Effect.gen(function* () {
        const { world } = yield* prepared
        yield* receive(world, topic, shopifyBodies["orders/cancelled"])
        expect(yield* statusOf(world)).toBe("cancelled a")
      }),
  )

  it.effect.each([
    ["customers/redact", shopifyRedaction([1], "other.myshopify.com")],
    ["customers/data_request", shopifyDataRequest([1], "other.myshopify.com")],
    ["shop/redact", { shop_id: 1, shop_domain: "other.myshopify.com" }],
  ] as const)("%s of another shop MUST fail, with both domains (D57)", ([topic, body]) =>
    Effect.gen(function* () {
      const { untouched, world } = yield* prepared
      const kept = yield* receive(world, topic, body)
      expect(kept).toMatchObject({ state: "failed" })
      for (const domain of ["other.myshopify.com", worldDomain]) expect(kept?.reason).toContain(JSON.stringify(domain))
      yield* untouched
    }),
  )
})

it.effect("Shopify's newer events, which have other topics and bodies, MUST be failed with what to do (D57)", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    yield* world.save("a")
    for (const topic of ["Order", "ORDERS_CREATE", "orders-create"]) {
      const kept = yield* receive(world, topic, { ...order, id: topic.length })
      expect([topic, kept?.state]).toEqual([topic, "failed"])
      expect(kept?.reason).toContain("subscribe to webhooks such as orders/create")
    }
    expect(yield* Effect.flip(world.run(readOrder(world.shop, "5")))).toMatchObject({ _tag: "NotFound" })
  }),
)
