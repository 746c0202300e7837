import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { layer as memory } from "../../../adapters/memory/index.ts"
import { limitRequest, readLimit, TokenRateLimit } from "./LimitRequest.ts"

const take = limitRequest("s", "tok_1")

describe("limitRequest (§8, D16)", () => {
  it.effect("MUST accept 120 in any 60 seconds by default, by Effect's clock", () =>
    Effect.gen(function* () {
      const first = yield* take
      expect(first).toEqual({
        accepted: true,
        remaining: 119,
        resetAfter: 60_000,
        rate: { limit: 120, window: 60_000 },
      })
      for (let count = 1; count < 120; count++) yield* take
      expect(yield* take).toMatchObject({ accepted: false, remaining: 0, resetAfter: 60_000 })
      yield* TestClock.adjust("60 seconds")
      expect(yield* take).toMatchObject({ accepted: true, remaining: 119 })
    }).pipe(Effect.provide(memory)),
  )

  it.effect("MUST take another limit from TokenRateLimit, and lift it for null", () =>
    Effect.gen(function* () {
      const strict = Effect.provideService(take, TokenRateLimit, { limit: 1, window: 1000 })
      expect((yield* strict)?.accepted).toBe(true)
      expect(yield* strict).toMatchObject({ accepted: false, rate: { limit: 1, window: 1000 } })
      for (let count = 0; count < 200; count++) {
        expect(yield* Effect.provideService(take, TokenRateLimit, null)).toBeUndefined()
      }
    }).pipe(Effect.provide(memory)),
  )

  it.effect("MUST report a token's use without counting, and nothing without a limit", () =>
    Effect.gen(function* () {
      const peek = readLimit("s", "tok_1")
      yield* take
      for (let times = 0; times < 2; times++) {
        expect(yield* peek).toEqual({ remaining: 119, resetAfter: 60_000, rate: { limit: 120, window: 60_000 } })
      }
      expect(yield* Effect.provideService(peek, TokenRateLimit, null)).toBeUndefined()
    }).pipe(Effect.provide(memory)),
  )
})
