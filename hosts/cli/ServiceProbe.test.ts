import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeShop, sentence } from "./ServiceProbe.ts"

it.effect("MUST give up on a driver that never answers", () =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(Effect.flip(makeShop({ putShop: () => new Promise(() => undefined) })))
    yield* TestClock.adjust("1 minute")
    expect((yield* Fiber.join(running)).message).toBe(
      "The driver could not create a shop: no answer to putShop within 60 s",
    )
  }),
)

it("MUST say why a request failed: the cause of the error of fetch, or its code if several addresses failed", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:9")
  const several = Object.assign(new AggregateError([refused]), { code: "ECONNREFUSED" })
  expect(sentence(new TypeError("fetch failed", { cause: refused }))).toBe(`fetch failed (${refused.message})`)
  expect(sentence(new TypeError("fetch failed", { cause: several }))).toBe("fetch failed (ECONNREFUSED)")
  expect(sentence(new TypeError("fetch failed"))).toBe("fetch failed")
})
