/** `/metrics` (hosts/cli/OPERATING.md): attempts, the state of the queue, requests, the process, and the store. */

import { describe, expect, it, layer as testLayer } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import { request } from "../../conformance/suites/storage/support/Webhooks.ts"
import { inProcess, memory, postgres, type Send } from "../../conformance/testkit/hosts/TestHost.ts"
import { responseOf } from "../../conformance/testkit/workers/Outside.ts"
import { makeWorld, SharedStore, sharedStore } from "../../conformance/testkit/workers/TestWorker.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { MetricsShops } from "../../core/support/MetricsShops.ts"
import { redeliver, sendTestEvent } from "../../core/usecases/webhooks/ManageDeliveries.ts"
import { deleteEndpoint, enableEndpoint, listEndpoints } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { KeyLimit } from "../manage/index.ts"

/** The samples, by name and labels. */
const samples = Effect.fnUntraced(function* (send: Send) {
  const answer = yield* send("GET", "/metrics")
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
  const found = new Map<string, number>()
  for (const line of answer.text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue
    const [, name, value] = /^(.*) ([^ ]+)$/.exec(line) ?? []
    expect([line, name === undefined, Number.isNaN(Number(value))]).toEqual([line, false, false])
    found.set(name ?? "", Number(value))
  }
  return { text: answer.text, of: (name: string) => found.get(name) }
})

/** A worker and a host on the same store, at a time that the test moves. Its endpoints are removed afterwards. */
const world = Effect.gen(function* () {
  const ports = yield* SharedStore
  const made = yield* makeWorld({ ports })
  yield* Effect.addFinalizer(() =>
    Effect.ignore(
      Effect.flatMap(made.run(listEndpoints(made.shop)), (endpoints) =>
        Effect.forEach(endpoints, ({ id }) => made.run(deleteEndpoint(made.shop, id))),
      ),
    ),
  )
  return { ...made, send: yield* inProcess(Layer.succeedContext(ports)) }
})

/** Each test has counters and a clock of its own. */
const apart = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() =>
    effect.pipe(Effect.provideService(Metric.MetricRegistry, new Map()), Effect.provide(TestClock.layer())),
  )

for (const kind of [memory, postgres]) {
  testLayer(sharedStore(kind), { excludeTestServices: true })(`/metrics, on ${kind.name}`, (it) => {
    it.effect("MUST show how long attempts took, in seconds", () =>
      Effect.gen(function* () {
        const { endpoint, order, outside, send, settled, work } = yield* world
        yield* endpoint()
        yield* Effect.forkScoped(work)
        for (const [index, duration] of [0, 40, 400, 4000].entries()) {
          outside.respond = () => Effect.as(Effect.sleep(duration), responseOf(200))
          yield* order(`${index}`, [`d-${index}`])
          yield* outside.next
          yield* TestClock.adjust(duration)
          yield* settled
        }
        const { of } = yield* samples(send)
        expect(of("designwire_delivery_attempt_seconds_sum")).toBeCloseTo(4.44, 9)
        const bucket = (le: string) => of(`designwire_delivery_attempt_seconds_bucket{le="${le}"}`)
        expect(["0.005", "0.05", "0.5", "5", "+Inf"].map(bucket)).toEqual([1, 2, 3, 4, 4])
      }).pipe(apart),
    )

    it.effect(
      "MUST show the number of pending deliveries, since when the oldest is due, and the endpoints switched off",
      () =>
        Effect.gen(function* () {
          const { drain, endpoint, order, outside, run, send, shop } = yield* world
          const standing = Effect.map(samples(send), ({ of }) => [
            of("designwire_deliveries_pending"),
            of("designwire_oldest_pending_seconds"),
            of("designwire_endpoints_switched_off"),
            of("designwire_deliveries_past_due"),
            of('designwire_endpoints{state="active"}'),
            of('designwire_endpoints{state="switched_off"}'),
          ])
          expect(yield* standing).toEqual([0, 0, 0, 0, 0, 0])
          const { id } = yield* endpoint()
          yield* order("1", ["d-1", "d-2"])
          expect(yield* standing).toEqual([2, 0, 0, 2, 1, 0])
          yield* TestClock.adjust(1500)
          yield* order("2", ["d-3"])
          yield* TestClock.adjust(1000)
          expect(yield* standing).toEqual([3, 2.5, 0, 3, 1, 0])
          outside.respond = () => Effect.succeed(responseOf(500))
          yield* drain
          // Retries are not due yet.
          expect(yield* standing).toEqual([3, 0, 0, 0, 1, 0])
          yield* TestClock.adjust(61_000)
          expect(yield* standing).toEqual([3, 1, 0, 3, 1, 0])
          for (let index = 0; index < 14; index++) yield* order(`x-${index}`, [`x-${index}`])
          yield* drain
          // Seventeen attempts now; three of them were retries.
          expect(yield* standing).toEqual([17, 0, 1, 0, 0, 1])
          yield* run(enableEndpoint(shop, id))
          expect(yield* standing).toEqual([17, 0, 0, 0, 1, 0])
          yield* run(deleteEndpoint(shop, id))
          expect(yield* standing).toEqual([0, 0, 0, 0, 0, 0])
        }).pipe(apart),
    )

    it.effect("MUST show the bytes of the delivery log if the store knows them", () =>
      Effect.gen(function* () {
        const { endpoint, order, send } = yield* world
        yield* endpoint()
        yield* order("1", ["d-1"])
        const bytes = (yield* samples(send)).of("designwire_delivery_log_bytes")
        if (kind === memory) expect(bytes).toBeUndefined()
        // Every table and index with an entry has a page at least.
        else expect(bytes).toBeGreaterThan(10 * 8192)
      }).pipe(apart),
    )

    it.effect("MUST NOT count deliveries as due while the shop's plan is free, not even a redelivered test", () =>
      Effect.gen(function* () {
        const { drain, endpoint, plan, run, send, shop } = yield* world
        const { id } = yield* endpoint()
        const test = yield* run(sendTestEvent(shop, id))
        yield* drain
        yield* run(redeliver(shop, id, test.id))
        yield* plan("free")
        yield* TestClock.adjust(10_000)
        expect((yield* drain).attempts).toBe(0)
        expect((yield* samples(send)).of("designwire_oldest_pending_seconds")).toBe(0)
      }).pipe(apart),
    )

    it.effect("MUST measure from the time when an unsettled delivery was due, not from the end of its lease", () =>
      Effect.gen(function* () {
        const { endpoint, order, send, store } = yield* world
        yield* endpoint()
        yield* order("1", ["d-1"])
        yield* inTurn(store).claim(request({ leaseUntil: someTime + 30_000, token: "died" }))
        const oldest = Effect.map(samples(send), ({ of }) => of("designwire_oldest_pending_seconds"))
        yield* TestClock.adjust(29_000)
        expect(yield* oldest).toBe(0)
        yield* TestClock.adjust(11_000)
        expect(yield* oldest).toBe(40)
      }).pipe(apart),
    )
  })
}

