/** Failures of the service or the store (D23, D25, D27). */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../../../conformance/suites/storage/support/TurnQueue.ts"
import { request } from "../../../../conformance/suites/storage/support/Webhooks.ts"
import { responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { attempt, keyOf, makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { flaky, minute, never, orders, second, working } from "../../../../conformance/testkit/workers/WorkerSteps.ts"

describe("A fault on our side (D27)", () => {
  it.effect(
    "MUST NOT count if no key opens the secret: no attempt, no failure, another try when the lease is over",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        const wrong = yield* world.another({ keyRing: { keys: [keyOf(9)] } })
        const drain = wrong.drainWithin({ max: never, deadline: never })
        const untouched = yield* world.log(endpoint)
        for (let time = 0; time < 25; time++) {
          yield* drain
          expect(yield* world.log(endpoint)).toEqual(untouched)
          expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 0 })
          yield* TestClock.adjust(30 * second)
        }
        expect(world.outside.sent).toEqual([])
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
        expect((yield* world.log(endpoint))[0]?.attempts).toMatchObject([{ number: 1, statusCode: 200 }])
      }),
  )

  it.effect("MUST NOT try again before the lease is over, and MUST then", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { lease: 10 * second } })
      yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      world.outside.respond = () => Effect.die(new Error("A defect of the sender"))
      yield* world.drain
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* TestClock.adjust(10 * second - 1)
      expect((yield* world.drain).attempts).toBe(0)
      yield* TestClock.adjust(1)
      expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
    }),
  )

  it.effect("MUST NOT count if the sender dies, nor affect other deliveries", () =>
    Effect.gen(function* () {
      const world = yield* working()
      const endpoint = yield* world.endpoint()
      let broken = true
      world.outside.respond = () =>
        broken ? Effect.die(new Error("A defect of the sender")) : Effect.succeed(responseOf(200))
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      broken = false
      yield* world.order("2", ["d-2"])
      yield* world.outside.next
      yield* world.settled
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ consecutiveFailures: 0 })
      const statuses = (yield* world.log(endpoint)).map(({ attempts, status }) => [status, attempts.length])
      expect(statuses.toSorted()).toEqual([
        ["pending", 0],
        ["succeeded", 1],
      ])
      yield* TestClock.adjust(30 * second - 1)
      expect(world.outside.sent).toHaveLength(2)
      yield* TestClock.adjust(1)
      expect((yield* world.outside.next).at).toBe(someTime + 30 * second)
      yield* world.settled
      expect((yield* world.log(endpoint)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"])
    }),
  )

  it.effect(
    "MUST be a line a minute for many deliveries, each tried once a lease, and count for no endpoint (D27)",
    () => {
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => lines.push(String(message)))])
      return Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoints = [yield* world.endpoint(), yield* world.endpoint({ url: "https://two.example.com/" })]
        world.outside.respond = () => Effect.die(new Error("The webhook proxy is away"))
        yield* orders(world, 20)
        yield* Effect.forkScoped(world.work)
        /** Takes this many attempts, all of them at one instant. */
        const next = Effect.fnUntraced(function* (count: number, at: number) {
          for (let index = 0; index < count; index++) expect((yield* world.outside.next).at).toBe(someTime + at)
        })
        yield* next(40, 0)
        yield* TestClock.adjust(30 * second - 1)
        expect(world.outside.sent).toHaveLength(40)
        yield* TestClock.adjust(1)
        yield* next(40, 30 * second)
        expect(lines).toEqual([expect.stringMatching(/when its lease ends$/)])
        // What is new is not kept waiting until the leases end.
        yield* TestClock.adjust(second)
        yield* world.order("new", ["new"])
        yield* next(2, 31 * second)
        yield* TestClock.adjust(29 * second)
        yield* next(40, 60 * second)
        expect(lines.slice(1)).toEqual([expect.stringContaining("This happened 82 times since the last line")])
        for (const endpoint of endpoints) {
          expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 0 })
          const log = yield* world.log(endpoint)
          expect(log).toHaveLength(21)
          for (const delivery of log) expect(delivery).toMatchObject({ status: "pending", attempts: [] })
        }
        world.outside.respond = () => Effect.succeed(responseOf(200))
        yield* TestClock.adjust(30 * second)
        for (let index = 0; index < 42; index++) yield* world.outside.next
        expect(world.outside.sent).toHaveLength(40 + 40 + 2 + 40 + 42)
      }).pipe(Effect.provide(logger))
    },
  )

  it.effect("MUST lose nothing if a worker dies: others get its claims after the lease (D23)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* orders(world, 3)
      const now = someTime
      const claims = yield* inTurn(world.store).claim(
        request({ now, leaseUntil: now + 30 * second, token: "a-worker-that-died" }),
      )
      expect(claims).toHaveLength(3)
      expect((yield* world.drain).attempts).toBe(0)
      yield* TestClock.adjust(30 * second)
      expect(yield* world.drain).toEqual({ attempts: 3, succeeded: 3 })
      const log = yield* world.log(endpoint)
      expect(log.every(({ attempts }) => attempts.length === 1 && attempts[0]?.number === 1)).toBe(true)
      // The dead worker's outcome comes too late.
      const late = yield* world.store.settle(
        claims.map((claim) => ({
          claim,
          attempt: { ...attempt(1, now, 500), responseStart: null },
          status: "pending",
          nextAttemptAt: now + minute,
        })),
        (health) => ({ ...health, consecutiveFailures: 99 }),
      )
      expect(late).toEqual([false, false, false])
      expect(yield* world.log(endpoint)).toEqual(log)
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(0)
    }),
  )
})

