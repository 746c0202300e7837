import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Random } from "effect"
import { TestClock } from "effect/testing"
import { StaleRevision } from "../ports/StorageError.ts"
import { retryStale } from "./RetryStale.ts"

/** A change that loses to another one this many times, and its tries in milliseconds from the first one. */
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

/** Runs an effect while the clock advances. */
const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (let millisecond = 0; millisecond < 2_000; millisecond++) yield* TestClock.adjust(1)
    return yield* Fiber.join(fiber)
  })

describe("A change that loses to another one", () => {
  it.effect("MUST be decided again after growing waits until it is stored", () =>
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

  it.effect("MUST NOT wait as long as the change that it collided with", () =>
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

  it.effect("MUST fail after a few tries with a retryable storage error", () =>
    Effect.gen(function* () {
      const { change, waits } = changing(1_000)
      expect(yield* Effect.flip(inTime(change))).toMatchObject({ _tag: "StorageError", isRetryable: true })
      expect(waits()).toHaveLength(7)
    }),
  )

  it.effect("MUST fail with a conflict at the first try within the caller's transaction", () =>
    Effect.gen(function* () {
      const { change, waits } = changing(1, false)
      const error = yield* Effect.flip(change)
      expect(error).toMatchObject({ _tag: "Conflict" })
      expect(error.message).toMatch(/roll back the transaction .* begin it again/)
      expect(waits()).toEqual([])
    }),
  )

  it.effect("MUST pass other failures on unchanged", () =>
    Effect.gen(function* () {
      let tries = 0
      const failing = Effect.suspend(() => Effect.fail(`failed ${++tries}`))
      expect(yield* Effect.flip(retryStale(failing))).toBe("failed 1")
    }),
  )
})
