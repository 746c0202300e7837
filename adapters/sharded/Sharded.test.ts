import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { describe, it as plain } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { portName } from "../../conformance/suites/runner/picked.ts"
import { callsOfPorts } from "../../conformance/suites/storage/FaultCalls.ts"
import { OtherStore } from "../../conformance/suites/storage/StorageCase.ts"
import { makeShop, makeToken, someTime, unique } from "../../conformance/suites/storage/support/Fixtures.ts"
import { twoHosts } from "../../conformance/suites/storage/support/Hosts.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import { advance, createEndpoint, happen, request, success } from "../../conformance/suites/storage/support/Webhooks.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { layerShared, makeState } from "../memory/index.ts"
import { layer } from "./index.ts"

/** The last digit of a shop's id decides which of two stores it is in. */
const byDigit = (shop: string) => Effect.succeed((shop.codePointAt(shop.length - 1) ?? 0) % 2 === 0 ? "even" : "odd")

register(
  storage({
    name: "storage in two stores in memory",
    open: Effect.sync(() => {
      const [even, odd] = [makeState(), makeState()]
      return layer({ stores: { even: layerShared(even), odd: layerShared(odd) }, storeOf: byDigit })
    }),
    lacks: {
      transaction: "memory has no transaction that an embedder could open",
      faults: "nothing lies between a host and its memory",
    },
  }),
  { describe, it: plain },
)

/** A store that runs an effect before each call of a method; if the effect fails, so does the call. */
const before = (
  store: Layer.Layer<StoragePorts>,
  ask: (method: string) => Effect.Effect<void, StorageError>,
): Layer.Layer<StoragePorts> => {
  const asking = (name: string, member: unknown): unknown => {
    const asked = Effect.suspend(() => ask(name))
    if (Effect.isEffect(member)) return Effect.andThen(asked, member)
    if (typeof member !== "function") return member
    return (...parameters: ReadonlyArray<unknown>) =>
      Effect.andThen(
        asked,
        Effect.suspend(() => member(...parameters)),
      )
  }
  return Layer.effectContext(
    Effect.map(Layer.build(store), (ports) =>
      Context.makeUnsafe<StoragePorts>(
        new Map(
          Array.from(ports.mapUnsafe, ([key, service]) => [
            key,
            Object.fromEntries(
              Object.entries(service as object).map(([method, member]) => [
                method,
                asking(`${portName({ key })}.${method}`, member),
              ]),
            ),
          ]),
        ),
      ),
    ),
  )
}

it.effect("a call for one shop MUST reach the shop's store and no other", () =>
  Effect.gen(function* () {
    const elsewhere = new Set<string>()
    const note = (method: string) => Effect.sync(() => void elsewhere.add(method))
    const all = new Set<string>()
    const open = Effect.sync(() =>
      layer({
        stores: { here: layerShared(makeState()), elsewhere: before(layerShared(makeState()), note) },
        storeOf: () => Effect.succeed("here"),
      }),
    )
    for (const { make, name } of callsOfPorts) {
      yield* Effect.gen(function* () {
        const { calls } = yield* make
        for (const [method, call] of Object.entries(calls)) {
          elsewhere.clear()
          yield* call
          if (elsewhere.size > 0) all.add(`${name}.${method}`)
        }
      }).pipe(
        Effect.scoped,
        Effect.provideService(OtherStore, Effect.die(new Error("No case here opens another store"))),
        Effect.provide(twoHosts(open), { local: true }),
      )
    }
    expect([...all].toSorted()).toEqual([
      "DeliveryQueue.walk",
      "NoticeStore.claim",
      "ShopStore.list",
      "Upkeep.prune",
      "Upkeep.purgeRemoved",
      "Upkeep.statistics",
    ])
  }),
)

/** Two stores that fail while their name is in `down`, and the calls that they received. */
const breakable = () => {
  const down = new Set<string>()
  const asked: Array<string> = []
  const store = (name: string) =>
    before(layerShared(makeState()), (method) => {
      asked.push(`${name} ${method}`)
      const fails = down.has(name) && !/^(DeliverySignal|TokenStore.onChanged|TokenStore.caughtUp)/.test(method)
      return fails
        ? Effect.fail(new StorageError({ message: "it is down", cause: name, isRetryable: true }))
        : Effect.void
    })
  const stores = { first: store("first"), second: store("second") }
  return { down, asked, stores: layer({ stores, storeOf: (shop) => Effect.succeed(shop.split("-")[0] ?? "") }) }
}

