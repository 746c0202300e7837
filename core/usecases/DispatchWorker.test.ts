/** How a worker works: woken and by itself, side by side with others, through failures, and until it is stopped (§6, D23, D27; contract: Commands, Settings). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Option, Queue } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../conformance/storage/Fixtures.ts"
import {
  type Answering,
  answered,
  attempt,
  keyOf,
  makeWorld,
  type WorkerWorldOptions,
  type World,
} from "../../conformance/worlds/TestWorker.ts"
import type { DeliveryQueue } from "../ports/DeliveryQueue.ts"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import { StorageError } from "../ports/StorageError.ts"
import { redeliver, sendTestEvent } from "./ManageDeliveries.ts"
import { turnOnEndpoint } from "./ManageEndpoints.ts"

const second = 1000
const minute = 60 * second
const never = Number.MAX_SAFE_INTEGER

const down = new StorageError({ message: "The store is down", cause: undefined, isRetryable: true })

/** Answers only when the gate is opened. */
const behind =
  (gate: Latch.Latch, status = 200): Answering =>
  () =>
    Effect.as(gate.await, answered(status))

/** Makes calls fail so often; `failing` may be set again. */
const flaky = () => {
  const left = { claim: 0, settle: 0, nextDue: 0 }
  const calls = { claim: 0, settle: 0, nextDue: 0 }
  const fails = (method: keyof typeof left) => {
    calls[method]++
    if (left[method] === 0) return false
    left[method]--
    return true
  }
  const deliveries = (store: DeliveryQueue["Service"]): Partial<DeliveryQueue["Service"]> => ({
    claim: (request) => Effect.suspend(() => (fails("claim") ? Effect.fail(down) : store.claim(request))),
    settle: (settlements, advance) =>
      Effect.suspend(() => (fails("settle") ? Effect.fail(down) : store.settle(settlements, advance))),
    nextDue: (now) => Effect.suspend(() => (fails("nextDue") ? Effect.fail(down) : store.nextDue(now))),
  })
  return { left, calls, deliveries }
}

/** A world whose worker works until the test is over. */
const working = Effect.fnUntraced(function* (options: WorkerWorldOptions = {}) {
  const world = yield* makeWorld(options)
  const worker = yield* Effect.forkScoped(world.dispatch.work)
  // It has looked once, and found nothing.
  expect(yield* world.claimed).toBe(0)
  return { ...world, worker }
})

/** Orders so many designs, each with an order and so an event of its own. */
const orders = Effect.fnUntraced(function* (world: Pick<World, "order">, count: number, name = "o") {
  for (let index = 0; index < count; index++) yield* world.order(`${name}-${index}`, [`${name}-${index}`])
})

/** Never hears of anything. */
const deafness = DeliverySignal.of({ wake: Effect.void, subscribe: Queue.sliding<void>(1) })

