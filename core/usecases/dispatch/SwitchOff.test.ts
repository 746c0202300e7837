/** When an endpoint is switched off, and what is held until it is turned on (§3, §8, D27, D28). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/storage/Fixtures.ts"
import { noResponse, responseOf } from "../../../conformance/worlds/Outside.ts"
import { makeWorld } from "../../../conformance/worlds/TestWorker.ts"
import { day, failTimes, nothing, second, waits } from "../../../conformance/worlds/WorkerSteps.ts"
import { LookupFailed } from "../../ports/HostLookup.ts"
import { turnOnEndpoint } from "../ManageEndpoints.ts"

describe("Twenty failures in a row (§3, §8, D27, D28)", () => {
  it.effect(
    "MUST switch off at the twentieth, counted over several events, hold what is pending, and go on with what is overdue at once when it is turned on",
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

        // What happens meanwhile makes no delivery, and nothing is sent, however long it takes.
        yield* world.order("c", ["c"])
        yield* TestClock.adjust(2 * day)
        expect(yield* world.drain).toEqual(nothing)
        expect(yield* world.endpointNow(endpoint)).toMatchObject(off)
        const held = yield* world.log(endpoint)
        expect(held).toHaveLength(20)
        expect(held.every(({ status }) => status === "pending")).toBe(true)

        world.outside.respond = () => Effect.succeed(responseOf(200))
        expect(yield* world.run(turnOnEndpoint(world.shop, endpoint.id))).toMatchObject({
          status: "active",
          consecutiveFailures: 0,
          switchedOffAt: null,
        })
        expect(yield* world.drain).toEqual({ attempts: 20, succeeded: 20 })
        expect(world.outside.sent.slice(20).map(({ at }) => at)).toEqual(Array(20).fill(someTime + 10 + 2 * day))
        // They go on where they were: these were second attempts.
        expect((yield* world.log(endpoint)).map(({ attempts }) => attempts.length)).toEqual(Array(20).fill(2))
      }),
  )

  it.effect("MUST NOT send before its time what is not yet due when the endpoint is turned on (D28)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* failTimes(world, 20, "a")
      yield* TestClock.adjust(30 * second)
      yield* world.run(turnOnEndpoint(world.shop, endpoint.id))
      expect(yield* world.drain).toEqual(nothing)
      yield* TestClock.adjust(30 * second - 1)
      expect(yield* world.drain).toEqual(nothing)
      yield* TestClock.adjust(1)
      expect((yield* world.drain).attempts).toBe(20)
    }),
  )

  it.effect("MUST begin the count anew at every success, and when it is turned on (D27)", () =>
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
      // Turning on what is on changes nothing.
      yield* world.run(turnOnEndpoint(world.shop, endpoint.id))
      yield* failTimes(world, 1, "c")
      expect((yield* world.endpointNow(endpoint)).status).toBe("switched_off")
      yield* world.run(turnOnEndpoint(world.shop, endpoint.id))
      yield* failTimes(world, 19, "d")
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 19 })
    }),
  )

  it.effect("MUST count retries of one event like attempts of several, and refused addresses and dns too (D27)", () =>
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

  it.effect("MUST NOT count one endpoint's failures for another (D27)", () =>
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
    "MUST settle attempts that are under way when it is switched off: into the log, without changing its health (D27, D28)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ worker: { perEndpoint: 30, concurrency: 60 } })
        const endpoint = yield* world.endpoint()
        world.outside.respond = () => {
          const number = world.outside.sent.length
          // The first twenty-one fail after a second, the rest succeed after two.
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
