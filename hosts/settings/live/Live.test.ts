/** The streams by which pages hear that their store has changed. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "../../../adapters/memory/index.ts"
import { makeShop, makeToken } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { SettingsSessions } from "../../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { pruneDeliveries } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import { endSession, endSessions } from "../Session.ts"
import { changesOf } from "./Changes.ts"
import { makeWatchers, type Watchers } from "./Watchers.ts"

const inMemory = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.provide(effect, Layer.fresh(Memory.layer)))

/** Lets other fibers continue until they wait for time to pass. */
const settled = Effect.repeat(Effect.yieldNow, { times: 100 })

/** Begins to read a stream: what it has said so far, and the fiber that reads it. */
const reading = Effect.fnUntraced(function* (
  watchers: Watchers,
  shop: string,
  isStillAllowed: Effect.Effect<boolean> = Effect.succeed(true),
  end?: number,
) {
  const said: Array<string> = []
  const fiber = yield* changesOf(watchers, shop, isStillAllowed, end).pipe(
    Stream.decodeText,
    Stream.runForEach((text) => Effect.sync(() => said.push(text.trim()))),
    Effect.forkChild,
  )
  yield* settled
  return { said, fiber, isOpen: () => fiber.pollUnsafe() === undefined }
})

/** The stores with the number of looks at them. */
const counting = Effect.gen(function* () {
  const views = yield* ShopStore
  const looks: Array<string> = []
  const mark = (shop: string, now: number) =>
    Effect.suspend(() => {
      looks.push(shop)
      return views.mark(shop, now)
    })
  return { looks, watchers: yield* Effect.provideService(makeWatchers, ShopStore, ShopStore.of({ ...views, mark })) }
})

const changed = ["retry: 2000", "data: changed"]

