/** Hosts that can't reach the directory while a shop moves, and afterwards. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { customizers, ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { makeEntry } from "../../conformance/suites/storage/audit/Entries.ts"
import { makeShop, makeToken, someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { makeEndpoint } from "../../conformance/suites/storage/support/Webhooks.ts"
import { endedMoves } from "../../conformance/testkit/databases/EndedMoves.ts"
import {
  afterStop,
  newShopInUse,
  newShopMoves,
  placesOf,
  type ShopUse,
  type TestHost,
} from "../../conformance/testkit/databases/MovingShops.ts"
import {
  type Answer,
  inProcess,
  manage,
  newDesign,
  newOrder,
  newShop,
  read,
  type Send,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { AuditStore } from "../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../core/ports/CustomizerStore.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { KeptAnswers } from "../../core/ports/KeptAnswers.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { SettingsSessions } from "../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { ShopViews } from "../../core/ports/ShopViews.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { moveShop } from "./index.ts"

/** How often a host reads the directory, in milliseconds: often, or never again. */
const [often, never] = [20, 3_600_000]

/** A bucket in the database of the directory. */
const nearDirectory = 0

/** Makes shops until one has its home in the second database, which has no directory. */
const untilFar = <A, E, R>(make: Effect.Effect<A, E, R>, idOf: (made: A) => string) =>
  Effect.repeat(make, { until: (made) => placesOf(idOf(made)).home % 2 === 1 })

const farShopInUse = untilFar(newShopInUse, ({ shop }) => shop)

const { endedBefore } = endedMoves(moveShop)

const lateDesign = (send: Send, { id }: TestShop, design: string) =>
  manage(send, "PUT", `/shops/${id}/designs/${design}`, ringInput)

/** Changes of every kind. The last one deletes the shop. */
const changesOf = (send: Send, shop: TestShop): ReadonlyArray<Effect.Effect<Answer>> => {
  const at = `/shops/${shop.id}`
  const lines = [{ designId: "waiting", lineItemId: "1" }]
  const order = { name: "#2", orderedAt: "2026-10-05T14:48:00Z", lines }
  const { definition, id: _, ...product } = customizers[0] as (typeof customizers)[number]
  return [
    manage(send, "PUT", at, shopInput),
    lateDesign(send, shop, "late"),
    manage(send, "PUT", `${at}/orders/2`, order),
    manage(send, "POST", `${at}/orders/1/cancel`),
    manage(send, "POST", `${at}/orders/3/cancel`),
    manage(send, "PUT", `${at}/customizers/101`, product),
    manage(send, "POST", `${at}/customizers/101/publish`, { definition }),
    manage(send, "POST", `${at}/webhooks`, { url: "https://93.184.216.34/hook" }),
    manage(send, "POST", `${at}/tokens`, { name: "Late" }),
    manage(send, "DELETE", `${at}/tokens/${shop.tokenId}`),
    manage(send, "DELETE", at),
  ]
}

const readsOf = (send: Send, shop: TestShop): ReadonlyArray<Effect.Effect<Answer>> => [
  read(send, shop.token, "/orders"),
  read(send, shop.token, "/designs/ordered"),
  manage(send, "GET", `/shops/${shop.id}`),
  manage(send, "GET", `/shops/${shop.id}/tokens`),
  manage(send, "GET", `/shops/${shop.id}/webhooks`),
]

/** The status of each answer, and the seconds after which to retry. */
const outcomes = (calls: ReadonlyArray<Effect.Effect<Answer>>) =>
  Effect.map(Effect.all(calls), (answers) =>
    answers.map(({ headers, status }) => [status, headers["retry-after"]] as const),
  )

/** An API over a view of a store. */
const apiOf = (onHost: <A, E>(call: Effect.Effect<A, E, StoragePorts>) => Effect.Effect<A, E>) =>
  inProcess(Layer.effectContext(onHost(Effect.context<StoragePorts>())))

