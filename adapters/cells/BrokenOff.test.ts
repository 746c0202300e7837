/** Moves that are broken off before a step, and continue or go back by the same command. */
import { expect, it } from "@effect/vitest"
import { Effect, References } from "effect"
import { inject } from "vitest"
import { endedBefore, newShopInUse, openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { moveShop, undoMove } from "./index.ts"

const newCells = Effect.flatMap(Effect.all([migratedDatabase, migratedDatabase]), ([source, target]) =>
  openCells(source, target),
)

/** The steps before the shop is open at the target, and those after: some of them in the short form of the tests. */
const [before, after] = inject("wholeMatrix")
  ? [
      [
        ...["enter", "gate of the source", "drop the slots", "gate of the target", "clear", "expect"],
        ...["drop the earlier gate of the target", "publish"],
        ...["make the slot", "subscribe", "watch", "close", "await writers", "drain", "open"],
      ],
      ["disable the subscription", "drop the slots", "drop the subscription", "drop the publication", "mark as moved"],
    ]
  : [["gate of the target", "make the slot", "drain", "open"], []]

it.live.each(before)("a move that ends before %s MUST continue by the same command, and lose nothing (D92)", (step) =>
  Effect.gen(function* () {
    const { options, remains, routed, rowsOf, source, target } = yield* newCells
    const { check, shop, write } = yield* source.onHost(newShopInUse)
    yield* source.onHost(write)
    yield* endedBefore(step, moveShop(options(shop)))
    const rows = yield* rowsOf(source, shop)
    expect(yield* moveShop(options(shop))).toBe(true)
    expect(yield* rowsOf(target, shop)).toMatchObject({ events: rows["events"], tokens: rows["tokens"] })
    yield* routed(write)
    yield* routed(check)
    expect(yield* remains).toEqual([])
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)

it.live.each(before)("a move that ends before %s MUST go back by --undo, and leave nothing (D92)", (step) =>
  Effect.gen(function* () {
    const { options, remains, rowsOf, source, target } = yield* newCells
    const { check, shop, write } = yield* source.onHost(newShopInUse)
    yield* source.onHost(write)
    const rows = yield* rowsOf(source, shop)
    yield* endedBefore(step, moveShop(options(shop)))
    yield* undoMove(options(shop))
    expect([yield* rowsOf(source, shop), yield* rowsOf(target, shop)]).toEqual([rows, {}])
    expect(yield* remains).toEqual([])
    expect(yield* undoMove(options(shop))).toBe(false)
    yield* source.onHost(write)
    yield* source.onHost(check)
    expect(yield* moveShop(options(shop))).toBe(true)
    yield* target.onHost(check)
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)

it.live.each(after)(
  "a move that ends before %s MUST continue, and refuse to go back, once the shop is open (D92)",
  (step) =>
    Effect.gen(function* () {
      const { options, remains, routed, source, target } = yield* newCells
      const { check, shop, write } = yield* source.onHost(newShopInUse)
      yield* source.onHost(write)
      // Steps before have the same names: the shop must be open by then.
      yield* endedBefore("open", moveShop(options(shop)))
      yield* endedBefore(step, moveShop(options(shop)))
      yield* target.onHost(write)
      expect(yield* Effect.flip(undoMove(options(shop)))).toMatchObject({
        message: expect.stringContaining("Move it back"),
      })
      expect(yield* moveShop(options(shop))).toBe(true)
      yield* routed(check)
      expect(yield* remains).toEqual([])
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)
