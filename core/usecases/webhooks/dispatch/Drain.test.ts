/** Delivering what is due, once. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import {
  behind,
  flaky,
  lasting,
  minute,
  never,
  orders,
  second,
} from "../../../../conformance/testkit/workers/WorkerSteps.ts"

describe("drain (for cron and serverless)", () => {
  it.effect("MUST deliver everything that is due, return the counts, and leave the rest", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 3, perEndpoint: 2 } })
      const good = yield* world.endpoint({ url: "https://good.example.com/" })
      yield* world.endpoint({ url: "https://bad.example.com/" })
      world.outside.respond = ({ request }) => Effect.succeed(responseOf(request.url === good.url ? 200 : 500))
      yield* orders(world, 7)
      expect(yield* world.drain).toEqual({ attempts: 14, succeeded: 7 })
      expect(yield* world.drain).toEqual({ attempts: 0, succeeded: 0 })
      yield* TestClock.adjust(minute)
      expect(yield* world.drain).toEqual({ attempts: 7, succeeded: 0 })
    }),
  )

  for (const max of [0, 1, 4]) {
    it.effect(`MUST begin no more than max: ${max}`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ worker: { concurrency: 3 } })
        yield* world.endpoint()
        yield* orders(world, 5)
        expect(yield* world.drainWithin({ max, deadline: never })).toEqual({ attempts: max, succeeded: max })
        expect(world.outside.sent).toHaveLength(max)
        // The deliveries that it did not begin are free.
        expect(yield* world.drain).toEqual({ attempts: 5 - max, succeeded: 5 - max })
      }),
    )
  }

  it.effect("MUST begin nothing at the deadline or later, and finish earlier attempts", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 4 } })
      const endpoint = yield* world.endpoint()
      yield* orders(world, 6)
      expect(yield* world.drainWithin({ max: never, deadline: someTime })).toEqual({ attempts: 0, succeeded: 0 })
      const gate = yield* Latch.make()
      world.outside.respond = behind(gate)
      const drained = yield* Effect.forkChild(world.drainWithin({ max: never, deadline: someTime + 2 * second }))
      yield* Effect.all([world.outside.next, world.outside.next])
      yield* TestClock.adjust(2 * second)
      yield* gate.open
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 2, succeeded: 2 })
      const done = (yield* world.log(endpoint)).filter(({ status }) => status === "succeeded")
      expect(done.map(({ attempts }) => attempts[0]?.durationMs)).toEqual([2 * second, 2 * second])
    }),
  )

  it.effect("MUST begin none of its claims at the deadline, and release them", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 2 } })
      for (let index = 0; index < 12; index++) {
        const shop = yield* makeWorld({ ports: world.ports })
        yield* shop.endpoint()
        yield* orders(shop, 1)
      }
      world.outside.respond = lasting(responseOf(200), 10)
      const drained = yield* Effect.forkChild(world.drainWithin({ max: never, deadline: someTime + 30 }))
      for (let time = 0; time < 3; time++) {
        yield* Effect.all([world.outside.next, world.outside.next])
        yield* TestClock.adjust(10)
      }
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 6, succeeded: 6 })
      // Others can have the claims at once, not only when the leases end.
      const rest = yield* Effect.forkChild(world.drain)
      for (let time = 0; time < 3; time++) {
        yield* Effect.all([world.outside.next, world.outside.next])
        yield* TestClock.adjust(10)
      }
      expect(yield* Fiber.join(rest)).toEqual({ attempts: 6, succeeded: 6 })
    }),
  )

  it.effect("MUST settle what it began before the deadline as long as its lease lasts, even if the store fails", () =>
    Effect.gen(function* () {
      const { deliveries, left } = flaky()
      const released = yield* Latch.make()
      const world = yield* makeWorld({
        worker: { perEndpoint: 1 },
        deliveries: (store) => ({
          ...deliveries(store),
          release: (claims) => Effect.tap(store.release(claims), () => released.open),
        }),
      })
      const [quick, slow] = [yield* world.endpoint(), yield* world.endpoint()]
      const gates = { quick: yield* Latch.make(), slow: yield* Latch.make() }
      world.outside.respond = (sent) => behind(sent.request.url === quick.url ? gates.quick : gates.slow)(sent)
      yield* world.order("1", ["d-1"])
      const drained = yield* Effect.forkChild(world.drainWithin({ max: never, deadline: someTime + second }))
      yield* Effect.all([world.outside.next, world.outside.next])
      yield* TestClock.adjust(second)
      yield* gates.quick.open
      // The worker begins nothing more, and waits.
      yield* released.await
      left.settle = never
      yield* gates.slow.open
      for (let times = 0; times < 40; times++) yield* TestClock.adjust(second / 2)
      expect(drained.pollUnsafe()).toBeUndefined()
      left.settle = 0
      yield* TestClock.adjust(second)
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 2, succeeded: 2 })
      expect((yield* world.log(slow))[0]?.status).toBe("succeeded")
    }),
  )

  it.effect("MUST finish and settle attempts under way if it is interrupted", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const gate = yield* Latch.make()
      world.outside.respond = behind(gate)
      yield* world.order("1", ["d-1"])
      const drained = yield* Effect.forkChild(world.drain)
      yield* world.outside.next
      const stopped = yield* Effect.forkScoped(Fiber.interrupt(drained))
      yield* gate.open
      yield* Fiber.join(stopped)
      expect((yield* world.log(endpoint))[0]?.status).toBe("succeeded")
    }),
  )
})
