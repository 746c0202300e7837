/** A host with the proxies' map, over a database that still has a shop which has moved. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeShop, makeToken } from "../../conformance/suites/storage/support/Fixtures.ts"
import { createEndpoint, makeEvent, request } from "../../conformance/suites/storage/support/Webhooks.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { ShopViews } from "../../core/ports/ShopViews.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { layerShared, makeState } from "../memory/index.ts"
import { layerPlaced } from "./index.ts"

it.effect("a host MUST neither serve a shop that the map places elsewhere, nor send its deliveries", () =>
  Effect.gen(function* () {
    const stores = layerShared(makeState())
    const [shop, other] = [makeShop(), makeShop()]
    const tokens = [makeToken(shop.id), makeToken(other.id)] as const
    const fill = Effect.gen(function* () {
      for (const each of [shop, other]) {
        yield* ShopStore.use((shops) => shops.put(each))
        yield* createEndpoint(each.id)
        const events = [makeEvent(each.id)]
        yield* OrderStore.use((orders) => orders.commit({ shop: each.id, designs: [], order: null, events }))
      }
      for (const token of tokens) yield* TokenStore.use((store) => store.add(token, 100))
    })
    yield* Effect.provide(fill, stores)
    const elsewhere = new Set<string>([shop.id])
    const placed = layerPlaced((id) => !elsewhere.has(id)).pipe(Layer.provideMerge(stores))
    yield* Effect.gen(function* () {
      const named = [shop.id, other.id]
      const claimed = yield* DeliveryQueue.use((queue) =>
        queue.claim({ ...request(), shops: { newcomer: named, troubled: named, proven: named } }),
      )
      expect(claimed.map((claim) => claim.shop)).toEqual([other.id])
      const calls: ReadonlyArray<Effect.Effect<unknown, StorageError, ShopStore | ShopViews | TokenStore>> = [
        ShopStore.use((shops) => shops.find(shop.id)),
        ShopStore.use((shops) => shops.put(shop)),
        ShopViews.use((views) => views.withEndpoints(shop.id)),
        TokenStore.use((store) => store.find(tokens[0].digest)),
      ]
      for (const call of calls) {
        expect(yield* Effect.flip(call)).toMatchObject({ message: expect.stringContaining("in another cell") })
      }
      const found = yield* TokenStore.use((store) => store.find(tokens[1].digest))
      expect(found).toMatchObject({ value: { shop: { id: other.id } } })
      // The map changes.
      elsewhere.clear()
      for (const call of calls) yield* call
    }).pipe(Effect.provide(placed))
  }),
)
