/** The times of attempts, and the outcomes of deliveries (§6, §8, D25, D26). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { noResponse, responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { attempt, makeWorld, type World } from "../../../../conformance/testkit/workers/TestWorker.ts"
import {
  day,
  hour,
  lasting,
  minute,
  nothing,
  only,
  second,
  waits,
} from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import type { Instant } from "../../../model/Instant.ts"

/** Makes the one attempt that is due, with this duration. */
const attemptLasting = Effect.fnUntraced(function* (world: World, duration: number) {
  const drained = yield* Effect.forkChild(world.drain)
  const sent = yield* world.outside.next
  yield* TestClock.adjust(duration)
  expect(yield* Fiber.join(drained)).toMatchObject({ attempts: 1 })
  return sent
})

describe("The retry schedule (§6, §8)", () => {
  it.effect(
    "MUST attempt 1 and 5 and 30 minutes, 2 and 6 and 24 hours after the end of the last attempt, and then give up (D25)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        const durations = [700, 1, 4999, 0, 2500, 1234, 33]
        const expected: Array<ReturnType<typeof attempt>> = []
        let due: Instant = someTime
        for (const [index, duration] of durations.entries()) {
          if (index > 0) {
            yield* TestClock.setTime(due - 1)
            expect(yield* world.drain).toEqual(nothing)
            yield* TestClock.setTime(due)
          }
          world.outside.respond = lasting(responseOf(500), duration)
          expect((yield* attemptLasting(world, duration)).at).toBe(due)
          expected.push(attempt(index + 1, due, 500, null, duration))
          const wait = waits[index]
          const ended = due + duration
          due = ended + (wait ?? 0)
          expect(only(yield* world.log(endpoint))).toMatchObject({
            status: wait === undefined ? "failed" : "pending",
            nextAttemptAt: wait === undefined ? null : due,
            attempts: expected,
          })
        }
        expect(world.outside.sent).toHaveLength(7)
        yield* TestClock.adjust(400 * day)
        expect(yield* world.drain).toEqual(nothing)
        expect(only(yield* world.log(endpoint))).toMatchObject({ status: "failed", attempts: expected })
        expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 7 })
      }),
  )

  it.effect(
    "MUST keep to the schedule over all 32 hours and 36 minutes without a signal to wake the worker (§6, D25)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        world.outside.respond = () => Effect.succeed(responseOf(503))
        yield* world.order("1", ["d-1"])
        const worker = yield* Effect.forkChild(world.work)
        let due: Instant = someTime
        for (const [index, wait] of [...waits, 0].entries()) {
          if (index > 0) {
            yield* TestClock.setTime(due - 1)
            expect(world.outside.sent).toHaveLength(index)
            yield* TestClock.setTime(due)
          }
          expect((yield* world.outside.next).at).toBe(due)
          yield* world.settled
          due += wait
        }
        expect(due - someTime).toBe(32 * hour + 36 * minute)
        expect(only(yield* world.log(endpoint))).toMatchObject({ status: "failed", nextAttemptAt: null })
        yield* TestClock.adjust(3 * day)
        expect(world.outside.sent).toHaveLength(7)
        yield* Fiber.interrupt(worker)
      }),
    60_000,
  )

  for (let success = 1; success <= 7; success++) {
    it.effect(`MUST send nothing more after attempt ${success} succeeded, and reset the streak (§6, D25, D27)`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        for (let number = 1; number <= success; number++) {
          expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(number - 1)
          const status = number === success ? 299 : 500
          world.outside.respond = () => Effect.succeed(responseOf(status))
          expect(yield* world.drain).toEqual({ attempts: 1, succeeded: status === 299 ? 1 : 0 })
          yield* TestClock.adjust(waits[number - 1] ?? 0)
        }
        expect(only(yield* world.log(endpoint))).toMatchObject({ status: "succeeded", nextAttemptAt: null })
        expect(only(yield* world.log(endpoint)).attempts).toHaveLength(success)
        expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(0)
        yield* TestClock.adjust(40 * day)
        expect(yield* world.drain).toEqual(nothing)
      }),
    )
  }

  for (const [what, response, error] of [
    ["400", responseOf(400), null],
    ["401", responseOf(401), null],
    ["410 (D25)", responseOf(410), null],
    ["429 (D25)", responseOf(429), null],
    ["500", responseOf(500), null],
    ["199", responseOf(199), null],
    ["300: a redirect", responseOf(300), "redirect"],
    ["301: a redirect", responseOf(301), "redirect"],
    ["307: a redirect", responseOf(307), "redirect"],
    ["304: a redirect", responseOf(304), "redirect"],
    ["no connection", noResponse("connect"), "connect"],
    ["no TLS", noResponse("tls"), "tls"],
    ["a timeout", noResponse("timeout"), "timeout"],
    ["a reset", noResponse("reset"), "reset"],
  ] as const) {
    it.effect(
      `MUST treat ${what} as a failure: log the reason, count it and try again a minute later (§6, D25, D32, §6-19)`,
      () =>
        Effect.gen(function* () {
          const world = yield* makeWorld()
          const endpoint = yield* world.endpoint()
          world.outside.respond = () => Effect.succeed(response)
          yield* world.order("1", ["d-1"])
          expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
          expect(only(yield* world.log(endpoint))).toMatchObject({
            status: "pending",
            nextAttemptAt: someTime + minute,
            attempts: [attempt(1, someTime, response.statusCode, error)],
          })
          expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
        }),
    )
  }

  for (const status of [200, 201, 202, 204, 206, 226, 299]) {
    it.effect(`MUST treat ${status} as a success, whatever its body (§6, D26)`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        world.outside.respond = () => Effect.succeed(responseOf(status, '{"error":"failed"}'))
        yield* world.order("1", ["d-1"])
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
        expect(only(yield* world.log(endpoint))).toMatchObject({
          status: "succeeded",
          nextAttemptAt: null,
          attempts: [{ ...attempt(1, someTime, status), responseStart: '{"error":"failed"}' }],
        })
      }),
    )
  }

  it.effect("MUST follow another schedule if the installation configures one (hosts/cli/README.md)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { schedule: [10, 3 * second] } })
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      yield* TestClock.adjust(10)
      yield* world.drain
      yield* TestClock.adjust(3 * second)
      yield* world.drain
      expect(only(yield* world.log(endpoint))).toMatchObject({
        status: "failed",
        attempts: [someTime, someTime + 10, someTime + 10 + 3 * second].map((at, index) => ({ number: index + 1, at })),
      })
    }),
  )
})
