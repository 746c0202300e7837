/** Changes of endpoints and shops while deliveries wait or are under way (D8, D24, D31, D36). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { day, hour, lasting, minute, nothing, only } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { sendTestEvent } from "../ManageDeliveries.ts"
import { deleteEndpoint, updateEndpoint } from "../ManageEndpoints.ts"

describe("A delivery that waits or is under way during a change", () => {
  it.effect("MUST use the endpoint's current URL at each attempt, and check it again (D24, D36)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint({ url: "https://old.example.com/hook" })
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      yield* world.run(updateEndpoint(world.shop, endpoint.id, { url: "https://new.example.com:8443/hook?a=b" }))
      yield* TestClock.adjust(minute)
      yield* world.drain
      expect(world.outside.sent.map(({ request }) => request.url)).toEqual([
        "https://old.example.com/hook",
        "https://new.example.com:8443/hook?a=b",
      ])
      expect(world.outside.asked.slice(-1)).toEqual(["new.example.com"])
    }),
  )

  it.effect("MUST NOT be sent if the endpoint stops taking its kind, and be shown as dropped (D31)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.run(updateEndpoint(world.shop, endpoint.id, { events: ["order.cancelled"] }))
      yield* world.order("2", ["d-2"])
      yield* world.cancel("2")
      yield* world.drain
      expect(world.outside.sent.map(({ request }) => request.headers["X-Service-Event"])).toEqual(["order.cancelled"])
      const log = yield* world.log(endpoint)
      expect(log.map(({ attempts, event, status }) => `${event} ${status} ${attempts.length}`).toSorted()).toEqual([
        "design.ordered dropped 0",
        "order.cancelled succeeded 1",
      ])
    }),
  )

  it.effect("MUST end if its endpoint is deleted, even during an attempt (D31)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const other = yield* world.endpoint({ url: "https://stays.example.com/" })
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      yield* TestClock.adjust(minute)
      world.outside.respond = lasting(responseOf(500), 100)
      const drained = yield* Effect.forkChild(world.drain)
      yield* Effect.all([world.outside.next, world.outside.next, world.outside.next, world.outside.next])
      yield* world.run(deleteEndpoint(world.shop, endpoint.id))
      yield* TestClock.adjust(100)
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 2, succeeded: 0 })
      expect(yield* world.log(endpoint)).toEqual([])
      expect(only(yield* world.log(other)).attempts).toHaveLength(2)
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* TestClock.adjust(40 * day)
      yield* world.drain
      expect(world.outside.sent).toHaveLength(5)
      expect(new Set(world.outside.sent.slice(4).map(({ request }) => request.url))).toEqual(
        new Set(["https://stays.example.com/"]),
      )
    }),
  )

  it.effect("MUST wait while the shop's plan is free, and be sent when it has webhooks again (D8)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.run(sendTestEvent(world.shop, endpoint.id))
      yield* world.plan("free")
      yield* world.order("2", ["d-2"])
      yield* TestClock.adjust(hour)
      expect(yield* world.drain).toEqual(nothing)
      expect(yield* world.log(endpoint)).toHaveLength(2)
      yield* world.plan("plus")
      expect(yield* world.drain).toEqual({ attempts: 2, succeeded: 2 })
    }),
  )
})
