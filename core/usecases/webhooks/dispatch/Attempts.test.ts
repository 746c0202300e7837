/** When an attempt ends, and when the next one begins (§6, D23, D26, D45). */
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld, type World } from "../../../../conformance/testkit/workers/TestWorker.ts"
import {
  behind,
  lasting,
  minute,
  never,
  only,
  orders,
  second,
  working,
} from "../../../../conformance/testkit/workers/WorkerSteps.ts"

/** Shops on the same store with an endpoint and an order each: one shop alone has only a share of the slots. */
const othersWithOrders = (ports: World["ports"], shops: number) =>
  Effect.forEach(
    Array.from({ length: shops }),
    Effect.fnUntraced(function* () {
      const shop = yield* makeWorld({ ports })
      yield* shop.endpoint()
      yield* orders(shop, 1)
    }),
  )

describe("An attempt that takes too long (D26)", () => {
  it.effect("MUST be interrupted as a timeout, a tenth of a second after the sender should have ended it", () =>
    Effect.gen(function* () {
      const world = yield* working()
      const endpoint = yield* world.endpoint()
      let interrupted = 0
      world.outside.respond = () =>
        Effect.onInterrupt(Effect.never, () =>
          Effect.sync(() => {
            interrupted++
          }),
        )
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      yield* TestClock.adjust(300)
      yield* world.order("2", ["d-2"])
      yield* world.outside.next
      yield* TestClock.adjust(4799)
      expect(interrupted).toBe(0)
      yield* TestClock.adjust(1)
      expect(interrupted).toBe(1)
      yield* TestClock.adjust(299)
      expect(interrupted).toBe(1)
      yield* TestClock.adjust(1)
      expect(interrupted).toBe(2)
      const log = yield* world.log(endpoint)
      const timeout = { durationMs: 5100, statusCode: null, error: "timeout" }
      expect(log.map(({ attempts }) => attempts)).toMatchObject([[timeout], [timeout]])
    }),
  )

  it.effect("MUST count once, as a timeout, if the sender can't be interrupted and responds later", () =>
    Effect.gen(function* () {
      const world = yield* working()
      const endpoint = yield* world.endpoint()
      const response = yield* Deferred.make<void>()
      world.outside.respond = () => Effect.uninterruptible(Effect.as(Deferred.await(response), responseOf(200)))
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      yield* TestClock.adjust(5100)
      yield* Deferred.succeed(response, undefined)
      yield* TestClock.adjust(second)
      expect(only(yield* world.log(endpoint))).toMatchObject({
        status: "pending",
        attempts: [{ statusCode: null, error: "timeout" }],
      })
      expect(world.settlements).toHaveLength(1)
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
    }),
  )

  it.effect("MUST make room for one other attempt if the sender can't be interrupted and responds later (D45)", () =>
    Effect.gen(function* () {
      const world = yield* working({ worker: { perEndpoint: 1 } })
      const endpoint = yield* world.endpoint()
      const [late, hangs] = [yield* Latch.make(), yield* Latch.make()]
      yield* Effect.addFinalizer(() => Effect.andThen(late.open, hangs.open))
      world.outside.respond = (sent) =>
        Effect.uninterruptible(behind(world.outside.sent.length === 1 ? late : hangs)(sent))
      yield* orders(world, 3)
      yield* world.outside.next
      yield* TestClock.adjust(5100)
      yield* world.outside.next
      let claimed = 0
      while (claimed < 2) claimed += yield* world.claimed
      yield* late.open
      for (let times = 0; times < 16; times++) {
        yield* TestClock.adjust(second / 4)
        expect(world.outside.sent).toHaveLength(2)
      }
      yield* hangs.open
      yield* world.outside.next
      expect(world.outside.mostTo(endpoint.url)).toBe(2)
    }),
  )
})

