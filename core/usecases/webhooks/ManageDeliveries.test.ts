/** The delivery log, recovering and pruning (§8, D28, D32, D33), beyond the tests of the management API. */

import { describe, expect, it } from "@effect/vitest"
import { Clock, Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf } from "../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { format } from "../../model/Instant.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import { Upkeep } from "../../ports/Upkeep.ts"
import { listDeliveries, pruneDeliveries, readDelivery, recover, redeliver, sendTestEvent } from "./ManageDeliveries.ts"
import { enableEndpoint } from "./ManageEndpoints.ts"

const day = 86_400_000

describe("Recovering (D28)", () => {
  it.effect(
    "MUST send the events that an endpoint missed while it was switched off, once, with their ids and bodies",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        world.outside.respond = () => Effect.succeed(responseOf(500))
        for (let index = 0; index < 20; index++) yield* world.order(`o-${index}`, [`d-${index}`])
        yield* world.drain
        expect((yield* world.endpointNow(endpoint)).status).toBe("switched_off")
        yield* TestClock.adjust(day)
        const since = format(someTime + day)
        yield* world.order("missed", ["missed-1", "missed-2"])
        yield* world.cancel("missed")
        yield* world.order("later", ["later-1"])

        world.outside.respond = () => Effect.succeed(responseOf(200))
        expect((yield* world.run(enableEndpoint(world.shop, endpoint.id))).missed).toBe(4)
        yield* world.drain
        world.outside.sent.length = 0
        expect(yield* world.run(recover(world.shop, endpoint.id, { since }))).toBe(4)
        expect(yield* world.run(recover(world.shop, endpoint.id, { since }))).toBe(0)
        for (const { id } of (yield* world.log(endpoint)).slice(0, 4)) expect(id).toMatch(/^dlv_[0-9A-Za-z]{44}$/)
        yield* world.drain
        const missed = world.events.filter(
          ({ createdAt, event }) => createdAt >= someTime + day && event !== "design.created",
        )
        expect(world.outside.sent.map(({ request }) => request.body).toSorted()).toEqual(
          missed.map(({ body }) => body).toSorted(),
        )
        expect(yield* world.run(recover(world.shop, endpoint.id, { since }))).toBe(0)
        expect(yield* world.run(recover(world.shop, endpoint.id, { since: format(someTime) }))).toBe(0)
      }),
  )

  it.effect("MUST be retried and counted like any delivery, and wait while the endpoint is switched off", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (let index = 0; index < 3; index++) yield* world.order(`o-${index}`, [`d-${index}`])
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      expect(yield* world.run(recover(world.shop, endpoint.id, { since: format(someTime) }))).toBe(3)
      yield* world.drain
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(3)
      expect((yield* world.log(endpoint)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(
        Array(3).fill(someTime + 60_000),
      )
    }),
  )
})

describe("Turning on (D28)", () => {
  it.effect(
    "MUST return the number of events that an endpoint has missed since it was switched off, 0 if it was on",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const [endpoint, created] = [yield* world.endpoint(), yield* world.endpoint({ events: ["design.created"] })]
        const turnOn = ({ id }: { readonly id: string }) => world.run(enableEndpoint(world.shop, id))
        world.outside.respond = () => Effect.succeed(responseOf(500))
        for (let index = 0; index < 19; index++) yield* world.order(`o-${index}`, [`d-${index}`])
        yield* world.drain
        expect(yield* turnOn(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 19, missed: 0 })
        yield* TestClock.adjust(1)
        yield* world.order("o-19", ["d-19"])
        yield* world.drain
        const off = yield* world.endpointNow(endpoint)
        expect(off.status).toBe("switched_off")
        expect(yield* turnOn(created)).toMatchObject({ missed: 0 })
        yield* TestClock.adjust(day)
        yield* world.order("missed", ["m-1", "m-2", "m-3"])
        yield* world.save("draft")
        yield* world.cancel("missed")
        expect(yield* turnOn(endpoint)).toMatchObject({
          id: endpoint.id,
          status: "active",
          consecutiveFailures: 0,
          switchedOffAt: null,
          missed: 4,
        })
        expect(yield* turnOn(endpoint)).toMatchObject({ missed: 0 })
        const since = format(off.switchedOffAt ?? 0)
        expect(yield* world.run(recover(world.shop, endpoint.id, { since }))).toBe(4)
      }),
  )
})