/** A shop in a store, with an endpoint, a token and a due delivery. */
const newShop = Effect.fnUntraced(function* (store: string) {
  const shop = makeShop({ id: `${store}-${unique(8)}` })
  yield* ShopStore.use((shops) => shops.put(shop))
  const endpoint = yield* createEndpoint(shop.id)
  const token = makeToken(shop.id)
  yield* TokenStore.use((tokens) => tokens.add(token, 100))
  yield* happen(shop.id)
  return { shop, endpoint, token }
})

/** A step of a walk. */
const step = { now: someTime, after: null, limit: 10 }

const isDown = { _tag: "StorageError", message: "it is down", isRetryable: true }

it.effect("while a store fails, shops of other stores MUST be served as before (D45)", () => {
  const { down, stores } = breakable()
  return Effect.gen(function* () {
    const [shops, tokens, queue] = [yield* ShopStore, yield* TokenStore, inTurn(yield* DeliveryQueue)]
    const [log, upkeep, notices] = [yield* DeliveryLog, yield* Upkeep, yield* NoticeStore]
    const [mine, theirs] = [yield* newShop("first"), yield* newShop("second")]
    down.add("second")
    expect(yield* shops.find(mine.shop.id)).toEqual(Option.some(mine.shop))
    expect(yield* Effect.flip(shops.find(theirs.shop.id))).toMatchObject(isDown)
    expect(Option.isSome(yield* tokens.find(mine.token.digest))).toBe(true)
    // The failing store may have the token.
    for (const digest of [theirs.token.digest, unique(64)]) {
      expect(yield* Effect.flip(tokens.find(digest))).toMatchObject(isDown)
    }
    expect((yield* queue.walk(step)).shops).toEqual([mine.shop.id])
    for (const found of [[mine.shop.id], [], []]) {
      expect((yield* queue.claim(request())).map(({ shop }) => shop)).toEqual(found)
    }
    expect(yield* notices.claim({ now: someTime, limit: 1, leaseUntil: someTime + 1, token: "t" })).toEqual([])
    expect(yield* log.list(mine.shop.id, mine.endpoint.id, 50)).toHaveLength(1)
    expect(yield* upkeep.prune({ keep: 50, eventsBefore: 0, now: 0, limit: 10, after: null })).toBeNull()
    expect(yield* Effect.flip(shops.list)).toMatchObject(isDown)
    expect(yield* Effect.flip(upkeep.statistics(someTime))).toMatchObject(isDown)

    down.add("first")
    expect(yield* Effect.flip(queue.walk(step))).toMatchObject(isDown)
    const named = { newcomer: [], troubled: [], proven: [mine.shop.id, theirs.shop.id] }
    const claim = DeliveryQueue.use((store) => store.claim({ ...request(), shops: named }))
    expect(yield* Effect.flip(claim)).toMatchObject(isDown)
    expect(
      yield* Effect.flip(upkeep.prune({ keep: 50, eventsBefore: 0, now: 0, limit: 10, after: null })),
    ).toMatchObject(isDown)

    down.clear()
    expect((yield* queue.claim(request())).map(({ shop }) => shop)).toEqual([theirs.shop.id])
    expect((yield* shops.list).map(({ id }) => id)).toEqual([mine.shop.id, theirs.shop.id].toSorted())
  }).pipe(Effect.provide(stores, { local: true }))
})

