/** Switching endpoints off, and deliveries that wait until an endpoint is turned on (§3, §8, D27, D28). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { noResponse, responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { day, failTimes, nothing, second, waits } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { LookupFailed } from "../../../ports/HostLookup.ts"
import { enableEndpoint } from "../ManageEndpoints.ts"

describe("Twenty failures in a row (§3, §8, D27, D28)", () => {
  it.effect(
    "MUST switch the endpoint off, over several events, suspend its deliveries, and send overdue ones when it is on",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        world.outside.respond = () => Effect.succeed(responseOf(500))
        yield* failTimes(world, 19, "a")
        expect(yield* world.endpointNow(endpoint)).toMatchObject({
          status: "active",
          consecutiveFailures: 19,
          switchedOffAt: null,
        })
        yield* TestClock.adjust(10)
        yield* failTimes(world, 1, "b")
        const off = { status: "switched_off", consecutiveFailures: 20, switchedOffAt: someTime + 10 }
        expect(yield* world.endpointNow(endpoint)).toMatchObject(off)

        // Events in the meantime make no deliveries, and nothing is sent, however long it takes.
        yield* world.order("c", ["c"])
        yield* TestClock.adjust(2 * day)
        expect(yield* world.drain).toEqual(nothing)
        expect(yield* world.endpointNow(endpoint)).toMatchObject(off)
        const held = yield* world.log(endpoint)
        expect(held).toHaveLength(20)
        expect(held.every(({ status }) => status === "pending")).toBe(true)

        world.outside.respond = () => Effect.succeed(responseOf(200))
        expect(yield* world.run(enableEndpoint(world.shop, endpoint.id))).toMatchObject({
          status: "active",
          consecutiveFailures: 0,
          switchedOffAt: null,
        })
        expect(yield* world.drain).toEqual({ attempts: 20, succeeded: 20 })
        expect(world.outside.sent.slice(20).map(({ at }) => at)).toEqual(Array(20).fill(someTime + 10 + 2 * day))
        // The deliveries continue with their second attempts.
        expect((yield* world.log(endpoint)).map(({ attempts }) => attempts.length)).toEqual(Array(20).fill(2))
      }),
  )

  it.effect("MUST NOT make a delivery due earlier when the endpoint is turned on (D28)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* failTimes(world, 20, "a")
      yield* TestClock.adjust(30 * second)
      yield* world.run(enableEndpoint(world.shop, endpoint.id))
      expect(yield* world.drain).toEqual(nothing)
      yield* TestClock.adjust(30 * second - 1)
      expect(yield* world.drain).toEqual(nothing)
      yield* TestClock.adjust(1)
      expect((yield* world.drain).attempts).toBe(20)
    }),
  )

  it.effect("MUST start counting again after every success, and when the endpoint is turned on (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const failing = () => Effect.succeed(responseOf(500))
      world.outside.respond = failing
      yield* failTimes(world, 19, "a")
      world.outside.respond = () => Effect.succeed(responseOf(204))
      yield* failTimes(world, 1, "good")
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(0)
      world.outside.respond = failing
      yield* failTimes(world, 19, "b")
      expect((yield* world.endpointNow(endpoint)).status).toBe("active")
      // Turning on an active endpoint changes nothing.
      yield* world.run(enableEndpoint(world.shop, endpoint.id))
      yield* failTimes(world, 1, "c")
      expect((yield* world.endpointNow(endpoint)).status).toBe("switched_off")
      yield* world.run(enableEndpoint(world.shop, endpoint.id))
      yield* failTimes(world, 19, "d")
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 19 })
    }),
  )

  it.effect("MUST include retries of one event, refused addresses and dns (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(noResponse("timeout"))
      for (const id of ["1", "2"]) yield* world.order(id, [id])
      yield* world.drain
      for (const wait of waits) {
        yield* TestClock.adjust(wait)
        yield* world.drain
      }
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(14)
      world.outside.lookup = () => Effect.succeed(["10.0.0.1"])
      yield* failTimes(world, 3, "refused")
      world.outside.lookup = () => Effect.fail(new LookupFailed({ message: "NXDOMAIN" }))
      yield* failTimes(world, 2, "dns")
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 19 })
      yield* failTimes(world, 1, "last")
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "switched_off", consecutiveFailures: 20 })
    }),
  )

  it.effect("MUST NOT include failures of another endpoint (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const bad = yield* world.endpoint({ url: "https://bad.example.com/" })
      const good = yield* world.endpoint({ url: "https://good.example.com/" })
      world.outside.respond = ({ request }) => Effect.succeed(responseOf(request.url.includes("bad") ? 500 : 200))
      yield* failTimes(world, 21, "a")
      expect((yield* world.endpointNow(bad)).status).toBe("switched_off")
      expect(yield* world.endpointNow(good)).toMatchObject({ status: "active", consecutiveFailures: 0 })
      expect(yield* world.log(good)).toHaveLength(21)
      expect(yield* world.log(bad)).toHaveLength(20)
    }),
  )

  it.effect(
    "MUST leave attempts under way to be settled in the log without changing the endpoint's health (D27, D28)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ worker: { perEndpoint: 30, concurrency: 60 } })
        const endpoint = yield* world.endpoint()
        world.outside.respond = () => {
          const number = world.outside.sent.length
          // The first twenty-one attempts fail after a second, the rest succeed after two.
          const late = number > 21
          return Effect.as(Effect.sleep(late ? 2000 : 1000), responseOf(late ? 200 : 500))
        }
        for (let index = 0; index < 23; index++) yield* world.order(`o-${index}`, [`d-${index}`])
        const drained = yield* Effect.forkChild(world.drain)
        for (let index = 0; index < 23; index++) yield* world.outside.next
        yield* TestClock.adjust(2000)
        expect(yield* Fiber.join(drained)).toEqual({ attempts: 23, succeeded: 2 })
        expect(yield* world.endpointNow(endpoint)).toMatchObject({
          status: "switched_off",
          consecutiveFailures: 20,
          switchedOffAt: someTime + 1000,
        })
        const log = yield* world.log(endpoint)
        expect(log.map(({ attempts }) => attempts.length)).toEqual(Array(23).fill(1))
        expect(log.filter(({ status }) => status === "succeeded")).toHaveLength(2)
        yield* TestClock.adjust(day)
        expect(yield* world.drain).toEqual(nothing)
      }),
  )
})
