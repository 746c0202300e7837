import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Answer } from "./Answer.ts"
import { AnswerBytes } from "./AnswerBytes.ts"
import { makePagesUnderWay } from "./PagesUnderWay.ts"

const done: Answer = { status: 200, headers: {}, body: "page" }

/**
 * A gate, and pages that write down their beginnings and end when a test says so; those of a store that can't cancel
 * end no sooner.
 */
const makeWorld = (store: { readonly cancels: boolean } = { cancels: true }) =>
  Effect.sync(() => {
    const bytes = new AnswerBytes({ maximum: 1_000_000, page: 100_000 })
    const pages = makePagesUnderWay(bytes, { ofAll: 3, ofShop: 2, waiting: 2 })
    const begun: Array<string> = []
    const ask = Effect.fnUntraced(function* (shop: string, name: string) {
      const end = yield* Deferred.make<void>()
      const ended = store.cancels ? Deferred.await(end) : Effect.uninterruptible(Deferred.await(end))
      const page = Effect.sync(() => begun.push(name)).pipe(Effect.andThen(ended), Effect.as(done))
      const fiber = yield* Effect.forkChild(pages(shop, page))
      yield* settled
      return { fiber, end: Effect.andThen(Deferred.succeed(end, undefined), settled) }
    })
    return { ask, begun, bytes }
  })

/** Lets every fiber go as far as it can. */
const settled = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

describe("Pages under way (D46, §8)", () => {
  it.effect("MUST be at most two of one shop, while another shop's continue (D46)", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* makeWorld()
      const first = yield* ask("greedy", "1")
      for (const name of ["2", "3", "4"]) yield* ask("greedy", name)
      expect(begun).toEqual(["1", "2"])
      const other = yield* ask("other", "other")
      expect(begun).toEqual(["1", "2", "other"])
      yield* other.end
      expect(yield* Fiber.join(other.fiber)).toEqual(done)
      yield* first.end
      expect(begun).toEqual(["1", "2", "other", "3"])
    }),
  )

  it.effect("MUST be at most a number of all shops, and a shop that waits comes before the next of another", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* makeWorld()
      const first = yield* ask("a", "a1")
      for (const name of ["a2", "a3"]) yield* ask("a", name)
      yield* ask("b", "b1")
      yield* ask("c", "c1")
      expect(begun).toEqual(["a1", "a2", "b1"])
      yield* first.end
      expect(begun).toEqual(["a1", "a2", "b1", "c1"])
    }),
  )

  it.effect("MUST refuse with 503 and Retry-After those that are too many to wait (D46)", () =>
    Effect.gen(function* () {
      const { ask } = yield* makeWorld()
      const asked = yield* Effect.forEach(["1", "2", "3", "4"], (name) => ask("s", name))
      const refused = yield* ask("s", "5")
      expect(yield* Effect.flip(Fiber.join(refused.fiber))).toMatchObject({
        status: 503,
        headers: { "retry-after": "1" },
      })
      yield* Effect.forEach(asked, ({ end }) => end)
      const again = yield* ask("s", "6")
      yield* again.end
      expect(yield* Fiber.join(again.fiber)).toEqual(done)
    }),
  )

  it.effect("MUST keep its place after its client has left until the store ends it, and give up one that waits", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* makeWorld({ cancels: false })
      const first = yield* ask("s", "1")
      yield* ask("s", "2")
      const waits = yield* ask("s", "3")
      yield* ask("s", "4")
      yield* Fiber.interrupt(first.fiber)
      yield* Fiber.interrupt(waits.fiber)
      expect(Exit.hasInterrupts(yield* Fiber.await(first.fiber))).toBe(true)
      expect(begun).toEqual(["1", "2"])
      yield* first.end
      expect(begun).toEqual(["1", "2", "4"])
    }),
  )

  it.effect("MUST be interrupted if its client leaves, and give its place to the next (D46)", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* makeWorld()
      const first = yield* ask("s", "1")
      for (const name of ["2", "3"]) yield* ask("s", name)
      yield* Fiber.interrupt(first.fiber)
      yield* settled
      expect(begun).toEqual(["1", "2", "3"])
    }),
  )

  it.effect(
    "MUST wait up to 5 seconds for room alongside unread answers of its shop, while another shop's continue (D46)",
    () =>
      Effect.gen(function* () {
        const { ask, begun, bytes } = yield* makeWorld()
        const [first, second] = [bytes.hold("greedy", 300_000), bytes.hold("greedy", 300_000)]
        const waiting = yield* ask("greedy", "1")
        yield* ask("other", "2")
        yield* TestClock.adjust("4 seconds")
        expect(begun).toEqual(["2"])
        first()
        second()
        yield* settled
        expect(begun).toEqual(["2", "1"])
        yield* waiting.end
        yield* TestClock.adjust("5 seconds")
        expect(Exit.isSuccess(yield* Fiber.await(waiting.fiber))).toBe(true)
      }),
  )

  it.effect("MUST take no place of other shops while they wait for room (D45, D46)", () =>
    Effect.gen(function* () {
      const { ask, begun, bytes } = yield* makeWorld()
      for (const shop of ["a", "b"]) bytes.hold(shop, 350_000)
      for (const name of ["a1", "a2"]) yield* ask("a", name)
      for (const name of ["b1", "b2"]) yield* ask("b", name)
      yield* ask("other", "other")
      expect(begun).toEqual(["other"])
    }),
  )

  it.effect(
    "MUST be refused with 503 and Retry-After, alone of all shops, if its unread answers leave no room (D46)",
    () =>
      Effect.gen(function* () {
        const { ask, begun, bytes } = yield* makeWorld()
        const sent = bytes.hold("greedy", 500_000)
        const refused = yield* ask("greedy", "1")
        yield* TestClock.adjust("5 seconds")
        expect(yield* Effect.flip(Fiber.join(refused.fiber))).toMatchObject({
          status: 503,
          headers: { "retry-after": "1" },
        })
        const other = yield* ask("other", "2")
        sent()
        yield* ask("greedy", "3")
        expect(begun).toEqual(["2", "3"])
        expect(bytes.fits("greedy", 700_001)).toBe(false)
        yield* other.end
        expect(bytes.fits("greedy", 800_000)).toBe(true)
        expect(bytes.fits("greedy", 800_001)).toBe(false)
      }),
  )
})
