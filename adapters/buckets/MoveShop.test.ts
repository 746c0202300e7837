/** Shops that move while hosts use them. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { newShopInUse, newShopMoves, newWorker, placesOf } from "../../conformance/testkit/databases/MovingShops.ts"
import { moveShop } from "./index.ts"

it.live("a shop MUST move to another database and back with every row, and leave nothing behind", () =>
  Effect.gen(function* () {
    const { onHost, options, remains, rowsOf } = yield* newShopMoves()
    const { check, shop, write } = yield* onHost(newShopInUse)
    const { work } = yield* newWorker
    yield* onHost(Effect.andThen(Effect.andThen(write, work), write))
    const { far, home, near } = placesOf(shop)
    const before = yield* rowsOf(shop, home)
    expect(Object.keys(before)).toEqual(["deliveries", "endpoints", "events", "rate_windows", "shops", "tokens"])
    let from = home
    for (const to of [far, near, home]) {
      expect(yield* moveShop(options(shop, to))).toEqual({ bucket: to, moved: true })
      expect([yield* rowsOf(shop, to), yield* rowsOf(shop, from)]).toEqual([before, {}])
      expect(yield* remains).toEqual([])
      from = to
    }
    expect(yield* moveShop(options(shop, home))).toEqual({ bucket: home, moved: false })
    yield* onHost(check)
  }).pipe(Effect.scoped),
)

it.live("a move beside writers, a reader of the feed and a worker MUST lose nothing and repeat nothing", () =>
  Effect.gen(function* () {
    const { onHost, options, remains } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    const others = yield* onHost(Effect.forEach([1, 2, 3, 4], () => newShopInUse))
    const { far, home, near } = placesOf(use.shop)
    let goesOn = true
    const repeated = (call: typeof use.write) =>
      onHost(call).pipe(Effect.andThen(Effect.sleep("2 millis")), Effect.repeat({ while: () => goesOn }))
    const worker = yield* newWorker
    const shops = [use, ...others]
    const calls = [use.write, use.write, use.follow, worker.work, worker.work, ...others.map(({ write }) => write)]
    const running = yield* Effect.forEach(calls, (call) => Effect.forkChild(repeated(call)))
    for (const to of [far, near, home, near]) yield* moveShop(options(use.shop, to))
    goesOn = false
    yield* Fiber.joinAll(running)
    yield* onHost(worker.work)
    yield* Effect.forEach(shops, ({ check }) => onHost(check))
    expect(worker.settled.toSorted()).toEqual(shops.flatMap(({ events }) => events()).toSorted())
    expect(yield* remains).toEqual([])
  }).pipe(Effect.scoped),
)