it.live(
  "a host that is cut off from the directory while a shop moves MUST answer 503, and write nothing at the old place",
  () =>
    Effect.gen(function* () {
      const { newHost, onHost, options, rowsOf } = yield* newShopMoves()
      const host = yield* newHost(often)
      const [send, well] = [yield* apiOf(host.onHost), yield* apiOf(onHost)]
      const newFarShop = Effect.gen(function* () {
        const shop = yield* untilFar(newShop(send), ({ id }) => id)
        for (const design of ["ordered", "waiting"]) yield* newDesign(send, shop, design)
        yield* newOrder(send, shop, "1", ["ordered"])
        return shop
      })
      const [moving, other] = [yield* newFarShop, yield* newFarShop]
      const { home, near } = placesOf(moving.id)
      const calls = [...readsOf(send, moving), ...changesOf(send, moving)]
      // The REST API, the first two, says when to retry.
      const refused = calls.map((_, index) => [503, index < 2 ? "1" : undefined])
      expect((yield* outcomes(readsOf(send, other))).map(([status]) => status)).toEqual([200, 200, 200, 200, 200])
      const acknowledged: Array<string> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* host.cutOff(nearDirectory)
          yield* moveShop({
            ...options(moving.id, near),
            onStep: Effect.fnUntraced(function* (step) {
              // Until the switch, the place that the host knows is the right one.
              if (["copy", "follow", "drain"].includes(step)) {
                const { status } = yield* lateDesign(send, moving, step)
                expect([step, status]).toEqual([step, step === "drain" ? 503 : acknowledged.includes(step) ? 200 : 201])
                if (status !== 503) acknowledged.push(step)
              }
              // Until the shop is cleared, the host shows it as it was.
              if (step === "clear the shop") {
                expect(yield* outcomes(changesOf(send, moving))).toEqual(refused.slice(readsOf(send, moving).length))
              }
              if (["clear the source", "note the departure", "remove the gate", "end"].includes(step)) {
                expect([step, yield* outcomes(calls)]).toEqual([step, refused])
              }
            }),
          })
          for (let time = 1; time <= 2; time++) expect(yield* outcomes(calls)).toEqual(refused)
          expect(yield* rowsOf(moving.id, home)).toEqual({})
          expect((yield* outcomes(readsOf(send, other))).map(([status]) => status)).toEqual([200, 200, 200, 200, 200])
          expect((yield* lateDesign(send, other, "late")).status).toBe(201)
          // It can't know whether there is such a shop.
          expect(yield* outcomes([manage(send, "GET", "/shops/nobody")])).toEqual([[503, undefined]])
        }),
      )
      yield* Effect.repeat(read(send, moving.token, "/orders"), { until: ({ status }) => status === 200, times: 50 })
      // The target has every acknowledged design.
      for (const design of acknowledged) expect((yield* lateDesign(well, moving, design)).status).toBe(200)
      const statuses = (yield* outcomes(calls)).map(([status]) => status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 201, 200, 200, 202, 200, 200, 201, 201, 204, 204])
      expect(yield* outcomes([manage(send, "GET", "/shops/nobody")])).toEqual([[404, undefined]])
      expect([yield* rowsOf(moving.id, home), Object.keys(yield* rowsOf(moving.id, near))]).toEqual([
        {},
        ["removed_shops"],
      ])
    }).pipe(Effect.scoped),
)

/** Calls that store something of a shop, and that have found it before. */
const storing = (shop: string): ReadonlyArray<Effect.Effect<unknown, unknown, StoragePorts>> => {
  const product = { shop, id: 7, title: "Ring", platformProductId: "1", assetBase: "https://assets.example.com" }
  const kept = { shop, key: "1", request: "1", now: someTime, until: someTime + 1, hasTexts: false }
  const unstored = { shop, id: "1", isCancelled: true, isEmpty: false, until: someTime }
  return [
    ShopStore.use((shops) => shops.put(makeShop({ id: shop }))),
    TokenStore.use((tokens) => tokens.add(makeToken(shop), 100)),
    EndpointStore.use((endpoints) => endpoints.add(makeEndpoint(shop), 100)),
    CustomizerStore.use((customizers) => customizers.put(product)),
    OrderStore.use((orders) => orders.keepUnstored(unstored, someTime)),
    KeptAnswers.use((answers) => answers.once(kept, Effect.succeed("{}"))),
    AuditStore.use((audit) => audit.add(makeEntry(shop))),
    SettingsSessions.use((sessions) => sessions.spend({ shop, id: "1", until: someTime })),
    SettingsSessions.use((sessions) => sessions.endAll({ shop, owner: "1", now: someTime, until: someTime })),
  ]
}

/** Calls that find a shop. */
const finding = ({
  shop,
  token,
}: ShopUse): ReadonlyArray<Effect.Effect<Option.Option<unknown>, unknown, StoragePorts>> => [
  ShopStore.use((shops) => shops.find(shop)),
  ShopViews.use((views) => views.withEndpoints(shop)),
  TokenStore.use((tokens) => tokens.find(token)),
]

