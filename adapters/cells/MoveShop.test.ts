/** Shops that move between cells while hosts use them. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { newShopInUse, openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { moveShop } from "./index.ts"

const newCells = Effect.flatMap(Effect.all([migratedDatabase, migratedDatabase]), ([source, target]) =>
  openCells(source, target),
)

it.live("a shop MUST move with every row, be refused by the source, and leave nothing behind", () =>
  Effect.gen(function* () {
    const { options, remains, routed, rowsOf, source, target } = yield* newCells
    const { check, shop, work, write } = yield* source.onHost(newShopInUse)
    yield* source.onHost(Effect.andThen(Effect.andThen(write, work), write))
    const before = yield* rowsOf(source, shop)
    expect(yield* moveShop(options(shop))).toBe(true)
    expect(yield* rowsOf(target, shop)).toEqual(before)
    expect(yield* remains).toEqual([])
    expect(yield* Effect.flip(source.onHost(check))).toMatchObject({ message: expect.stringContaining("another cell") })
    expect(yield* Effect.flip(source.onHost(write))).toMatchObject({ message: expect.stringContaining("has moved") })
    yield* routed(check)
    expect(yield* moveShop(options(shop))).toBe(true)
  }).pipe(Effect.scoped),
)

it.live("a move beside writers, a reader of the feed and a worker MUST lose nothing and repeat nothing", () =>
  Effect.gen(function* () {
    const { options, remains, routed, source } = yield* newCells
    const use = yield* source.onHost(newShopInUse)
    const other = yield* source.onHost(newShopInUse)
    let goesOn = true
    const repeated = <A, E>(call: Effect.Effect<A, E>) =>
      call.pipe(Effect.andThen(Effect.sleep("2 millis")), Effect.repeat({ while: () => goesOn }))
    const calls = [routed(use.write), routed(use.write), routed(use.follow), source.onHost(other.write)]
    const running = yield* Effect.forEach(calls, (call) => Effect.forkChild(repeated(call)))
    expect(yield* moveShop(options(use.shop))).toBe(true)
    yield* Effect.sleep("300 millis")
    goesOn = false
    yield* Fiber.joinAll(running)
    yield* routed(use.check)
    yield* source.onHost(other.check)
    expect(yield* remains).toEqual([])
  }).pipe(Effect.scoped),
)
