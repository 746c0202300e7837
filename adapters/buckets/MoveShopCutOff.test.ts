/** Moves of shops that are killed before any of their changes, and go on or back afterwards. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, References } from "effect"
import { inject } from "vitest"
import {
  newShopInUse,
  newShopMoves,
  placesOf,
  type ShopMoves,
  type ShopUse,
} from "../../conformance/testkit/databases/MovingShops.ts"
import { MoveError, moveShop } from "./index.ts"

/** The changes of a move, in order. */
const forth = [
  ...["begin", "reopen", "begin the copy", "make the gate", "copy", "follow"],
  ...["announce", "close", "drain", "commit the copy", "switch"],
  ...["quieten the source", "clear the shop", "clear the source", "note the departure", "remove the gate", "end"],
]

/** The changes that undo a move. */
const back = ["reopen", "drop the copy", "remove the gate", "end"]

/** All changes in the long form of the tests (`npm run test:all`), otherwise those around the switch and some more. */
const some = (changes: ReadonlyArray<string>): ReadonlyArray<string> =>
  changes.filter((change, index) => inject("wholeMatrix") || index % 4 === 3 || around.has(change))

const around: ReadonlySet<string> = new Set([
  ...["drain", "commit the copy", "switch", "quieten the source"],
  ...["note the departure", "remove the gate"],
])

/** From here on a move can only be completed. */
const isSwitched = (change: string) => forth.indexOf(change) > forth.indexOf("switch")

/** Moves a shop, and is killed before a change: it makes no change any more. */
const killedBefore = Effect.fnUntraced(function* ({ options }: ShopMoves, shop: string, to: number, change: string) {
  let killed = false
  const end = yield* Effect.exit(
    moveShop({
      ...options(shop, to),
      onStep: (step) =>
        Effect.suspend(() => {
          killed ||= step === change
          return killed ? new MoveError({ message: "killed" }) : Effect.void
        }),
    }),
  ).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  expect([change, killed, end._tag]).toEqual([change, true, "Failure"])
})

/** Runs a command beside calls of hosts, which wait while the shop is closed. */
const withCalls = Effect.fnUntraced(function* <A, E>(
  { onHost }: ShopMoves,
  { check, write }: ShopUse,
  command: Effect.Effect<A, E>,
) {
  const calls = yield* Effect.forkChild(onHost(write))
  const result = yield* command
  yield* Fiber.join(calls)
  yield* onHost(check)
  return result
})

/** Expects a shop to be whole in a bucket, no trace of it elsewhere, and the buckets that it has left to refuse it. */
const expectAt = Effect.fnUntraced(function* (
  { departedFrom, remains, rowsOf }: ShopMoves,
  shop: string,
  bucket: number,
  been: ReadonlySet<number>,
) {
  const found = yield* Effect.forEach([0, 1, 2, 3], (number) => rowsOf(shop, number))
  expect(found.flatMap((rows, number) => (Object.keys(rows).length > 0 ? [number] : []))).toEqual([bucket])
  const refusing = yield* Effect.forEach([0, 1, 2, 3], departedFrom)
  expect(refusing).toEqual([0, 1, 2, 3].map((number) => (been.has(number) && number !== bucket ? [shop] : [])))
  expect(yield* remains).toEqual([])
})

it.live("the changes of a move MUST be those that the cases below kill it before", () =>
  Effect.gen(function* () {
    const moves = yield* newShopMoves()
    const { shop } = yield* moves.onHost(newShopInUse)
    const { far, home } = placesOf(shop)
    const recorded = Effect.fnUntraced(function* (to: number) {
      const steps: Array<string> = []
      yield* moveShop({ ...moves.options(shop, to), onStep: (step) => Effect.sync(() => void steps.push(step)) })
      return steps
    })
    expect([...new Set(yield* recorded(far))]).toEqual(forth)
    yield* killedBefore(moves, shop, home, "drain")
    expect(yield* recorded(far)).toEqual(back)
  }).pipe(Effect.scoped),
)

it.live("a move of a shop that was killed before any change MUST be completed by the same command", () =>
  Effect.gen(function* () {
    const moves = yield* newShopMoves()
    const use = yield* moves.onHost(newShopInUse)
    const { far, home, near } = placesOf(use.shop)
    const places = [far, near, home]
    const been = new Set([home])
    for (const [index, change] of some(forth).entries()) {
      const to = places[index % places.length] as number
      yield* killedBefore(moves, use.shop, to, change)
      const { moved } = yield* withCalls(moves, use, moveShop(moves.options(use.shop, to)))
      expect(moved).toBe(true)
      been.add(to)
      yield* expectAt(moves, use.shop, to, been)
    }
  }).pipe(Effect.scoped),
)

it.live("a move of a shop that was killed before any change MUST be undone by the command back", () =>
  Effect.gen(function* () {
    const moves = yield* newShopMoves()
    const use = yield* moves.onHost(newShopInUse)
    const { far, home } = placesOf(use.shop)
    for (const change of some(forth)) {
      yield* killedBefore(moves, use.shop, far, change)
      const { moved } = yield* withCalls(moves, use, moveShop(moves.options(use.shop, home)))
      // Once hosts were sent to the target, the shop has moved there and back.
      expect([change, moved]).toEqual([change, isSwitched(change)])
      yield* expectAt(moves, use.shop, home, new Set(isSwitched(change) ? [home, far] : [home]))
    }
  }).pipe(Effect.scoped),
)

it.live("undoing a move of a shop that was killed before any change MUST be completed by the next command", () =>
  Effect.gen(function* () {
    const moves = yield* newShopMoves()
    const use = yield* moves.onHost(newShopInUse)
    const { far, home } = placesOf(use.shop)
    for (const change of some(back)) {
      yield* killedBefore(moves, use.shop, far, "drain")
      yield* killedBefore(moves, use.shop, home, change)
      yield* withCalls(moves, use, moveShop(moves.options(use.shop, home)))
      yield* expectAt(moves, use.shop, home, new Set([home]))
    }
  }).pipe(Effect.scoped),
)