describe("A store that fails for a while", () => {
  it.effect("MUST make the worker try again every second without losing anything", () =>
    Effect.gen(function* () {
      const { calls, deliveries, left } = flaky()
      const world = yield* makeWorld({ deliveries })
      const endpoint = yield* world.endpoint()
      yield* orders(world, 3)
      left.claim = 4
      yield* Effect.forkScoped(world.work)
      yield* TestClock.adjust(3999)
      expect([calls.claim, world.outside.sent.length]).toEqual([4, 0])
      yield* TestClock.adjust(1)
      for (let index = 0; index < 3; index++) expect((yield* world.outside.next).at).toBe(someTime + 4 * second)
      yield* world.settled
      while ((yield* world.log(endpoint)).some(({ status }) => status === "pending")) yield* world.settled
      expect((yield* world.log(endpoint)).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1])
    }),
  )

  it.effect("MUST NOT stop the worker if a walk fails", () =>
    Effect.gen(function* () {
      const { deliveries, left } = flaky()
      const world = yield* working({ deliveries })
      yield* world.endpoint()
      left.walk = 3
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      yield* world.settled
      yield* TestClock.adjust(10 * second)
      expect(left.walk).toBe(0)
      yield* world.order("2", ["d-2"])
      expect((yield* world.outside.next).at).toBe(someTime + 10 * second)
    }),
  )

  it.effect("MUST make the worker settle an attempt again without sending it again", () =>
    Effect.gen(function* () {
      const { calls, deliveries, left } = flaky()
      const world = yield* working({ deliveries })
      const endpoint = yield* world.endpoint()
      left.settle = 10
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      while (left.settle > 0) yield* TestClock.adjust(500)
      yield* TestClock.adjust(500)
      yield* world.settled
      expect(calls.settle).toBe(11)
      expect(world.outside.sent).toHaveLength(1)
      // The schedule starts at the end of the attempt, not when the store accepts it (D25).
      expect((yield* world.log(endpoint))[0]).toMatchObject({
        nextAttemptAt: someTime + minute,
        attempts: [attempt(1, someTime, 500)],
      })
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
    }),
  )

  it.effect("MUST let a delivery be attempted again, and count once, if it could not be settled during its lease", () =>
    Effect.gen(function* () {
      const { deliveries, left } = flaky()
      const world = yield* working({ deliveries, worker: { lease: 10 * second, perEndpoint: 1 } })
      const endpoint = yield* world.endpoint()
      left.settle = never
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      yield* TestClock.adjust(9 * second)
      expect(world.outside.sent).toHaveLength(1)
      left.settle = 0
      left.claim = 0
      // During the lease, the worker still settles it.
      yield* TestClock.adjust(500)
      yield* world.settled
      expect(yield* world.log(endpoint)).toMatchObject([{ attempts: [{ number: 1 }] }])
      left.settle = never
      yield* TestClock.setTime(someTime + minute)
      expect((yield* world.outside.next).at).toBe(someTime + minute)
      yield* TestClock.adjust(30 * second)
      left.settle = 0
      yield* TestClock.adjust(10 * second)
      yield* world.settled
      const [delivery] = yield* world.log(endpoint)
      expect(delivery?.attempts.map(({ number }) => number)).toEqual([1, 2])
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(2)
      expect(world.outside.sent.length).toBeGreaterThan(2)
    }),
  )

  it.effect("MUST be tried again after a defect too: a claim every second, a settlement twice", () =>
    Effect.gen(function* () {
      const left = { claim: 2, settle: 2 }
      const breaking = <A, E>(method: keyof typeof left, effect: Effect.Effect<A, E>) =>
        Effect.suspend(() => (left[method]-- > 0 ? Effect.die(new Error("A connection was lost")) : effect))
      const world = yield* makeWorld({
        deliveries: (store) => ({
          claim: (request) => breaking("claim", store.claim(request)),
          settle: (batch, advance) => breaking("settle", store.settle(batch, advance)),
        }),
      })
      const endpoint = yield* world.endpoint()
      yield* orders(world, 1)
      yield* Effect.forkScoped(world.work)
      yield* TestClock.adjust(2 * second)
      expect((yield* world.outside.next).at).toBe(someTime + 2 * second)
      yield* TestClock.adjust(second)
      yield* world.settled
      expect(yield* world.log(endpoint)).toMatchObject([{ status: "succeeded", attempts: [{ number: 1 }] }])
    }),
  )

  it.effect("MUST make drain fail after it has finished and settled its attempts", () =>
    Effect.gen(function* () {
      const { calls, deliveries, left } = flaky()
      const world = yield* makeWorld({ deliveries, worker: { concurrency: 4 } })
      const endpoint = yield* world.endpoint()
      yield* orders(world, 3)
      world.outside.respond = () =>
        Effect.sync(() => {
          if (calls.claim === 1) left.claim = 1
          return responseOf(200)
        })
      const error = yield* Effect.flip(world.drain)
      expect(error._tag).toBe("StorageError")
      const statuses = (yield* world.log(endpoint)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(["pending", "succeeded", "succeeded"])
      expect((yield* world.drain).attempts).toBe(1)
    }),
  )
})