describe("A slot", () => {
  /** A worker with two slots, whose store settles nothing until the gate opens. */
  const slowToSettle = Effect.fnUntraced(function* () {
    const gate = yield* Latch.make()
    yield* Effect.addFinalizer(() => gate.open)
    const world = yield* makeWorld({
      worker: { concurrency: 2 },
      deliveries: (store) => ({
        settle: (settlements, advance) => Effect.andThen(gate.await, store.settle(settlements, advance)),
      }),
    })
    yield* othersWithOrders(world.ports, 8)
    const worker = yield* Effect.forkScoped(world.work)
    return { gate, world, worker }
  })

  it.effect(
    "MUST be free when its attempt ends, until as many are unsettled: a dead worker repeats at most twice its slots (D23)",
    () =>
      Effect.gen(function* () {
        const { gate, world, worker } = yield* slowToSettle()
        for (let index = 0; index < 4; index++) yield* world.outside.next
        yield* TestClock.adjust(minute / 2 - 1)
        expect(world.outside.sent).toHaveLength(4)
        yield* gate.open
        for (let index = 4; index < 8; index++) yield* world.outside.next
        yield* Fiber.interrupt(worker)
        expect(world.outside.most()).toBeLessThanOrEqual(2)
      }),
  )

  it.effect("MUST keep the worker from ending until its attempt is settled", () =>
    Effect.gen(function* () {
      const { gate, world, worker } = yield* slowToSettle()
      for (let index = 0; index < 4; index++) yield* world.outside.next
      const stopped = yield* Effect.forkScoped(Fiber.interrupt(worker))
      yield* TestClock.adjust(second)
      expect(stopped.pollUnsafe()).toBeUndefined()
      yield* gate.open
      yield* Fiber.join(stopped)
      const settled = world.settlements.flatMap(({ effects }) => effects)
      expect(settled).toEqual(Array(4).fill(true))
      expect(world.outside.sent).toHaveLength(4)
    }),
  )

  it.effect("MUST be taken at once by the next delivery of an endpoint that failed since the claim (D45)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 8, perEndpoint: 2 } })
      yield* world.endpoint()
      yield* orders(world, 4)
      const gates = [yield* Latch.make(), yield* Latch.make(), yield* Latch.make(true), yield* Latch.make(true)]
      world.outside.respond = (sent) => {
        const number = world.outside.sent.length - 1
        return behind(gates[number] as Latch.Latch, number < 2 ? 500 : 200)(sent)
      }
      const worker = yield* Effect.forkScoped(world.work)
      yield* Effect.all([world.outside.next, world.outside.next])
      for (const gate of gates.slice(0, 2)) {
        yield* gate.open
        yield* world.settled
      }
      expect((yield* world.outside.next).at).toBe(someTime)
      expect((yield* world.outside.next).at).toBe(someTime)
      yield* Fiber.interrupt(worker)
    }),
  )

  it.effect(
    "MUST be taken at once by the next delivery of an idle endpoint that has failed, while another hangs (D45)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ worker: { concurrency: 8, perEndpoint: 2 } })
        const failing = yield* world.endpoint()
        yield* orders(world, 3)
        yield* othersWithOrders(world.ports, 1)
        const gates = [yield* Latch.make(), yield* Latch.make(), yield* Latch.make()]
        const hangs = yield* Latch.make()
        let number = 0
        world.outside.respond = (sent) =>
          behind(sent.request.url === failing.url ? (gates[number++] as Latch.Latch) : hangs, 500)(sent)
        yield* Effect.forkScoped(world.work)
        // At its end, the worker waits for attempts under way.
        yield* Effect.addFinalizer(() => Effect.forEach([...gates, hangs], (gate) => gate.open))
        yield* Effect.all([world.outside.next, world.outside.next, world.outside.next])
        expect(yield* world.claimed).toBe(3)
        yield* (gates[0] as Latch.Latch).open
        // The endpoint's limit is lower now, and still reached.
        expect(yield* world.claimed).toBe(0)
        yield* (gates[1] as Latch.Latch).open
        const third = yield* world.outside.next
        expect({ at: third.at, url: third.request.url }).toEqual({ at: someTime, url: failing.url })
      }),
  )
})

describe("drain", () => {
  it.effect("MUST begin nothing at its deadline or later, not even earlier claims", () =>
    Effect.gen(function* () {
      const claimed: Array<number> = []
      const world = yield* makeWorld({
        worker: { concurrency: 1 },
        deliveries: (store) => ({
          claim: (request) =>
            Effect.tap(store.claim(request), (claims) => Effect.sync(() => claimed.push(claims.length))),
        }),
      })
      yield* othersWithOrders(world.ports, 10)
      world.outside.respond = lasting(responseOf(200), 10)
      const drained = yield* Effect.forkChild(world.drainWithin({ max: never, deadline: someTime + 55 }))
      for (let index = 0; index < 6; index++) {
        yield* world.outside.next
        yield* TestClock.adjust(10)
      }
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 6, succeeded: 6 })
      expect(claimed.reduce((sum, count) => sum + count)).toBe(7)
      expect(world.outside.sent).toHaveLength(6)
    }),
  )
})