it.effect(
  "settling MUST be done in the working stores, fail if one doesn't work, and be completed when it is repeated",
  () => {
    const { down, stores } = breakable()
    return Effect.gen(function* () {
      const [queue, log] = [inTurn(yield* DeliveryQueue), yield* DeliveryLog]
      const shops = [yield* newShop("second"), yield* newShop("first"), yield* newShop("second")]
      const claims = yield* queue.claim(request())
      const settlements = shops
        .flatMap(({ shop }) => claims.filter((claim) => claim.shop === shop.id))
        .map((claim) => success(claim))
      const statuses = Effect.forEach(shops, ({ endpoint, shop }) =>
        Effect.map(log.list(shop.id, endpoint.id, 1), ([delivery]) => delivery?.status),
      )
      down.add("second")
      expect(yield* Effect.flip(queue.settle(settlements, advance))).toMatchObject(isDown)
      down.clear()
      expect(yield* statuses).toEqual(["pending", "succeeded", "pending"])
      expect(yield* queue.settle(settlements, advance)).toEqual([true, false, true])
      expect(yield* statuses).toEqual(["succeeded", "succeeded", "succeeded"])
    }).pipe(Effect.provide(stores, { local: true }))
  },
)

it.effect("settling MUST be done for a shop whose store is known, though another shop's store is unknown", () => {
  const stores = { first: layerShared(makeState()), second: layerShared(makeState()) }
  const storeOf = (shop: string) => Effect.succeed(shop.split("-")[0] ?? "")
  const knowingOne = (shop: string) =>
    shop.startsWith("first")
      ? storeOf(shop)
      : Effect.fail(new StorageError({ message: "it is down", cause: undefined, isRetryable: true }))
  return Effect.gen(function* () {
    const settlements = yield* Effect.gen(function* () {
      yield* newShop("first")
      yield* newShop("second")
      return (yield* DeliveryQueue.use((queue) => inTurn(queue).claim(request()))).map((claim) => success(claim))
    }).pipe(Effect.provide(layer({ stores, storeOf }), { local: true }))
    expect(settlements).toHaveLength(2)
    const settling = DeliveryQueue.use((queue) => queue.settle(settlements, advance))
    const error = yield* Effect.flip(Effect.provide(settling, layer({ stores, storeOf: knowingOne }), { local: true }))
    expect(error).toMatchObject(isDown)
    const again = yield* Effect.provide(settling, layer({ stores, storeOf }), { local: true })
    expect(again).toEqual(settlements.map(({ claim }) => claim.shop.startsWith("second")))
  })
})

it.effect(
  "a token MUST be looked up in the store that had it, and in all stores if it is gone from there (D18)",
  () => {
    const { asked, stores } = breakable()
    return Effect.gen(function* () {
      const { shop, token } = yield* newShop("second")
      const tokens = yield* TokenStore
      const finding = Effect.gen(function* () {
        asked.length = 0
        const found = yield* tokens.find(token.digest)
        return [Option.isSome(found), ...asked.toSorted()]
      })
      expect(yield* finding).toEqual([true, "first TokenStore.find", "second TokenStore.find"])
      expect(yield* finding).toEqual([true, "second TokenStore.find"])
      yield* tokens.revoke(shop.id, token.id)
      expect((yield* finding)[0]).toBe(false)
      yield* tokens.add({ ...token, shop: (yield* newShop("first")).shop.id }, 100)
      expect((yield* finding)[0]).toBe(true)
    }).pipe(Effect.provide(stores, { local: true }))
  },
)

it.effect("storeOf MUST be called once for a shop, and again if it failed", () =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    let answer: Effect.Effect<string, StorageError> = Effect.fail(
      new StorageError({ message: "no directory", cause: undefined, isRetryable: true }),
    )
    const stores = layer({
      stores: { only: layerShared(makeState()) },
      storeOf: (shop) =>
        Effect.suspend(() => {
          asked.push(shop)
          return answer
        }),
    })
    yield* Effect.gen(function* () {
      const { find } = yield* ShopStore
      expect(yield* Effect.flip(find("a"))).toMatchObject({ message: "no directory" })
      answer = Effect.succeed("another")
      expect(yield* Effect.flip(find("a"))).toMatchObject({
        isRetryable: false,
        message: 'Add the store "another" to this host: storeOf answers it for a shop, and the host has only',
      })
      answer = Effect.succeed("only")
      for (const shop of ["a", "a", "b", "a"]) expect(yield* find(shop)).toEqual(Option.none())
      expect(asked).toEqual(["a", "a", "a", "b"])
    }).pipe(Effect.provide(stores, { local: true }))
  }),
)
