/** Manual redeliveries (§6, D22, D27, D29). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import {
  day,
  failTimes,
  lasting,
  minute,
  nothing,
  only,
  waits,
} from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { format } from "../../../model/Instant.ts"
import { redeliver } from "../ManageDeliveries.ts"
import { enableEndpoint } from "../ManageEndpoints.ts"

describe("Redelivering (§6, D22, D27, D29)", () => {
  it.effect(
    "MUST send the same body and event id as a new delivery, even after a success, and retry it like any other",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        yield* world.drain
        const first = only(yield* world.log(endpoint))
        expect(first.status).toBe("succeeded")

        yield* TestClock.adjust(5 * day)
        world.outside.respond = () => Effect.succeed(responseOf(500))
        const again = yield* world.run(redeliver(world.shop, endpoint.id, first.id))
        expect(again).toMatchObject({
          eventId: first.eventId,
          event: "design.ordered",
          test: false,
          status: "pending",
          createdAt: format(someTime + 5 * day),
          attempts: [],
        })
        expect(again.id).not.toBe(first.id)
        yield* world.drain
        for (const [index, wait] of waits.entries()) {
          yield* TestClock.adjust(wait - 1)
          expect(yield* world.drain).toEqual(nothing)
          yield* TestClock.adjust(1)
          expect((yield* world.drain).attempts).toBe(1)
          expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(index + 2)
        }
        const [newest, oldest] = yield* world.log(endpoint)
        expect(newest).toMatchObject({ id: again.id, status: "failed" })
        expect(newest?.attempts).toHaveLength(7)
        expect(oldest).toEqual(first)
        const bodies = new Set(world.outside.sent.map(({ request }) => request.body))
        expect(bodies.size).toBe(1)
        expect(world.outside.sent.map(({ deliveryId }) => deliveryId)).toEqual([first.id, ...Array(7).fill(again.id)])
      }),
  )

  it.effect("MUST count towards the twenty failures, and reset them (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const { id } = only(yield* world.log(endpoint))
      world.outside.respond = () => Effect.succeed(responseOf(500))
      const resend = Effect.andThen(world.run(redeliver(world.shop, endpoint.id, id)), world.drain)
      for (let time = 0; time < 19; time++) yield* resend
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(19)
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* resend
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(0)
      world.outside.respond = () => Effect.succeed(responseOf(500))
      for (let time = 0; time < 20; time++) yield* resend
      expect((yield* world.endpointNow(endpoint)).status).toBe("switched_off")
    }),
  )

  it.effect("MUST wait while the endpoint is switched off, and be sent when it is turned on (D28)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* failTimes(world, 20, "a")
      const [delivery] = yield* world.log(endpoint)
      const again = yield* world.run(redeliver(world.shop, endpoint.id, delivery!.id))
      expect(yield* world.drain).toEqual(nothing)
      yield* world.run(enableEndpoint(world.shop, endpoint.id))
      expect((yield* world.drain).attempts).toBe(1)
      expect(world.outside.sent.at(-1)?.deliveryId).toBe(again.id)
    }),
  )

  it.effect("MUST send a delivery and its redelivery separately when both are due at once (D22)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const first = only(yield* world.log(endpoint))
      // The endpoint is proven again, and has more than one slot.
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* world.order("2", ["d-2"])
      yield* world.drain
      for (let request = 0; request < 2; request++) yield* world.outside.next
      yield* TestClock.adjust(minute)
      const again = yield* world.run(redeliver(world.shop, endpoint.id, first.id))
      // Both are under way at once: the manual one succeeds, the automatic one fails and is retried.
      world.outside.respond = (sent) => lasting(responseOf(sent.deliveryId === again.id ? 200 : 500), 100)()
      const drained = yield* Effect.forkChild(world.drain)
      yield* Effect.all([world.outside.next, world.outside.next])
      yield* TestClock.adjust(100)
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 2, succeeded: 1 })
      const log = new Map((yield* world.log(endpoint)).map((delivery) => [delivery.id, delivery]))
      expect(log.get(again.id)).toMatchObject({ status: "succeeded", nextAttemptAt: null })
      expect(log.get(first.id)).toMatchObject({
        status: "pending",
        nextAttemptAt: someTime + minute + 100 + 5 * minute,
      })
    }),
  )
})
