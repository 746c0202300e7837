/**
 * A worker with and without signals, side by side with others, and when it stops (§6, D22, D28; hosts/cli/README.md).
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Queue } from "effect"
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
  working,
} from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { DeliverySignal, type Signal } from "../../../ports/DeliverySignal.ts"
import { redeliver, sendTestEvent } from "../ManageDeliveries.ts"
import { enableEndpoint } from "../ManageEndpoints.ts"

/** A signal that never comes. */
const deafness = DeliverySignal.of({ wake: Effect.void, subscribe: Queue.unbounded<Signal>() })

/**
 * A worker with two slots, whose attempts wait behind a gate, and which has claimed two deliveries ahead; two more are
 * left in the store.
 */
const holdingAhead = Effect.fnUntraced(function* (worker: { readonly lease?: number } = {}) {
  const claimed: Array<string> = []
  const world = yield* working({
    worker: { concurrency: 2, ...worker },
    deliveries: (store) => ({
      claim: (request) =>
        Effect.tap(store.claim(request), (claims) =>
          Effect.sync(() => claimed.push(...claims.map(({ deliveryId }) => deliveryId))),
        ),
    }),
  })
  const gate = yield* Latch.make()
  yield* Effect.addFinalizer(() => gate.open)
  world.outside.respond = (sent) =>
    world.outside.sent.length > 6 ? behind(gate)(sent) : lasting(responseOf(200), 10)()
  // A shop has a share of a worker's claims: it takes several shops to fill the worker.
  for (let index = 0; index < 12; index++) {
    const shop = yield* makeWorld({ ports: world.ports })
    yield* shop.endpoint()
    yield* orders(shop, 1)
  }
  // Two attempts every 10 milliseconds are enough to claim ahead.
  yield* Effect.all([world.outside.next, world.outside.next])
  for (let time = 0; time < 3; time++) {
    yield* TestClock.adjust(10)
    yield* Effect.all([world.outside.next, world.outside.next])
  }
  while (claimed.length < 10) yield* world.claimed
  return { world, gate, claimed }
})

