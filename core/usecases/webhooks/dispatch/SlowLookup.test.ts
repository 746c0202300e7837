/** The times of an attempt after a slow look-up (§5, §6, D26). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf, verified } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { only, second } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { readRequestHeaders } from "../ManageDeliveries.ts"

/** A delivery whose look-up takes 3.9 seconds, and whose receiver takes another second to respond. */
const slowly = Effect.gen(function* () {
  const world = yield* makeWorld()
  const endpoint = yield* world.endpoint()
  yield* world.order("1", ["d-1"])
  world.outside.lookup = () => Effect.as(Effect.sleep(3900), ["93.184.216.34"])
  world.outside.respond = () => Effect.as(Effect.sleep(second), responseOf(200))
  const drained = yield* Effect.forkChild(world.drain)
  yield* world.claimed
  yield* TestClock.adjust(3900)
  const sent = yield* world.outside.next
  yield* TestClock.adjust(second)
  yield* Fiber.join(drained)
  return { world, endpoint, sent }
})

describe("An attempt after a slow look-up", () => {
  it.effect("MUST be signed with the time of its beginning, as the log shows it and receivers accept it (§5)", () =>
    Effect.gen(function* () {
      const { endpoint, sent, world } = yield* slowly
      expect(sent.at).toBe(someTime + 3900)
      const delivery = only(yield* world.log(endpoint))
      expect(delivery.attempts).toMatchObject([{ at: someTime, durationMs: 4900 }])
      expect(sent.request.headers["X-Service-Timestamp"]).toBe(String(Math.floor(someTime / 1000)))
      yield* verified(sent, endpoint.shown)
      // Its headers are made again later from the log.
      expect(yield* world.run(readRequestHeaders(world.shop, endpoint.id, delivery.id, 1))).toEqual(
        sent.request.headers,
      )
    }),
  )

  it.effect("MUST ask for the first 1,024 bytes of the response and no more (D26)", () =>
    Effect.gen(function* () {
      const { sent } = yield* slowly
      expect(sent.request.responseLimit).toBe(1024)
    }),
  )

  it.effect("MUST NOT be sent if the look-up has used up the time, to the millisecond (D26)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      world.outside.lookup = () => Effect.as(Effect.sleep(5 * second), ["93.184.216.34"])
      const drained = yield* Effect.forkChild(world.drain)
      yield* world.claimed
      yield* TestClock.adjust(5 * second)
      yield* Fiber.join(drained)
      expect(world.outside.sent).toEqual([])
      expect(only(yield* world.log(endpoint)).attempts).toMatchObject([{ error: "timeout", durationMs: 5000 }])
    }),
  )
})
