/** Deliveries as an endpoint's options want them (D71, D72). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { envelopeOf, responseOf, verified } from "../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { hour, minute, nothing, only } from "../../../conformance/testkit/workers/WorkerSteps.ts"
import { readRequestHeaders, redeliver } from "../webhooks/ManageDeliveries.ts"
import { updateEndpoint } from "../webhooks/ManageEndpoints.ts"

describe("An endpoint's options", () => {
  it.effect("MUST let a receiver put off a retry if it heeds Retry-After, and keep the count of attempts (D71)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const [endpoint, usual] = [yield* world.endpoint(), yield* world.endpoint()]
      yield* world.run(updateEndpoint(world.shop, endpoint.id, { heedRetryAfter: true }))
      world.outside.respond = () => Effect.succeed(responseOf(503, "", "7200"))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      expect(only(yield* world.log(endpoint))).toMatchObject({ nextAttemptAt: someTime + 2 * hour })
      expect(only(yield* world.log(usual))).toMatchObject({ nextAttemptAt: someTime + minute })
      yield* TestClock.setTime(someTime + 2 * hour - 1)
      yield* world.drain
      expect(only(yield* world.log(endpoint)).attempts).toHaveLength(1)
      yield* TestClock.setTime(someTime + 2 * hour)
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* world.drain
      expect(only(yield* world.log(endpoint))).toMatchObject({ status: "succeeded", attempts: [{}, { number: 2 }] })
      expect(yield* world.drain).toEqual(nothing)
    }),
  )

  it.effect("MUST send its owner's headers, kept sealed and shown by name alone, until they are removed (D55)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      const headers = { Authorization: "Basic dXNlcjpwYXNz", "x-api-key": "k-123" }
      const update = (input: Parameters<typeof updateEndpoint>[2]) => world.run(updateEndpoint(world.shop, id, input))
      expect(yield* update({ headers })).toMatchObject({ headers: ["Authorization", "x-api-key"] })
      const stored = JSON.stringify(yield* world.endpointNow({ id }))
      for (const value of Object.values(headers)) expect(stored).not.toContain(value)
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const [first] = world.outside.sent
      if (first === undefined) throw new Error("Nothing was sent")
      expect(first.request.headers).toMatchObject(headers)
      yield* verified(first, shown)
      const again = yield* world.run(readRequestHeaders(world.shop, id, first.deliveryId, 1))
      expect(again).toEqual({ ...first.request.headers, Authorization: "[hidden]", "x-api-key": "[hidden]" })
      expect(yield* update({ description: "ERP" })).toMatchObject({ headers: ["Authorization", "x-api-key"] })
      expect(yield* update({ headers: null })).toMatchObject({ headers: [] })
      yield* world.run(redeliver(world.shop, id, first.deliveryId))
      yield* world.drain
      expect(Object.keys(world.outside.sent[1]?.request.headers ?? {})).not.toContain("Authorization")
    }),
  )

  it.effect("MUST send the ids of objects alone, signed as sent, and the same on a redelivery (D72)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      yield* world.run(updateEndpoint(world.shop, id, { payload: "reference" }))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const [first] = world.outside.sent
      if (first === undefined) throw new Error("Nothing was sent")
      expect(envelopeOf(first).data).toEqual({ design: { id: "d-1" } })
      yield* verified(first, shown)
      yield* world.run(redeliver(world.shop, id, first.deliveryId))
      yield* world.drain
      expect(world.outside.sent[1]?.request.body).toBe(first.request.body)
      yield* world.run(updateEndpoint(world.shop, id, { payload: "full" }))
      yield* world.run(redeliver(world.shop, id, first.deliveryId))
      yield* world.drain
      expect(world.outside.sent[2]?.request.body).not.toBe(first.request.body)
      expect(envelopeOf(world.outside.sent[2] ?? first).id).toBe(first.eventId)
    }),
  )
})
