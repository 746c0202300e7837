import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Random } from "effect"
import { TestClock } from "effect/testing"
import { StaleRevision } from "../ports/StorageError.ts"
import { retryStale } from "./RetryStale.ts"

/** A change that another comes before so many times, and when it was tried, in milliseconds from the first try. */
const changing = (times: number, canRetry = true) => {
  const tries: Array<number> = []
  const change = Effect.suspend(() =>
    Effect.flatMap(
      Effect.clockWith((clock) => clock.currentTimeMillis),
      (now) => {
        tries.push(now)
        return tries.length <= times ? Effect.fail(new StaleRevision({ canRetry })) : Effect.succeed("stored")
      },
    ),
  )
  return {
    change: retryStale(change),
    waits: () => tries.slice(1).map((at, index) => Math.round(at - (tries[index] ?? 0))),
  }
}

/** Runs an effect while time goes by. */
const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (let millisecond = 0; millisecond < 2_000; millisecond++) yield* TestClock.adjust(1)
    return yield* Fiber.join(fiber)
  })

describe("A change that another came before", () => {
  it.effect("MUST be decided anew after a wait, each longer than the last, until it is stored", () =>
    Effect.gen(function* () {
      const { change, waits } = changing(4)
      expect(yield* inTime(change)).toBe("stored")
      expect(waits()).toHaveLength(4)
      for (const [index, wait] of waits().entries()) {
        const expected = 5 * 2 ** index
        expect([wait, wait >= Math.floor(expected * 0.8), wait <= Math.ceil(expected * 1.2)]).toEqual([
          wait,
          true,
          true,
        ])
      }
    }),
  )

  it.effect("MUST NOT wait as long as another that it met", () =>
    Effect.gen(function* () {
      const waitsOf = Effect.fnUntraced(function* (seed: string) {
        const { change, waits } = changing(6)
        yield* Random.withSeed(inTime(change), seed)
        return waits()
      })
      expect(yield* waitsOf("one")).toEqual(yield* waitsOf("one"))
      expect(yield* waitsOf("one")).not.toEqual(yield* waitsOf("another"))
    }),
  )

  it.effect("MUST be given up after a few tries, as a failure of the store that may pass", () =>
    Effect.gen(function* () {
      const { change, waits } = changing(1_000)
      expect(yield* Effect.flip(inTime(change))).toMatchObject({ _tag: "StorageError", isRetryable: true })
      expect(waits()).toHaveLength(7)
    }),
  )

  it.effect("MUST be a conflict at once, tried only once, within a transaction of the caller's", () =>
    Effect.gen(function* () {
      const { change, waits } = changing(1, false)
      const error = yield* Effect.flip(change)
      expect(error).toMatchObject({ _tag: "Conflict" })
      expect(error.message).toMatch(/roll back the transaction .* begin it again/)
      expect(waits()).toEqual([])
    }),
  )

  it.effect("MUST leave other failures as they are", () =>
    Effect.gen(function* () {
      let tries = 0
      const failing = Effect.suspend(() => Effect.fail(`failed ${++tries}`))
      expect(yield* Effect.flip(retryStale(failing))).toBe("failed 1")
    }),
  )
})
