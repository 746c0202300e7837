/** A host with the proxies' map, over a database that still has a shop which has moved. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  makeInboxItem,
  makeShop,
  makeToken,
  someTime,
  unique,
} from "../../conformance/suites/storage/support/Fixtures.ts"
import {
  advance,
  createEndpoint,
  failure,
  makeEvent,
  request,
} from "../../conformance/suites/storage/support/Webhooks.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { layerShared, makeState } from "../memory/index.ts"
import { layerPlaced } from "./index.ts"

/** A claim names the shops of each standing apart. */
const standings = [
  { proven: false, troubled: false },
  { proven: false, troubled: true },
  { proven: true, troubled: false },
]

it.effect("a host MUST neither serve a shop that the map places elsewhere, nor send its deliveries (D94)", () =>
  Effect.gen(function* () {
    const stores = layerShared(makeState())
    const [shop, other] = [makeShop(), makeShop()]
    const tokens = [makeToken(shop.id), makeToken(other.id)] as const
    const fill = Effect.gen(function* () {
      for (const each of [shop, other]) {
        yield* ShopStore.use((shops) => shops.put(each))
        for (const standing of standings) yield* createEndpoint(each.id, standing)
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
      expect(claimed.map((claim) => claim.shop)).toEqual(standings.map(() => other.id))
      const walk = DeliveryQueue.use((queue) => queue.walk({ now: someTime, after: null, limit: 10 }))
      expect((yield* walk).shops).not.toContain(shop.id)
      const calls: ReadonlyArray<Effect.Effect<unknown, StorageError, ShopStore | EndpointStore | TokenStore>> = [
        ShopStore.use((shops) => shops.find(shop.id)),
        ShopStore.use((shops) => shops.put(shop)),
        EndpointStore.use((endpoints) => endpoints.withShop(shop.id)),
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

it.effect(
  "a worker MUST send no notice of a shop that the map places elsewhere, however many wait, nor apply its events (D94)",
  () =>
    Effect.gen(function* () {
      const stores = layerShared(makeState())
      const [shop, other] = [makeShop(), makeShop()]
      const fill = Effect.gen(function* () {
        for (const [each, notices] of [
          [shop, 5],
          [other, 1],
        ] as const) {
          yield* ShopStore.use((shops) => shops.put(each))
          yield* createEndpoint(each.id)
          const events = Array.from({ length: notices }, () => makeEvent(each.id))
          yield* OrderStore.use((orders) => orders.commit({ shop: each.id, designs: [], order: null, events }))
          const shops = { newcomer: [each.id], troubled: [each.id], proven: [each.id] }
          const claims = yield* DeliveryQueue.use((queue) => queue.claim({ ...request(), shops }))
          const givenUp = claims.map((claim) => ({ ...failure(claim), status: "failed" as const, nextAttemptAt: null }))
          yield* DeliveryQueue.use((queue) => queue.settle(givenUp, advance))
          yield* Inbox.use((inbox) => inbox.put(makeInboxItem(each.id)))
        }
      })
      yield* Effect.provide(fill, stores)
      const elsewhere = new Set<string>([shop.id])
      const placed = layerPlaced((id) => !elsewhere.has(id)).pipe(Layer.provideMerge(stores))
      yield* Effect.gen(function* () {
        let now = someTime + 3_600_000
        const claimed = Effect.suspend(() => {
          now += 61_000
          const claim = { now, limit: 2, leaseUntil: now + 60_000, token: unique() }
          return Effect.map(
            NoticeStore.use((notices) => notices.claim(claim)),
            (claims) => claims.map(({ notice }) => notice.shop),
          )
        })
        expect(yield* claimed).toEqual([other.id])
        expect(yield* Effect.flip(Inbox.use((inbox) => inbox.put(makeInboxItem(shop.id))))).toMatchObject({
          message: expect.stringContaining("in another cell"),
        })
        const ready = (id: string) => Inbox.use((inbox) => inbox.ready({ shop: id, after: null, limit: 10 }))
        expect((yield* ready(other.id)).found).toHaveLength(1)
        expect((yield* ready(shop.id)).found).toEqual([])
        // The map changes.
        elsewhere.clear()
        expect(yield* claimed).toHaveLength(2)
        expect((yield* ready(shop.id)).found).toHaveLength(1)
      }).pipe(Effect.provide(placed))
    }),
)
