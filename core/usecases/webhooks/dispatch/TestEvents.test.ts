/** Test events (§6, D27, D29, D30). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { envelopeOf, responseOf, type SentRequest, verified } from "../../../../conformance/testkit/workers/Outside.ts"
import { attempt, makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { failTimes, taken } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { redeliver, sendTestEvent } from "../ManageDeliveries.ts"

describe("A test event (§6, D30)", () => {
  it.effect("MUST be a ping with a message if no design was ever ordered, with or without drafts (§6-4, §6-16)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint({ events: ["order.cancelled"] })
      yield* world.save("d-1")
      const delivery = yield* world.run(sendTestEvent(world.shop, endpoint.id))
      expect(delivery).toMatchObject({ event: "ping", test: true, status: "pending", attempts: [] })
      yield* world.drain
      const [one] = world.outside.sent as [SentRequest]
      expect(one.request.headers["X-Service-Event"]).toBe("ping")
      expect(envelopeOf(one)).toEqual({
        id: delivery.eventId,
        event: "ping",
        apiVersion: "2026-10",
        createdAt: "2096-10-05T14:48:00.123+00:00",
        shop: "shop.example.com",
        data: { message: expect.stringMatching(/./) },
        test: true,
      })
      yield* verified(one, endpoint.shown)
    }),
  )

  it.effect("MUST be the ordered design with the newest orderedAt, whatever kinds the endpoint chose (§6-16)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint({ events: ["design.created"] })
      yield* world.order("new", ["d-new"], "2026-10-05T12:00:00Z")
      yield* world.order("newest", ["d-newest"], "2026-10-05T13:00:00Z")
      yield* world.order("old", ["d-old"], "2026-10-01T00:00:00Z")
      yield* world.drain
      taken(world.outside.sent)
      const tested = Effect.gen(function* () {
        const delivery = yield* world.run(sendTestEvent(world.shop, endpoint.id))
        yield* world.drain
        const [one] = taken(world.outside.sent) as [SentRequest]
        expect(one).toMatchObject({ deliveryId: delivery.id, eventId: delivery.eventId })
        yield* verified(one, endpoint.shown)
        const { data, event, test } = envelopeOf(one)
        expect(test).toBe(true)
        return event === "design.ordered" ? (data["design"] as { readonly id: string }).id : event
      })
      expect(yield* tested).toBe("d-newest")
      yield* world.cancel("newest")
      expect(yield* tested).toBe("d-new")
      yield* world.cancel("new")
      expect(yield* tested).toBe("d-old")
      yield* world.cancel("old")
      expect(yield* tested).toBe("ping")
    }),
  )

  it.effect("MUST have a new event id each time, and go to one endpoint only", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const other = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.drain
      taken(world.outside.sent)
      const deliveries = [
        yield* world.run(sendTestEvent(world.shop, endpoint.id)),
        yield* world.run(sendTestEvent(world.shop, endpoint.id)),
      ]
      expect(new Set([...deliveries.map(({ eventId }) => eventId), world.events.at(-1)?.id]).size).toBe(3)
      yield* world.drain
      expect(world.outside.sent.map(({ request }) => request.url)).toEqual([endpoint.url, endpoint.url])
      expect(yield* world.log(other)).toHaveLength(1)
    }),
  )
})

describe("Test events (§6, D27, D29, D30)", () => {
  it.effect("MUST be attempted once and never again, and neither count nor reset (§6-17)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* failTimes(world, 3, "a")
      const health = yield* world.endpointNow(endpoint)
      const test = yield* world.run(sendTestEvent(world.shop, endpoint.id))
      yield* world.drain
      const found = (yield* world.log(endpoint)).find(({ id }) => id === test.id)
      expect(found).toMatchObject({ status: "failed", nextAttemptAt: null, attempts: [attempt(1, someTime, 500)] })
      expect(yield* world.endpointNow(endpoint)).toEqual(health)
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* world.run(sendTestEvent(world.shop, endpoint.id))
      expect((yield* world.drain).succeeded).toBe(1)
      expect(yield* world.endpointNow(endpoint)).toEqual(health)
      // A redelivered test is still a test.
      world.outside.respond = () => Effect.succeed(responseOf(500))
      const again = yield* world.run(redeliver(world.shop, endpoint.id, test.id))
      expect(again).toMatchObject({ test: true, eventId: test.eventId })
      yield* world.drain
      expect((yield* world.log(endpoint)).find(({ id }) => id === again.id)?.status).toBe("failed")
      expect(yield* world.endpointNow(endpoint)).toEqual(health)
    }),
  )

  it.effect("MUST be sent while the endpoint is switched off, and change nothing about that", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* failTimes(world, 20, "a")
      const off = yield* world.endpointNow(endpoint)
      for (const status of [500, 200]) {
        world.outside.respond = () => Effect.succeed(responseOf(status))
        const test = yield* world.run(sendTestEvent(world.shop, endpoint.id))
        expect((yield* world.drain).attempts).toBe(1)
        expect(world.outside.sent.at(-1)?.deliveryId).toBe(test.id)
      }
      expect(yield* world.endpointNow(endpoint)).toEqual(off)
    }),
  )

  it.effect("MUST NOT switch off an endpoint at 19 failures", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* failTimes(world, 19, "a")
      for (let time = 0; time < 3; time++) yield* world.run(sendTestEvent(world.shop, endpoint.id))
      expect((yield* world.drain).attempts).toBe(3)
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 19 })
    }),
  )
})