describe("/metrics", () => {
  it.effect("MUST show how long a transaction has kept later events out of the feed, or 0 (D39)", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      let feedHeldSince: number | null = null
      const held = Layer.effect(
        Upkeep,
        Effect.map(Upkeep, (upkeep) => ({
          ...upkeep,
          statistics: (now) => Effect.map(upkeep.statistics(now), (statistics) => ({ ...statistics, feedHeldSince })),
        })),
      )
      const send = yield* inProcess(Layer.provideMerge(held, ports))
      yield* TestClock.adjust(60_000)
      for (const [since, expected] of [
        [null, 0],
        [18_500, 41.5],
        [61_000, 0],
      ] as const) {
        feedHeldSince = since
        expect((yield* samples(send)).of("designwire_feed_lag_seconds")).toBe(expected)
      }
    }).pipe(apart),
  )

  it.effect("MUST show the backlog of the listed shops apart, and no others", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.endpoint()
      yield* world.order("1", ["d-1", "d-2"])
      yield* TestClock.adjust(1500)
      const ports = Layer.succeedContext(world.ports)
      const ofShop = (name: string, shop: string) => `designwire_shop_${name}{shop="${shop}"}`
      const all = yield* samples(yield* inProcess(ports))
      expect(all.text).not.toContain("designwire_shop_")
      const listing = Layer.succeed(MetricsShops, new Set([world.shop, "unknown"]))
      const { of } = yield* samples(yield* Effect.provide(inProcess(ports), listing))
      for (const [shop, expected] of [
        [world.shop, [2, 2, 1.5]],
        ["unknown", [0, 0, 0]],
      ] as const) {
        const names = ["deliveries_pending", "deliveries_past_due", "oldest_pending_seconds"]
        expect(names.map((name) => of(ofShop(name, shop)))).toEqual(expected)
      }
    }).pipe(apart),
  )

  it.effect("MUST name, describe and type each figure, need no key, and leave out the store's while it fails", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      let statistics: ((now: number) => Effect.Effect<never, StorageError>) | undefined
      const flaky = Layer.effect(
        Upkeep,
        Effect.map(Upkeep, (upkeep) => ({
          ...upkeep,
          statistics: (now) => Effect.suspend(() => (statistics ?? upkeep.statistics)(now)),
        })),
      )
      const send = yield* inProcess(Layer.provideMerge(flaky, ports))
      const names = ["deliveries_pending", "oldest_pending_seconds", "endpoints_switched_off", "feed_lag_seconds"]
      const { of, text } = yield* samples(send)
      for (const name of names) {
        expect(text).toMatch(new RegExp(`^# HELP designwire_${name} .+$`, "m"))
        expect(text).toMatch(new RegExp(`^# TYPE designwire_${name} gauge$`, "m"))
      }
      expect([of("designwire_store_up"), of("process_resident_memory_bytes")]).toEqual([1, expect.any(Number)])
      const down = Effect.gen(function* () {
        const { of, text } = yield* samples(send)
        expect([of("designwire_store_up"), of("process_resident_memory_bytes")]).toEqual([0, expect.any(Number)])
        for (const name of names) expect(of(`designwire_${name}`)).toBeUndefined()
        expect(text).not.toContain("secret inside")
      })
      statistics = () =>
        Effect.fail(new StorageError({ message: "secret inside", cause: undefined, isRetryable: true }))
      yield* down
      statistics = () => Effect.never
      const waiting = yield* Effect.forkChild(down)
      yield* TestClock.adjust(5000)
      yield* Fiber.join(waiting)
      statistics = undefined
      expect((yield* samples(send)).of("designwire_store_up")).toBe(1)
    }).pipe(apart),
  )

  it.effect("MUST count what rate limits refuse", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const send = yield* inProcess(ports)
      const wrong = { headers: { authorization: "Bearer wrong" } }
      for (let index = 0; index < 12; index++) yield* send("GET", "/manage/v1/shops", wrong)
      const { of } = yield* samples(send)
      expect(of('designwire_rate_limit_refusals_total{limit="manage_key"}')).toBe(2)
    }).pipe(Effect.provideService(KeyLimit, { each: 10, together: 100, window: 60_000 }), apart),
  )
})