describe("A worker", () => {
  it.effect("MUST be woken by the signal in the instant of the event", () =>
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
      world.outside.respond = () => Effect.succeed(responseOf(500))
      for (let index = 0; index < 20; index++) {
        yield* world.order(`${index}`, [`d-${index}`])
        yield* world.outside.next
        yield* world.settled
      }
      yield* TestClock.adjust(minute)
      expect(world.outside.sent).toHaveLength(20)
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* world.run(enableEndpoint(world.shop, endpoint.id))
      for (let index = 0; index < 20; index++) expect((yield* world.outside.next).at).toBe(someTime + minute)
    }),
  )

  it.effect("MUST find due deliveries within 5 seconds if the signal is lost", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const withoutListen = yield* world.another({ signal: deafness })
      yield* Effect.forkScoped(withoutListen.work)
      yield* world.walked
      yield* TestClock.adjust(1)
      yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* TestClock.adjust(4998)
      expect(world.outside.sent).toEqual([])
      yield* TestClock.adjust(1)
      expect((yield* world.outside.next).at).toBe(someTime + 5000)
    }),
  )

  it.effect("MUST claim at once what an attempt that ended during a claim has made room for", () =>
    Effect.gen(function* () {
      const [asked, mayClaim] = [yield* Queue.unbounded<void>(), yield* Latch.make(true)]
      const world = yield* working({
        worker: { perEndpoint: 2 },
        deliveries: (store) => ({
          claim: (request) =>
            Queue.offer(asked, undefined).pipe(Effect.andThen(mayClaim.await), Effect.andThen(store.claim(request))),
        }),
      })
      yield* world.endpoint()
      const [gate, hangs] = [yield* Latch.make(), yield* Latch.make()]
      yield* Effect.addFinalizer(() => hangs.open)
      world.outside.respond = (sent) => behind(world.outside.sent.length === 1 ? gate : hangs)(sent)
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      yield* mayClaim.close
      yield* Queue.clear(asked)
      yield* world.order("2", ["d-2", "d-3"])
      yield* Queue.take(asked)
      yield* gate.open
      yield* world.settled
      yield* mayClaim.open
      // The claim under way has room for one of them.
      for (const _ of ["d-2", "d-3"]) expect((yield* world.outside.next).at).toBe(someTime)
    }),
  )

  it.effect("MUST attempt a delivery in the millisecond in which it is due, whenever it looked last", () =>
    Effect.gen(function* () {
      const world = yield* working()
      yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      yield* world.settled
      // An event makes it look a tenth of a second earlier.
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

  it.effect("MUST use all of its concurrency and of an endpoint's share, and no more", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 5, perEndpoint: 2 } })
      const endpoints = [yield* world.endpoint(), yield* world.endpoint()]
      const elsewhere = yield* makeWorld({ ports: world.ports })
      const third = yield* elsewhere.endpoint()
      const gate = yield* Latch.make()
      world.outside.respond = behind(gate)
      for (const shop of [world, elsewhere]) yield* orders(shop, 6)
      const worker = yield* Effect.forkScoped(world.work)
      for (let index = 0; index < 5; index++) yield* world.outside.next
      yield* TestClock.adjust(4 * second)
      expect(world.outside.sent).toHaveLength(5)
      yield* gate.open
      for (let index = 5; index < 18; index++) yield* world.outside.next
      yield* Fiber.interrupt(worker)
      expect(world.outside.most()).toBe(5)
      expect([...endpoints, third].every(({ url }) => world.outside.mostTo(url) <= 2)).toBe(true)
      const logs = [...(yield* Effect.forEach(endpoints, world.log)), yield* elsewhere.log(third)]
      for (const log of logs) expect(log.map(({ status }) => status)).toEqual(Array(6).fill("succeeded"))
      expect(new Set(world.outside.sent.map(({ deliveryId }) => deliveryId)).size).toBe(18)
    }),
  )

  it.effect("MUST serve other endpoints while one hangs and uses its own share", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 8, perEndpoint: 3 } })
      const hanging = yield* world.endpoint({ url: "https://hanging.example.com/" })
      yield* world.endpoint({ url: "https://fine.example.com/" })
      const gate = yield* Latch.make()
      const hangingBeside: Array<number> = []
      world.outside.respond = (sent) => {
        if (sent.request.url === hanging.url) return behind(gate)(sent)
        hangingBeside.push(world.outside.mostTo(hanging.url))
        return Effect.succeed(responseOf(200))
      }
      yield* orders(world, 10)
      const worker = yield* Effect.forkScoped(world.work)
      // A failure of the test must not wait for the attempts that hang.
      yield* Effect.addFinalizer(() => gate.open)
      const fine: Array<string> = []
      while (fine.length < 10) {
        const { deliveryId, request } = yield* world.outside.next
        if (request.url !== hanging.url) fine.push(deliveryId)
      }
      expect(new Set(fine).size).toBe(10)
      // A shop has four slots here. Until the other endpoint's last delivery is claimed, two of them are its own.
      expect(Math.max(...hangingBeside.slice(0, 8))).toBe(2)
      expect(world.outside.mostTo(hanging.url)).toBeLessThanOrEqual(3)
      yield* gate.open
      yield* Fiber.interrupt(worker)
    }),
  )

  it.effect("MUST continue with an endpoint that was at its limit as soon as one of its attempts is settled", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 8, perEndpoint: 2 } })
      yield* world.endpoint()
      yield* orders(world, 3)
      const gates = [yield* Latch.make(), yield* Latch.make(), yield* Latch.make(true)]
      world.outside.respond = (sent) => behind(gates[world.outside.sent.length - 1]!)(sent)
      const worker = yield* Effect.forkScoped(world.work)
      yield* Effect.all([world.outside.next, world.outside.next])
      yield* gates[1]!.open
      expect((yield* world.outside.next).at).toBe(someTime)
      yield* gates[0]!.open
      yield* Fiber.interrupt(worker)
    }),
  )

  it.effect(
    "MUST NOT call the store as attempts end if it has claimed everything that was due without reaching a limit",
    () =>
      Effect.gen(function* () {
        const { calls, deliveries } = flaky()
        const world = yield* working({ deliveries })
        yield* world.endpoint()
        const gates = [yield* Latch.make(), yield* Latch.make(), yield* Latch.make()]
        world.outside.respond = (sent) => behind(gates[world.outside.sent.length - 1]!)(sent)
        yield* orders(world, 3)
        yield* Effect.all([world.outside.next, world.outside.next, world.outside.next])
        yield* TestClock.adjust(1)
        const before = calls.claim
        const asked: Array<number> = []
        for (const gate of gates) {
          yield* gate.open
          yield* world.settled
          yield* TestClock.adjust(1)
          asked.push(calls.claim - before)
        }
        expect(asked).toEqual([0, 0, 0])
      }),
  )

  it.effect("MUST claim events that it was too busy for as soon as a slot is free, even if an attempt hangs", () =>
    Effect.gen(function* () {
      let claimed = 0
      const world = yield* working({
        worker: { concurrency: 4 },
        deliveries: (store) => ({
          claim: (request) =>
            Effect.tap(store.claim(request), (claims) =>
              Effect.sync(() => {
                claimed += claims.length
              }),
            ),
        }),
      })
      const gates = { hanging: yield* Latch.make(), others: yield* Latch.make() }
      yield* Effect.addFinalizer(() => Effect.andThen(gates.hanging.open, gates.others.open))
      world.outside.respond = (sent) => {
        const number = world.outside.sent.length
        return number <= 12
          ? lasting(responseOf(200), 10)()
          : behind(number === 13 ? gates.hanging : gates.others)(sent)
      }
      yield* world.endpoint()
      for (let index = 0; index < 18; index++) {
        const shop = yield* makeWorld({ ports: world.ports })
        yield* shop.endpoint()
        yield* orders(shop, 1)
      }
      for (let time = 0; time < 3; time++) {
        for (let index = 0; index < 4; index++) yield* world.outside.next
        yield* TestClock.adjust(10)
      }
      for (let index = 0; index < 4; index++) yield* world.outside.next
      // The store has nothing left, and two claims wait for a slot.
      expect(claimed).toBe(18)
      yield* orders(world, 1)
      yield* gates.others.open
      const rest = [yield* world.outside.next, yield* world.outside.next, yield* world.outside.next]
      expect(rest.map(({ at }) => at)).toEqual(Array(3).fill(someTime + 30))
    }),
  )

  it.effect("MUST NOT begin a claim if less is left of its lease than an attempt may take", () =>
    Effect.gen(function* () {
      const { claimed, world } = yield* holdingAhead({ lease: 10 * second })
      // The two attempts under way end after 5.1 seconds.
      yield* TestClock.adjust(6 * second)
      const next = yield* Effect.all([world.outside.next, world.outside.next])
      expect(claimed).toHaveLength(12)
      expect(next.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(claimed.slice(10).toSorted())
    }),
  )

  it.effect.each([
    // Then the rest of the lease is exactly as long as an attempt may take.
    [10_100, 5100],
    // If half of a lease is shorter, that is enough.
    [8000, 4000],
  ] as const)("MUST begin what it had claimed ahead with enough left of a lease of %i ms", ([lease, wait]) =>
    Effect.gen(function* () {
      const { claimed, gate, world } = yield* holdingAhead({ lease })
      yield* TestClock.adjust(wait)
      yield* gate.open
      const next = yield* Effect.all([world.outside.next, world.outside.next])
      expect(next.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(claimed.slice(8, 10).toSorted())
    }),
  )

  it.effect("MUST share the work with another worker on the same store, each delivery in one of them (D22)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 6 } })
      const endpoint = yield* world.endpoint()
      const other = yield* world.another({})
      const gate = yield* Latch.make()
      world.outside.respond = behind(gate)
      yield* orders(world, 40)
      const workers = [yield* Effect.forkScoped(world.work), yield* Effect.forkScoped(other.work)]
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

describe("Stopping a worker (hosts/cli/README.md)", () => {
  it.effect("MUST finish and settle attempts under way, and begin none", () =>
    Effect.gen(function* () {
      const world = yield* working({ worker: { concurrency: 4 } })
      const endpoint = yield* world.endpoint()
      const gate = yield* Latch.make()
      world.outside.respond = behind(gate)
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
      // The deliveries that did not begin are free.
      expect((yield* world.drain).attempts).toBe(3)
    }),
  )

  it.effect("MUST leave its waiting claims to others at once", () =>
    Effect.gen(function* () {
      const { gate, world } = yield* holdingAhead()
      world.outside.respond = () => Effect.succeed(responseOf(200))
      const other = yield* world.another({})
      expect((yield* other.drain).attempts).toBe(2)
      const stopped = yield* Effect.forkScoped(Fiber.interrupt(world.worker))
      yield* TestClock.adjust(1)
      expect((yield* other.drain).attempts).toBe(2)
      yield* gate.open
      yield* Fiber.join(stopped)
    }),
  )

  it.effect("MUST take no time if nothing is under way", () =>
    Effect.gen(function* () {
      const world = yield* working()
      expect(Exit.isSuccess(yield* Effect.exit(Fiber.interrupt(world.worker)))).toBe(true)
      yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* TestClock.adjust(minute)
      expect(world.outside.sent).toEqual([])
    }),
  )

  it.effect("MUST succeed if a receiver never responds and the sender ignores its time: the attempt is a timeout", () =>
    Effect.gen(function* () {
      const world = yield* working()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.never
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      const stopped = yield* Effect.forkScoped(Fiber.interrupt(world.worker))
      yield* TestClock.adjust(6 * second)
      yield* Fiber.join(stopped)
      expect((yield* world.log(endpoint))[0]?.attempts).toMatchObject([{ statusCode: null, error: "timeout" }])
    }),
  )

  it.effect("MUST take at most 7 seconds if the store never settles an attempt, however long the lease", () =>
    Effect.gen(function* () {
      const { deliveries, left } = flaky()
      const world = yield* working({ deliveries, worker: { lease: 10 * minute } })
      yield* world.endpoint()
      left.settle = never
      yield* world.order("1", ["d-1"])
      yield* world.outside.next
      const stopped = yield* Effect.forkScoped(Fiber.interrupt(world.worker))
      yield* TestClock.adjust(7 * second)
      expect(stopped.pollUnsafe()).toBeDefined()
    }),
  )

  it.effect(
    "MUST take no longer than the lease if the store never settles an attempt, which another worker then repeats",
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