describe("A stream of changes", () => {
  it.effect("MUST say at once that the page may be old, then once after each change, and breathe between", () =>
    Effect.gen(function* () {
      const [shops, tokens, { watchers }] = [yield* ShopStore, yield* TokenStore, yield* counting]
      const shop = makeShop()
      yield* shops.put(shop)
      const { said } = yield* reading(watchers, shop.id)
      expect(said.splice(0)).toEqual(changed)
      yield* TestClock.adjust("2 seconds")
      expect(said).toEqual([])
      yield* tokens.add(makeToken(shop.id), 100)
      yield* tokens.add(makeToken(shop.id), 100)
      yield* shops.put(makeShop())
      yield* TestClock.adjust("1 second")
      expect(said.splice(0)).toEqual(["data: changed"])
      yield* TestClock.adjust("10 seconds")
      expect(said).toEqual([": nothing", ": nothing"])
    }).pipe(inMemory),
  )

  it.effect("MUST look at a store once a second for all who watch it, and no more once the last has gone", () =>
    Effect.gen(function* () {
      const { looks, watchers } = yield* counting
      const readers = yield* Effect.forEach(["a", "a", "a", "b"], (shop) => reading(watchers, shop))
      for (const { said } of readers) expect(said).toEqual(changed)
      looks.length = 0
      yield* TestClock.adjust("10 seconds")
      expect([looks.filter((shop) => shop === "a").length, looks.length, watchers.watched()]).toEqual([10, 20, 2])
      for (const { fiber } of readers.slice(0, 3)) yield* Fiber.interrupt(fiber)
      expect(watchers.watched()).toBe(1)
      for (const { fiber } of readers) yield* Fiber.interrupt(fiber)
      looks.length = 0
      yield* TestClock.adjust("10 seconds")
      expect([looks, watchers.watched()]).toEqual([[], 0])
    }).pipe(inMemory),
  )

  it.effect("MUST end when its reader may no longer see the store, even if nothing changes", () =>
    Effect.gen(function* () {
      const { watchers } = yield* counting
      let isAllowed = true
      const { isOpen } = yield* reading(
        watchers,
        "a",
        Effect.sync(() => isAllowed),
      )
      yield* TestClock.adjust("30 seconds")
      expect(isOpen()).toBe(true)
      isAllowed = false
      yield* TestClock.adjust("20 seconds")
      expect([isOpen(), watchers.watched()]).toEqual([false, 0])
    }).pipe(inMemory),
  )

  it.effect(
    "MUST end within a second of its session in every process, and others MUST continue without a message",
    () =>
      Effect.gen(function* () {
        const shop = makeShop()
        yield* (yield* ShopStore).put(shop)
        const processes = [yield* makeWatchers, yield* makeWatchers]
        const session = {
          id: "one",
          actor: "jo",
          owner: "jo",
          epoch: 0,
          shop: shop.id,
          readOnly: false,
          began: 0,
          expires: 1e9,
        }
        const sessions = yield* SettingsSessions
        const isAllowed = (id: string) =>
          Effect.map(
            Effect.orDie(sessions.standing({ shop: shop.id, owner: id, session: id })),
            ({ epoch, isEnded }) => epoch === 0 && !isEnded,
          )
        for (const [end, who] of [
          [endSession, "one"],
          [endSessions, "jo"],
        ] as const) {
          const ended = yield* Effect.forEach(processes, (watchers) => reading(watchers, shop.id, isAllowed(who)))
          const others = yield* Effect.forEach(processes, (watchers) => reading(watchers, shop.id, isAllowed("sam")))
          yield* TestClock.adjust("3 seconds")
          expect(ended.map(({ isOpen }) => isOpen())).toEqual([true, true])
          for (const { said } of others) said.splice(0)
          yield* end(session)
          // What is known about endings stays as long as sessions, whatever is pruned.
          yield* pruneDeliveries()
          yield* TestClock.adjust("1 second")
          yield* settled
          expect(ended.map(({ isOpen }) => isOpen())).toEqual([false, false])
          expect(others.map(({ isOpen, said }) => [isOpen(), said.filter((text) => text.startsWith("data"))])).toEqual([
            [true, []],
            [true, []],
          ])
          for (const { fiber } of others) yield* Fiber.interrupt(fiber)
          expect(processes.map((watchers) => watchers.watched())).toEqual([0, 0])
        }
      }).pipe(inMemory),
  )

  it.effect("MUST end at the moment at which its session expires", () =>
    Effect.gen(function* () {
      const { watchers } = yield* counting
      const { isOpen, said } = yield* reading(watchers, "a", Effect.succeed(true), 12_000)
      yield* TestClock.adjust(11_999)
      expect([isOpen(), said.filter((text) => text === ": nothing")]).toEqual([true, [": nothing", ": nothing"]])
      yield* TestClock.adjust(1)
      expect([isOpen(), watchers.watched()]).toEqual([false, 0])
    }).pipe(inMemory),
  )

  it.effect("MUST end after some minutes, and when the process stops", () =>
    Effect.gen(function* () {
      const { watchers } = yield* counting
      const first = yield* reading(watchers, "a")
      yield* TestClock.adjust(5 * 60_000 - 1)
      expect(first.isOpen()).toBe(true)
      const second = yield* reading(watchers, "a")
      yield* TestClock.adjust(5_001)
      expect([first.isOpen(), second.isOpen(), watchers.watched()]).toEqual([false, true, 1])
      yield* watchers.stop
      yield* settled
      expect([second.isOpen(), watchers.watched()]).toEqual([false, 0])
      const scope = yield* Scope.make()
      const third = yield* reading(yield* Scope.provide(makeWatchers, scope), "a")
      yield* Scope.close(scope, Exit.void)
      yield* settled
      expect(third.isOpen()).toBe(false)
    }).pipe(inMemory),
  )

  it.effect("MUST be refused beyond so many of a store, without a trace", () =>
    Effect.gen(function* () {
      const { watchers } = yield* counting
      const all = Array.from({ length: 50 }, () => "a")
      const readers = yield* Effect.forEach(all, (shop) => reading(watchers, shop))
      expect([watchers.hasRoom("a"), watchers.hasRoom("b")]).toEqual([false, true])
      const beyond = yield* reading(watchers, "a")
      expect([beyond.isOpen(), beyond.said]).toEqual([false, []])
      const [one] = readers
      if (one !== undefined) yield* Fiber.interrupt(one.fiber)
      expect(watchers.hasRoom("a")).toBe(true)
    }).pipe(inMemory),
  )
})