it.live("a place that a shop has left MUST refuse it in every table, also of calls that had found it there", () =>
  Effect.gen(function* () {
    const { departedFrom, newHost, onHost, options, rowsOf } = yield* newShopMoves()
    const host = yield* newHost(often)
    const use = yield* onHost(farShopInUse)
    const { home, near } = placesOf(use.shop)
    yield* host.onHost(use.write)
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* host.cutOff(nearDirectory)
        yield* moveShop(options(use.shop, near))
        for (const call of [use.write, use.count, ...storing(use.shop), ...finding(use)].map(host.onHost)) {
          for (const made of [call, afterStop(call)]) {
            expect(yield* Effect.flip(made)).toMatchObject({ _tag: "StorageError", isRetryable: true })
          }
        }
      }),
    )
    expect([yield* rowsOf(use.shop, home), yield* departedFrom(home)]).toEqual([{}, [use.shop]])
    yield* Effect.retry(host.onHost(use.write), { times: 50 })
    yield* host.onHost(Effect.all(storing(use.shop).slice(1)))
    expect(yield* rowsOf(use.shop, home)).toEqual({})
    yield* onHost(use.check)
  }).pipe(Effect.scoped),
)

it.live("a shop that comes back MUST be stored at home again, and be refused there if that is undone", () =>
  Effect.gen(function* () {
    const { departedFrom, newHost, onHost, options, remains, rowsOf } = yield* newShopMoves()
    const use = yield* onHost(farShopInUse)
    const { home, near } = placesOf(use.shop)
    // Its map has the shop at home.
    const old = yield* newHost(never)
    yield* old.cutOff(nearDirectory)
    yield* moveShop(options(use.shop, near))
    yield* endedBefore(options(use.shop, home), "drain")
    yield* Effect.flip(old.onHost(use.write))
    yield* moveShop(options(use.shop, near))
    yield* endedBefore(options(use.shop, home), "switch")
    yield* moveShop(options(use.shop, near))
    yield* Effect.flip(old.onHost(use.write))
    expect([yield* rowsOf(use.shop, home), yield* departedFrom(home)]).toEqual([{}, [use.shop]])
    yield* onHost(Effect.andThen(use.write, use.check))

    yield* moveShop(options(use.shop, home))
    expect([yield* departedFrom(home), yield* departedFrom(near)]).toEqual([[], [use.shop]])
    yield* onHost(
      Effect.andThen(
        use.write,
        ShopStore.use((shops) => shops.put(makeShop({ id: use.shop }))),
      ),
    )
    yield* old.onHost(use.write)
    yield* endedBefore(options(use.shop, near), "announce")
    yield* onHost(use.write)
    yield* moveShop(options(use.shop, home))
    yield* onHost(use.check)
    expect(yield* remains).toEqual([])
    // A shop that is deleted at its new place is made there again.
    yield* moveShop(options(use.shop, near))
    yield* onHost(ShopStore.use((shops) => shops.remove({ shop: use.shop, now: someTime, limit: 10_000 })))
    yield* onHost(ShopStore.use((shops) => shops.put(makeShop({ id: use.shop }))))
    expect([Object.keys(yield* rowsOf(use.shop, home)), Object.keys(yield* rowsOf(use.shop, near))]).toEqual([
      [],
      ["shops"],
    ])
  }).pipe(Effect.scoped),
)

it.live("a host with an old map MUST find and list every shop", () =>
  Effect.gen(function* () {
    const { newHost, onHost, options } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    // One for each call: it reads the directory once it has asked it.
    const hosts = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => newHost(never))
    yield* moveShop(options(use.shop, placesOf(use.shop).far))
    const query = { search: null, after: null, limit: 10 }
    const lists: ReadonlyArray<Effect.Effect<ReadonlyArray<string>, unknown, StoragePorts>> = [
      ShopStore.use((shops) => Effect.map(shops.list, (all) => all.map(({ id }) => id))),
      ShopViews.use((views) => Effect.map(views.page(query), (all) => all.map(({ id }) => id))),
      SealedSecrets.use((secrets) => Effect.map(secrets.list(null, 10), (all) => all.map(({ shop }) => shop))),
    ]
    const calls = [
      ...lists.map((list) => Effect.map(list, (shops) => shops.includes(use.shop))),
      ...finding(use).map(Effect.map(Option.isSome)),
    ]
    const found = yield* Effect.forEach(calls, (call, index) => (hosts[index] as TestHost).onHost(call))
    expect(found).toEqual([true, true, true, true, true, true])
    const [host] = hosts
    expect(yield* host!.onHost(ShopStore.use((shops) => shops.find("nobody")))).toEqual(Option.none())
  }).pipe(Effect.scoped),
)