describe("A worker", () => {
  it.effect("MUST be woken by the signal at once, in the instant in which something happens", () =>
    Effect.gen(function* () {
      const world = yield* working()
      const endpoint = yield* world.endpoint()
      for (const [index, wait] of [0, 1, 777].entries()) {
        yield* TestClock.adjust(wait)
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        yield* world.order(`${index}`, [`d-${index}`])
        expect((yield* world.outside.next).at).toBe(now)
        yield* world.settled
      }
      const [newest] = yield* world.log(endpoint)
      const again = yield* world.run(redeliver(world.shop, endpoint.id, newest?.id ?? ""))
      expect(yield* world.outside.next).toMatchObject({ deliveryId: again.id, at: someTime + 778 })
      const test = yield* world.run(sendTestEvent(world.shop, endpoint.id))
      expect(yield* world.outside.next).toMatchObject({ deliveryId: test.id, at: someTime + 778 })
    }),
  )

  it.effect("MUST be woken when an endpoint is turned on (D28)", () =>
    Effect.gen(function* () {
      const world = yield* working({ worker: { perEndpoint: 20 } })
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      for (let index = 0; index < 20; index++) {
        yield* world.order(`${index}`, [`d-${index}`])
        yield* world.outside.next
        yield* world.settled
      }
      yield* TestClock.adjust(minute)
      expect(world.outside.sent).toHaveLength(20)
      world.outside.answer = () => Effect.succeed(answered(200))
      yield* world.run(turnOnEndpoint(world.shop, endpoint.id))
      for (let index = 0; index < 20; index++) expect((yield* world.outside.next).at).toBe(someTime + minute)
    }),
  )

  it.effect("MUST find what is due by itself within 5 seconds where the signal is lost", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const deaf = yield* world.another({ signal: deafness })
      yield* Effect.forkScoped(deaf.dispatch.work)
      expect(yield* world.claimed).toBe(0)
      yield* TestClock.adjust(1)
      yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* TestClock.adjust(4998)
      expect(world.outside.sent).toEqual([])
      yield* TestClock.adjust(1)
      expect((yield* world.outside.next).at).toBe(someTime + 5000)
    }),
  )

  it.effect("MUST attempt in the millisecond in which a delivery is due, whenever it looked last", () =>
    Effect.gen(function* () {
      const world = yield* working()
      yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      yield* world.settled
      // Something else makes it look a tenth of a second before.
      yield* TestClock.setTime(someTime + minute - 100)
      yield* world.order("2", ["d-2"])
      yield* world.outside.next
      yield* world.settled
      yield* TestClock.adjust(99)
      expect(world.outside.sent).toHaveLength(2)
      yield* TestClock.adjust(1)
      expect((yield* world.outside.next).at).toBe(someTime + minute)
    }),
  )

  it.effect(
    "MUST have no more attempts under way than its concurrency, to one endpoint than its share, and use both",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ worker: { concurrency: 5, perEndpoint: 2 } })
        const endpoints = [yield* world.endpoint(), yield* world.endpoint(), yield* world.endpoint()]
        const gate = yield* Latch.make()
        world.outside.answer = behind(gate)
        yield* orders(world, 6)
        const worker = yield* Effect.forkScoped(world.dispatch.work)
        for (let index = 0; index < 5; index++) yield* world.outside.next
        yield* TestClock.adjust(4 * second)
        expect(world.outside.sent).toHaveLength(5)
        yield* gate.open
        for (let index = 5; index < 18; index++) yield* world.outside.next
        yield* Fiber.interrupt(worker)
        expect(world.outside.most()).toBe(5)
        expect(endpoints.every(({ url }) => world.outside.mostTo(url) <= 2)).toBe(true)
        for (const endpoint of endpoints) {
          expect((yield* world.log(endpoint)).map(({ status }) => status)).toEqual(Array(6).fill("succeeded"))
        }
        expect(new Set(world.outside.sent.map(({ deliveryId }) => deliveryId)).size).toBe(18)
      }),
  )

  it.effect("MUST serve the others while one endpoint hangs, which costs its own share alone", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 4, perEndpoint: 3 } })
      const hanging = yield* world.endpoint({ url: "https://hanging.example.com/" })
      yield* world.endpoint({ url: "https://fine.example.com/" })
      world.outside.answer = ({ request }) =>
        request.url === hanging.url ? Effect.never : Effect.succeed(answered(200))
      yield* orders(world, 10)
      const worker = yield* Effect.forkScoped(world.dispatch.work)
      const fine: Array<string> = []
      while (fine.length < 10) {
        const { deliveryId, request } = yield* world.outside.next
        if (request.url !== hanging.url) fine.push(deliveryId)
      }
      expect(new Set(fine).size).toBe(10)
      expect(world.outside.mostTo(hanging.url)).toBe(3)
      yield* TestClock.adjust(6 * second)
      yield* Effect.forkScoped(Fiber.interrupt(worker))
      yield* TestClock.adjust(6 * second)
    }),
  )

  it.effect("MUST share the work with another on the same store: each delivery to one of them (D22)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 3 } })
      const endpoint = yield* world.endpoint()
      const other = yield* world.another({})
      const gate = yield* Latch.make()
      world.outside.answer = behind(gate)
      yield* orders(world, 40)
      const workers = [yield* Effect.forkScoped(world.dispatch.work), yield* Effect.forkScoped(other.dispatch.work)]
      for (let index = 0; index < 6; index++) yield* world.outside.next
      expect(world.outside.most()).toBe(6)
      yield* gate.open
      for (let index = 6; index < 40; index++) yield* world.outside.next
      yield* Fiber.interruptAll(workers)
      expect(new Set(world.outside.sent.map(({ deliveryId }) => deliveryId)).size).toBe(40)
      expect(world.outside.sent).toHaveLength(40)
      expect(
        (yield* world.log(endpoint)).every(({ attempts, status }) => status === "succeeded" && attempts.length === 1),
      ).toBe(true)
    }),
  )
})

