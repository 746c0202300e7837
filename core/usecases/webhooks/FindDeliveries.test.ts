/** Finding an order by its name, beyond the pages of the settings app (D32). */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Memory from "../../../adapters/memory/index.ts"
import { makeOrder, makeShop, someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { wireHead } from "../../model/Order.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import { findDeliveries } from "./FindDeliveries.ts"

const place = (shop: string, id: string, name: string, orderedAt: number) =>
  OrderStore.use((store) => {
    const time = { orderedAt: new Date(orderedAt).toISOString() }
    const head = wireHead({ ...{ id, name, status: "ordered", currency: "EUR", total: 1999 }, ...time })
    return store.commit({ shop, designs: [], order: makeOrder(shop, id, { orderedAt, head }), events: [] })
  })

it.effect("MUST find the newest five orders with a name, though 60 newer ones begin with it", () =>
  Effect.gen(function* () {
    const shop = makeShop()
    yield* (yield* ShopStore).put(shop)
    for (let index = 0; index < 6; index++) yield* place(shop.id, `old-${index}`, "#Ab10", someTime + index)
    for (let index = 0; index < 60; index++)
      yield* place(shop.id, `new-${index}`, `#Ab10${index}`, someTime + 10 + index)
    const found = yield* findDeliveries(shop.id, "#aB10", null)
    expect(found.map(({ as, id, isStored }) => [as, id, isStored])).toEqual(
      [5, 4, 3, 2, 1].map((index) => ["order", `old-${index}`, true]),
    )
    expect((yield* findDeliveries(shop.id, "old-0", null)).map(({ id }) => id)).toEqual(["old-0"])
    expect(yield* findDeliveries(shop.id, "#Ab", null)).toEqual([])
  }).pipe(Effect.provide(Layer.fresh(Memory.layer))),
)
