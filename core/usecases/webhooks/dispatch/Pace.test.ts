/** The pace of an endpoint over several workers (D54). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld, type World } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { lasting, orders, second } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import type { Claim } from "../../../ports/DeliveryQueue.ts"
import { intervalOf, lead } from "../../../rules/webhooks/Pace.ts"
import { updateEndpoint } from "../ManageEndpoints.ts"

const paced = Effect.fnUntraced(function* (world: World, pace: { maxPerSecond?: number; maxConcurrent?: number }) {
  const endpoint = yield* world.endpoint()
  yield* world.run(updateEndpoint(world.shop, endpoint.id, pace))
  return endpoint
})

/** The signing of a delivery takes real time. */
const moment = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))

/** Lets virtual time pass in small steps. */
const pass = (milliseconds: number) =>
  Effect.repeat(Effect.andThen(TestClock.adjust(5), moment), { times: milliseconds / 5 - 1 })

/** When the attempts of an endpoint began, in order, after {@link someTime}. */
const starts = (world: World, endpoint: Parameters<World["log"]>[0]) =>
  Effect.map(world.log(endpoint), (log) =>
    log.flatMap(({ attempts }) => attempts.map(({ at }) => at - someTime)).sort((one, other) => one - other),
  )

/** Answers thirty milliseconds later. */
const late = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.tap(call, () => Effect.sleep(30))

describe("The pace of an endpoint", () => {
  it.effect("MUST space the attempts of two workers evenly, within the limit of any second (D54)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* paced(world, { maxPerSecond: 10 })
      yield* orders(world, 25)
      yield* Effect.forkScoped(world.work)
      yield* Effect.forkScoped((yield* world.another({})).work)
      yield* pass(3 * second)
      const expected = Array.from({ length: 25 }, (_, index) => Math.round(lead + index * intervalOf(10)))
      expect(yield* starts(world, endpoint)).toEqual(expected)
    }),
  )

  it.effect("MUST have no more attempts under way than allowed, over two workers (D54)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { url } = yield* paced(world, { maxConcurrent: 2 })
      world.outside.respond = lasting(responseOf(200), 50)
      yield* Effect.forkScoped(world.work)
      yield* Effect.forkScoped((yield* world.another({})).work)
      yield* orders(world, 20)
      yield* pass(second)
      expect(world.outside.sent).toHaveLength(20)
      expect(world.outside.mostTo(url)).toBe(2)
    }),
  )

  it.effect("MUST NOT count waiting as an attempt or a failure, and hold up no other endpoint (D45, D54)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* paced(world, { maxPerSecond: 1 })
      const usual = yield* world.endpoint()
      yield* Effect.forkScoped(world.work)
      yield* orders(world, 3)
      yield* pass(100)
      expect(world.outside.sent.filter(({ request }) => request.url === usual.url)).toHaveLength(3)
      expect(yield* starts(world, endpoint)).toHaveLength(1)
      yield* pass(3 * second)
      expect((yield* world.log(endpoint)).map(({ attempts, status }) => [status, attempts.length])).toEqual(
        Array.from({ length: 3 }, () => ["succeeded", 1]),
      )
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ consecutiveFailures: 0 })
    }),
  )

  it.effect("MUST give back an attempt that is too late for its start, and make it later (D54)", () =>
    Effect.gen(function* () {
      const released: Array<Claim> = []
      let isSlow = true
      const world = yield* makeWorld({
        deliveries: (store) => ({
          claim: (request) => (isSlow ? late(store.claim(request)) : store.claim(request)),
          release: (claims) => {
            isSlow = false
            released.push(...claims)
            return store.release(claims)
          },
        }),
      })
      const endpoint = yield* paced(world, { maxPerSecond: 10 })
      yield* orders(world, 2)
      yield* Effect.forkScoped(world.work)
      yield* pass(second)
      expect(released.map(({ startsAt }) => startsAt)).toEqual([someTime + lead])
      expect(yield* starts(world, endpoint)).toEqual([116, 217])
    }),
  )

  it.effect("MUST be waited for by a drain, until its deadline (D54)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* paced(world, { maxPerSecond: 2 })
      yield* orders(world, 5)
      const within = (milliseconds: number) =>
        Effect.forkChild(world.drainWithin({ max: 100, deadline: someTime + milliseconds }))
      const short = yield* within(second)
      yield* pass(second)
      expect(yield* Fiber.join(short)).toEqual({ attempts: 2, succeeded: 2 })
      yield* pass(second)
      const long = yield* within(10 * second)
      yield* pass(3 * second)
      expect(yield* Fiber.join(long)).toEqual({ attempts: 3, succeeded: 3 })
    }),
  )
})
