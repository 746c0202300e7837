/** Finding an order by its name, beyond the pages of the settings app (D32). */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Memory from "../../../adapters/memory/index.ts"
import { makeDesign, makeOrder, makeShop, someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { wireHead } from "../../model/orders/Order.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import { findDeliveries } from "./FindDeliveries.ts"

const place = (shop: string, id: string, name: string, orderedAt: number) =>
  OrderStore.use((store) => {
    const time = { orderedAt: new Date(orderedAt).toISOString() }
    const head = wireHead({ ...{ id, name, status: "ordered", currency: "EUR", total: 1999 }, ...time })
    return store.commit({ shop, designs: [], order: makeOrder(shop, id, { orderedAt, head }), events: [] })
  })

it.effect(
  "MUST find the newest five orders with a name, though 60 newer ones begin with it, and say if more have it",
  () =>
    Effect.gen(function* () {
      const shop = makeShop()
      yield* (yield* ShopStore).put(shop)
      for (let index = 0; index < 6; index++) yield* place(shop.id, `old-${index}`, "#Ab10", someTime + index)
      for (let index = 0; index < 60; index++)
        yield* place(shop.id, `new-${index}`, `#Ab10${index}`, someTime + 10 + index)
      const { found, hasMoreOrders } = yield* findDeliveries(shop.id, "#aB10", null)
      expect(hasMoreOrders).toBe(true)
      expect(found.map(({ as, id, isStored }) => [as, id, isStored])).toEqual(
        [5, 4, 3, 2, 1].map((index) => ["order", `old-${index}`, true]),
      )
      const one = yield* findDeliveries(shop.id, "old-0", null)
      expect([one.found.map(({ id }) => id), one.hasMoreOrders]).toEqual([["old-0"], false])
      expect(yield* findDeliveries(shop.id, "#Ab", null)).toEqual({ found: [], hasMoreOrders: false })
    }).pipe(Effect.provide(Layer.fresh(Memory.layer))),
)

it.effect("MUST find what an id is of before any order with that name, however many newer ones have it", () =>
  Effect.gen(function* () {
    const shop = makeShop()
    yield* (yield* ShopStore).put(shop)
    yield* place(shop.id, "1001", "#1", someTime)
    const design = makeDesign(shop.id, "1001")
    yield* (yield* OrderStore).commit({ shop: shop.id, designs: [design], order: null, events: [] })
    for (let index = 0; index < 5; index++) yield* place(shop.id, `namesake-${index}`, "1001", someTime + 1 + index)
    const namesakes = [4, 3, 2, 1, 0].map((index) => ["order", `namesake-${index}`])
    const expected = [["order", "1001"], ["design", "1001"], ...namesakes]
    const before = yield* findDeliveries(shop.id, "1001", null)
    expect(before.found.map(({ as, id }) => [as, id])).toEqual(expected)
    expect(before.found.every(({ isStored }) => isStored)).toBe(true)
    expect(before.hasMoreOrders).toBe(false)
    // Its own name is its id, too: it is not among those that are more.
    yield* place(shop.id, "2002", "2002", someTime)
    for (let index = 0; index < 5; index++) yield* place(shop.id, `other-${index}`, "2002", someTime + 1 + index)
    const own = yield* findDeliveries(shop.id, "2002", null)
    expect([own.found.length, own.found[0]?.id, own.hasMoreOrders]).toEqual([6, "2002", false])
    yield* place(shop.id, "other-5", "2002", someTime + 6)
    expect((yield* findDeliveries(shop.id, "2002", null)).hasMoreOrders).toBe(true)
  }).pipe(Effect.provide(Layer.fresh(Memory.layer))),
)

it.effect("MUST find an order by the number behind #, and any id in a pasted sentence, a URL or capitals (D32)", () =>
  Effect.gen(function* () {
    const shop = makeShop()
    yield* (yield* ShopStore).put(shop)
    yield* place(shop.id, "gid://shop/Order/5001", "#1027", someTime)
    yield* place(shop.id, "other", "#10270", someTime + 1)
    const own = "dsn_0354yBVDCwUyX8C39yi2L9"
    const designs = ["3f2504e0-4f89-41d3-9a0c-0305e82c3301", "d-7", "D-8", own].map((id) => makeDesign(shop.id, id))
    yield* (yield* OrderStore).commit({ shop: shop.id, designs, order: null, events: [] })
    const order = ["order", "gid://shop/Order/5001"]
    for (const [text, expected] of [
      ["1027", [order]],
      ["#1027", [order]],
      ["Where is my order 1027?", [order]],
      ["Bestellung „#1027“ fehlt", [order]],
      ["https://shop.example.com/settings/acme/orders/gid%3A%2F%2Fshop%2FOrder%2F5001", [order]],
      ["3F2504E0-4F89-41D3-9A0C-0305E82C3301", [["design", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"]]],
      ["order 1027 has D-7", [order, ["design", "d-7"]]],
      ["d-8", [["design", "D-8"]]],
      [own.toUpperCase(), [["design", own]]],
      [own.toLowerCase(), [["design", own]]],
      [`https://erp.example.com/find?design=${own.toUpperCase()}&x=1`, [["design", own]]],
      [`1027: ${own.toUpperCase()}, please`, [order, ["design", own]]],
      ["1026 and nothing else", []],
    ] as const) {
      const { found } = yield* findDeliveries(shop.id, text, null)
      expect([text, found.map(({ as, id }) => [as, id])]).toEqual([text, expected])
    }
  }).pipe(Effect.provide(Layer.fresh(Memory.layer))),
)