describe("Plans (D8)", () => {
  it.effect("MUST refuse to redeliver and to recover if the shop's plan is free, and add nothing", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("o-0", ["d-0"])
      const endpoint = yield* world.endpoint()
      yield* world.order("o-1", ["d-1"])
      yield* world.drain
      const [delivery] = yield* world.log(endpoint)
      const again = redeliver(world.shop, endpoint.id, delivery?.id ?? "")
      const missed = recover(world.shop, endpoint.id, { since: format(0) })
      yield* world.plan("free")
      for (const refused of [world.run(again), world.run(missed)]) {
        expect(yield* Effect.flip(Effect.asVoid<unknown, unknown, never>(refused))).toMatchObject({
          _tag: "PlanRequired",
        })
      }
      expect(yield* world.log(endpoint)).toHaveLength(1)
      yield* world.plan("plus")
      expect(yield* world.log(endpoint)).toHaveLength(1)
      yield* world.run(again)
      expect(yield* world.run(missed)).toBe(1)
      yield* world.drain
      expect((yield* world.log(endpoint)).map(({ status }) => status)).toEqual(Array(3).fill("succeeded"))
    }),
  )
})

describe("The log (§8, D32, D33)", () => {
  it.effect("MUST show the newest 50 deliveries even after pruning, and keep every pending one whatever its age", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("0", ["d-0"])
      yield* world.drain
      const [first] = yield* world.log(endpoint)
      const id = first?.id ?? ""
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* TestClock.adjust(1)
      const failing = yield* world.run(redeliver(world.shop, endpoint.id, id))
      yield* world.drain
      world.outside.respond = () => Effect.succeed(responseOf(200, "fine"))
      for (let index = 0; index < 60; index++) {
        yield* TestClock.adjust(1)
        yield* world.run(redeliver(world.shop, endpoint.id, id))
        yield* world.drain
      }
      const before = yield* world.run(listDeliveries(world.shop, endpoint.id))
      expect(before).toHaveLength(50)
      yield* world.run(pruneDeliveries())
      expect(yield* world.run(listDeliveries(world.shop, endpoint.id))).toEqual(before)
      expect(before.every(({ attempts }) => attempts[0]?.responseStart === "fine")).toBe(true)
      // Older than these, and still pending.
      const delivery = yield* world.run(readDelivery(world.shop, endpoint.id, failing.id))
      expect(delivery).toMatchObject({ status: "pending", attempts: [{ number: 1, statusCode: 500 }] })
      yield* TestClock.adjust(60_000)
      expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
    }),
  )

  it.effect("MUST keep finished deliveries for as long as the setting says, alongside the newest 50 (D32)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const [first] = yield* world.run(listDeliveries(world.shop, endpoint.id))
      const id = first?.id ?? ""
      yield* TestClock.adjust(5 * day)
      for (let index = 0; index < 60; index++) {
        yield* world.run(redeliver(world.shop, endpoint.id, id))
        yield* world.drain
      }
      yield* TestClock.adjust(5 * day)
      const stored = DeliveryLog.use(({ page }) => page({ shop: world.shop, filter: {}, after: null, limit: 100 }))
      const countAfter = (deliveryLog?: number) =>
        Effect.andThen(
          world.run(pruneDeliveries(undefined, deliveryLog)),
          Effect.map(world.run(stored), ({ deliveries }) => deliveries.length),
        )
      expect(yield* countAfter(10 * day)).toBe(61)
      expect(yield* countAfter(10 * day - 1)).toBe(60)
      expect(yield* countAfter(5 * day)).toBe(60)
      expect(yield* countAfter(1)).toBe(50)
      expect(yield* countAfter()).toBe(50)
    }),
  )

  it.effect("MUST keep an event without a delivery for 30 days, so that it can be recovered, and no longer (D33)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["d-1"])
      const endpoint = yield* world.endpoint()
      const since = format(someTime)
      yield* TestClock.adjust(30 * day)
      yield* world.run(pruneDeliveries())
      expect(yield* world.run(recover(world.shop, endpoint.id, { since }))).toBe(1)
      yield* world.drain
      const late = yield* world.endpoint()
      // In a log, an event stays longer.
      yield* TestClock.adjust(60 * day)
      yield* world.run(pruneDeliveries())
      const [delivery] = yield* world.run(listDeliveries(world.shop, endpoint.id))
      expect((yield* world.run(readDelivery(world.shop, endpoint.id, delivery?.id ?? ""))).body).toBe(
        world.events.find(({ event }) => event === "design.ordered")?.body,
      )
      expect(yield* world.run(recover(world.shop, late.id, { since }))).toBe(1)
    }),
  )

  it.effect("MUST drop an event after 30 days if none of its deliveries is left (D33)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["d-1"])
      const endpoint = yield* world.endpoint()
      yield* TestClock.adjust(30 * day + 1)
      yield* world.run(pruneDeliveries())
      expect(yield* world.run(recover(world.shop, endpoint.id, { since: format(someTime) }))).toBe(0)
    }),
  )

  /** A world that runs an effect right before a delivery is added. */
  const interrupted = Effect.gen(function* () {
    let before: Effect.Effect<unknown, StorageError> = Effect.void
    const world = yield* makeWorld({
      deliveries: (queue) => ({
        add: (delivery, event) =>
          Effect.andThen(
            Effect.suspend(() => before),
            queue.add(delivery, event),
          ),
      }),
    })
    const happening = (effect: typeof before) => {
      before = effect
    }
    return { ...world, happening }
  })

  it.effect(
    "MUST refuse to redeliver if the event is dropped at that moment, and leave nothing pending (D29, D33)",
    () =>
      Effect.gen(function* () {
        const world = yield* interrupted
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        yield* world.drain
        const [first] = yield* world.log(endpoint)
        yield* TestClock.adjust(1)
        yield* world.order("2", ["d-2"])
        yield* world.drain
        const { prune } = Context.get(world.ports, Upkeep)
        world.happening(prune({ keep: 1, eventsBefore: someTime + 1, now: someTime, limit: 1000, after: null }))
        const error = yield* Effect.flip(world.run(redeliver(world.shop, endpoint.id, first?.id ?? "")))
        expect(error).toMatchObject({
          _tag: "NotFound",
          message: "The delivery is no longer kept: it can't be sent again",
        })
        expect((yield* world.drain).attempts).toBe(0)
        expect(yield* world.store.walk({ now: someTime + day, after: null, limit: 10 })).toMatchObject({ shops: [] })
      }),
  )

  it.effect("MUST refuse a test event to an endpoint that is removed at that moment (D30, D31)", () =>
    Effect.gen(function* () {
      const world = yield* interrupted
      const endpoint = yield* world.endpoint()
      world.happening(Context.get(world.ports, EndpointStore).remove(world.shop, endpoint.id))
      const error = yield* Effect.flip(world.run(sendTestEvent(world.shop, endpoint.id)))
      expect(error).toMatchObject({ _tag: "NotFound", message: "The shop has no such webhook endpoint" })
    }),
  )

  it.effect("MUST begin no step of pruning at its deadline or later, and continue in the next call", () =>
    Effect.gen(function* () {
      const asked: Array<string | null> = []
      const upkeep = Upkeep.of({
        time: Clock.currentTimeMillis,
        probe: Effect.die("not asked"),
        prune: ({ after }) => Effect.as(TestClock.adjust(10), asked.push(after) < 5 ? `${asked.length}` : null),
        purgeRemoved: () => Effect.die("not asked"),
        statistics: () => Effect.die("not asked"),
        backlog: () => Effect.die("not asked"),
      })
      const prune = (deadline: number) => Effect.provideService(pruneDeliveries(deadline), Upkeep, upkeep)
      yield* TestClock.setTime(someTime)
      yield* prune(someTime)
      expect(asked).toEqual([])
      yield* prune(someTime + 11)
      expect(asked).toEqual([null, "1"])
      yield* prune(someTime + 1_000)
      expect(asked).toEqual([null, "1", null, "3", "4"])
    }),
  )
})
