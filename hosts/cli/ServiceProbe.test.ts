import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeShop } from "./ServiceProbe.ts"

it.effect("MUST give up on a driver that never answers", () =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(Effect.flip(makeShop({ putShop: () => new Promise(() => undefined) })))
    yield* TestClock.adjust("1 minute")
    expect((yield* Fiber.join(running)).message).toBe(
      "The driver could not create a shop: no answer to putShop within 60 s",
    )
  }),
)