describe("Faults of our own (D27)", () => {
  it.effect(
    "MUST count for nothing where no key opens the secret: no attempt, no failure, tried again when the lease is over",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        const wrong = yield* world.another({ keyRing: { keys: [keyOf(9)] } })
        const drain = wrong.dispatch.drain({ max: never, deadline: never })
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
      world.outside.answer = () => Effect.die(new Error("A defect of the sender"))
      yield* world.drain
      world.outside.answer = () => Effect.succeed(answered(200))
      yield* TestClock.adjust(10 * second - 1)
      expect((yield* world.drain).attempts).toBe(0)
      yield* TestClock.adjust(1)
      expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
    }),
  )

  it.effect("MUST count for nothing where the sender dies, and disturb nobody else", () =>
    Effect.gen(function* () {
      const world = yield* working()
      const endpoint = yield* world.endpoint()
      let broken = true
      world.outside.answer = () =>
        broken ? Effect.die(new Error("A defect of the sender")) : Effect.succeed(answered(200))
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
    "MUST lose nothing where a worker dies with what it had claimed: another has it after the lease (D23)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* orders(world, 3)
        const now = someTime
        const claims = yield* world.store.claim({
          now,
          limit: 10,
          perEndpoint: 10,
          busy: [],
          leaseUntil: now + 30 * second,
          token: "a-worker-that-died",
        })
        expect(claims).toHaveLength(3)
        expect((yield* world.drain).attempts).toBe(0)
        yield* TestClock.adjust(30 * second)
        expect(yield* world.drain).toEqual({ attempts: 3, succeeded: 3 })
        const log = yield* world.log(endpoint)
        expect(log.every(({ attempts }) => attempts.length === 1 && attempts[0]?.number === 1)).toBe(true)
        // What it would have said comes too late.
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
  it.effect("MUST make the worker try again every second, and lose nothing", () =>
    Effect.gen(function* () {
      const { calls, deliveries, left } = flaky()
      const world = yield* makeWorld({ deliveries })
      const endpoint = yield* world.endpoint()
      yield* orders(world, 3)
      left.claim = 4
      yield* Effect.forkScoped(world.dispatch.work)
      yield* TestClock.adjust(3999)
      expect([calls.claim, world.outside.sent.length]).toEqual([4, 0])
      yield* TestClock.adjust(1)
      for (let index = 0; index < 3; index++) expect((yield* world.outside.next).at).toBe(someTime + 4 * second)
      yield* world.settled
      while ((yield* world.log(endpoint)).some(({ status }) => status === "pending")) yield* world.settled
      expect((yield* world.log(endpoint)).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1])
    }),
  )

  it.effect("MUST NOT stop the worker where looking for the next delivery fails", () =>
    Effect.gen(function* () {
      const { deliveries, left } = flaky()
      const world = yield* working({ deliveries })
      yield* world.endpoint()
      left.nextDue = 3
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      yield* world.settled
      yield* TestClock.adjust(10 * second)
      expect(left.nextDue).toBe(0)
      yield* world.order("2", ["d-2"])
      expect((yield* world.outside.next).at).toBe(someTime + 10 * second)
    }),
  )

  it.effect("MUST make the worker settle again what it could not settle, without sending it again", () =>
    Effect.gen(function* () {
      const { calls, deliveries, left } = flaky()
      const world = yield* working({ deliveries })
      const endpoint = yield* world.endpoint()
      left.settle = 10
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      while (left.settle > 0) yield* TestClock.adjust(500)
      yield* TestClock.adjust(500)
      yield* world.settled
      expect(calls.settle).toBe(11)
      expect(world.outside.sent).toHaveLength(1)
      // The schedule runs from the end of the attempt, not from when that could be stored (D25).
      expect((yield* world.log(endpoint))[0]).toMatchObject({
        nextAttemptAt: someTime + minute,
        attempts: [attempt(1, someTime, 500)],
      })
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
    }),
  )

  it.effect(
    "MUST let a delivery be attempted again where it could not be settled for as long as its lease, and count once",
    () =>
      Effect.gen(function* () {
        const { deliveries, left } = flaky()
        const world = yield* working({ deliveries, worker: { lease: 10 * second } })
        const endpoint = yield* world.endpoint()
        left.settle = never
        world.outside.answer = () => Effect.succeed(answered(500))
        yield* world.order("1", ["d-1"])
        yield* world.outside.next
        yield* TestClock.adjust(9 * second)
        expect(world.outside.sent).toHaveLength(1)
        left.settle = 0
        left.claim = 0
        // Within the lease it is still settled.
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

  it.effect("MUST make drain fail, after what it began was finished and settled", () =>
    Effect.gen(function* () {
      const { calls, deliveries, left } = flaky()
      const world = yield* makeWorld({ deliveries, worker: { concurrency: 2 } })
      const endpoint = yield* world.endpoint()
      yield* orders(world, 3)
      world.outside.answer = () =>
        Effect.sync(() => {
          if (calls.claim === 1) left.claim = 1
          return answered(200)
        })
      const error = yield* Effect.flip(world.drain)
      expect(error._tag).toBe("StorageError")
      const statuses = (yield* world.log(endpoint)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(["pending", "succeeded", "succeeded"])
      expect((yield* world.drain).attempts).toBe(1)
    }),
  )
})

describe("Stopping a worker (contract: Commands)", () => {
  it.effect("MUST finish and settle what is under way, and begin nothing more", () =>
    Effect.gen(function* () {
      const world = yield* working({ worker: { concurrency: 2 } })
      const endpoint = yield* world.endpoint()
      const gate = yield* Latch.make()
      world.outside.answer = behind(gate)
      yield* orders(world, 5)
      yield* Effect.all([world.outside.next, world.outside.next])
      const stopped = yield* Effect.forkScoped(Fiber.interrupt(world.worker))
      yield* TestClock.adjust(2 * second)
      expect(stopped.pollUnsafe()).toBeUndefined()
      yield* gate.open
      yield* Fiber.join(stopped)
      expect(world.outside.sent).toHaveLength(2)
      const log = yield* world.log(endpoint)
      expect(log.map(({ status }) => status).toSorted()).toEqual([
        "pending",
        "pending",
        "pending",
        "succeeded",
        "succeeded",
      ])
      // What was not begun is held by nobody.
      expect(Option.getOrThrow(yield* world.store.nextDue(someTime))).toBe(someTime)
      expect((yield* world.drain).attempts).toBe(3)
    }),
  )

  it.effect("MUST end at once where nothing is under way", () =>
    Effect.gen(function* () {
      const world = yield* working()
      expect(Exit.isSuccess(yield* Effect.exit(Fiber.interrupt(world.worker)))).toBe(true)
      yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* TestClock.adjust(minute)
      expect(world.outside.sent).toEqual([])
    }),
  )

  it.effect("MUST end though a receiver never answers and the sender ignores its time: the attempt is a timeout", () =>
    Effect.gen(function* () {
      const world = yield* working()
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.never
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      const stopped = yield* Effect.forkScoped(Fiber.interrupt(world.worker))
      yield* TestClock.adjust(6 * second)
      yield* Fiber.join(stopped)
      expect((yield* world.log(endpoint))[0]?.attempts).toMatchObject([{ statusCode: null, error: "timeout" }])
    }),
  )

  it.effect(
    "MUST end within the lease though the store never takes what was attempted, which another worker then has",
    () =>
      Effect.gen(function* () {
        const { deliveries, left } = flaky()
        const world = yield* working({ deliveries })
        const endpoint = yield* world.endpoint()
        left.settle = never
        yield* world.order("1", ["d-1"])
        yield* world.outside.next
        const stopped = yield* Effect.forkScoped(Fiber.interrupt(world.worker))
        yield* TestClock.adjust(31 * second)
        yield* Fiber.join(stopped)
        expect((yield* world.log(endpoint))[0]).toMatchObject({ status: "pending", attempts: [] })
        left.settle = 0
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
      }),
  )
})

describe("drain (for cron and serverless)", () => {
  it.effect("MUST do all that is due, answer how much, and leave what is not due", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 3, perEndpoint: 2 } })
      const good = yield* world.endpoint({ url: "https://good.example.com/" })
      yield* world.endpoint({ url: "https://bad.example.com/" })
      world.outside.answer = ({ request }) => Effect.succeed(answered(request.url === good.url ? 200 : 500))
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
        expect(yield* world.dispatch.drain({ max, deadline: never })).toEqual({ attempts: max, succeeded: max })
        expect(world.outside.sent).toHaveLength(max)
        // What it did not begin, nobody holds.
        expect(yield* world.drain).toEqual({ attempts: 5 - max, succeeded: 5 - max })
      }),
    )
  }

  it.effect("MUST begin nothing at the deadline or after it, and finish what it began before", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 2 } })
      const endpoint = yield* world.endpoint()
      yield* orders(world, 6)
      expect(yield* world.dispatch.drain({ max: never, deadline: someTime })).toEqual({ attempts: 0, succeeded: 0 })
      const gate = yield* Latch.make()
      world.outside.answer = behind(gate)
      const drained = yield* Effect.forkChild(world.dispatch.drain({ max: never, deadline: someTime + 2 * second }))
      yield* Effect.all([world.outside.next, world.outside.next])
      yield* TestClock.adjust(2 * second)
      yield* gate.open
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 2, succeeded: 2 })
      const done = (yield* world.log(endpoint)).filter(({ status }) => status === "succeeded")
      expect(done.map(({ attempts }) => attempts[0]?.durationMs)).toEqual([2 * second, 2 * second])
    }),
  )

  it.effect("MUST finish and settle what is under way where it is interrupted", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const gate = yield* Latch.make()
      world.outside.answer = behind(gate)
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
