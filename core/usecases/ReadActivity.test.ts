import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "../../adapters/memory/index.ts"
import { makeShop, someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { makeDelivery, makeEndpoint, makeEvent } from "../../conformance/suites/storage/support/Webhooks.ts"
import type { DeliveryStatus } from "../model/Delivery.ts"
import { format } from "../model/Instant.ts"
import { DeliveryLog } from "../ports/DeliveryLog.ts"
import { DeliveryQueue } from "../ports/DeliveryQueue.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { ShopStore } from "../ports/ShopStore.ts"
import { type Outcomes, readActivity } from "./ReadActivity.ts"

const hour = 60 * 60 * 1000

const now = someTime + 24 * hour

/** An endpoint with deliveries from these instants. */
const endpointWith = Effect.fnUntraced(function* (times: ReadonlyArray<number>) {
  yield* TestClock.setTime(now)
  const shop = makeShop()
  yield* ShopStore.use((shops) => shops.put(shop))
  const endpoint = makeEndpoint(shop.id)
  yield* EndpointStore.use((endpoints) => endpoints.add(endpoint, 5))
  for (const createdAt of times) {
    const event = makeEvent(shop.id, { createdAt })
    yield* DeliveryQueue.use((queue) => queue.add(makeDelivery(event, endpoint), event))
  }
  return { shop: shop.id, endpoint: endpoint.id }
})

describe("The activity of a shop", () => {
  const memory = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, Layer.fresh(Memory.layer))

  it.effect(
    "MUST cover the last 24 hours by the hour, and include deliveries that another clock dates in the future",
    () =>
      Effect.gen(function* () {
        const times = [-1, 0, hour - 1, hour, 24 * hour - 1, 24 * hour, 24 * hour + 5].map((time) => someTime + time)
        const { endpoint, shop } = yield* endpointWith(times)
        const activity = yield* readActivity(shop)
        const [day] = activity.endpoints
        expect(day?.endpointId).toBe(endpoint)
        expect(day?.hours.map(({ pending }) => pending)).toEqual([2, 1, ...Array.from({ length: 21 }, () => 0), 3])
        expect(activity).toMatchObject({
          sum: { succeeded: 0, failed: 0, pending: 6, dropped: 0 },
          atLeast: false,
          isCut: false,
          medianMs: null,
        })
      }).pipe(memory),
  )

  it.effect("MUST show whether there may be more than the log keeps, or more than it counts", () =>
    Effect.gen(function* () {
      for (const [deliveries, counted, atLeast, isCut] of [
        [49, 49, false, false],
        [50, 50, true, false],
        [999, 999, true, false],
        [1001, 1000, true, true],
      ] as const) {
        const { shop } = yield* endpointWith(Array.from({ length: deliveries }, (_, index) => someTime + index))
        const activity = yield* readActivity(shop)
        expect([deliveries, activity.sum.pending, activity.atLeast, activity.isCut]).toEqual([
          deliveries,
          counted,
          atLeast,
          isCut,
        ])
        expect(activity.endpoints).toMatchObject([{ atLeast, isCut }])
      }
    }).pipe(memory),
  )

  it.effect(
    "MUST add up each status for each endpoint and for all, and show when the newest delivery was created",
    () =>
      Effect.gen(function* () {
        const { shop } = yield* endpointWith([])
        const log = yield* DeliveryLog
        const asked: Array<unknown> = []
        const counting = DeliveryLog.of({
          ...log,
          activity: (...query) =>
            Effect.sync(() => {
              asked.push(query)
              const count = (hour: number, status: DeliveryStatus, deliveries: number) => ({ hour, status, deliveries })
              const counts = [
                count(0, "succeeded", 2),
                count(0, "failed", 40),
                count(5, "succeeded", 3),
                count(5, "dropped", 2),
                count(23, "pending", 5),
              ]
              return {
                endpoints: [
                  { endpointId: "whe_1", latest: someTime, counts },
                  { endpointId: "whe_2", latest: null, counts: [count(23, "failed", 1), count(23, "failed", 1)] },
                ],
                medianMs: 12,
              }
            }),
        })
        const activity = yield* Effect.provideService(readActivity(shop), DeliveryLog, counting)
        expect(asked).toEqual([[shop, { since: someTime, limit: 1000 }]])
        const none = { succeeded: 0, failed: 0, pending: 0, dropped: 0 }
        const hours = (of: Readonly<Record<number, Partial<Outcomes>>>) =>
          Array.from({ length: 24 }, (_, index) => ({ ...none, ...of[index] }))
        expect(activity).toEqual({
          endpoints: [
            {
              endpointId: "whe_1",
              latest: format(someTime),
              hours: hours({ 0: { succeeded: 2, failed: 40 }, 5: { succeeded: 3, dropped: 2 }, 23: { pending: 5 } }),
              sum: { succeeded: 5, failed: 40, pending: 5, dropped: 2 },
              atLeast: true,
              isCut: false,
            },
            {
              endpointId: "whe_2",
              latest: null,
              hours: hours({ 23: { failed: 2 } }),
              sum: { ...none, failed: 2 },
              atLeast: false,
              isCut: false,
            },
          ],
          sum: { succeeded: 5, failed: 42, pending: 5, dropped: 2 },
          atLeast: true,
          isCut: false,
          medianMs: 12,
        })
      }).pipe(memory),
  )

  it.effect("MUST fail with NotFound for an unknown shop", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(readActivity("nobody")))._tag).toBe("NotFound")
    }).pipe(memory),
  )
})
