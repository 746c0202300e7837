import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "../../../adapters/memory/index.ts"
import { makeShop } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeDelivery, makeEndpoint, makeEvent } from "../../../conformance/suites/storage/support/Webhooks.ts"
import { hour, none, ofAttempt, sum } from "../../model/webhooks/AttemptCounts.ts"
import { type ActivityStep, DeliveryLog, type SpanInSteps } from "../../ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import { type Range, readActivity } from "./ReadActivity.ts"

/** Ten hours and a minute into a day. */
const now = Date.parse("2026-11-24T10:01:00Z")
const today = Date.parse("2026-11-24T00:00:00Z")

/** The steps of attempts that began at these instants. */
const stepsOf = (times: ReadonlyArray<number>, { from, step, until }: SpanInSteps): ReadonlyArray<ActivityStep> =>
  [
    ...Map.groupBy(
      times.filter((at) => from <= at && at < until),
      (at) => from + Math.floor((at - from) / step) * step,
    ),
  ].map(([at, own]) => ({ at, ...sum(own.map(() => ofAttempt(1, "succeeded"))) }))

/** A shop with an endpoint, whose attempts began at these instants, each in 1 ms. */
const shopWith = Effect.fnUntraced(function* (times: ReadonlyArray<number>) {
  yield* TestClock.setTime(now)
  const shop = makeShop()
  yield* ShopStore.use((shops) => shops.put(shop))
  const endpoint = makeEndpoint(shop.id)
  yield* EndpointStore.use((endpoints) => endpoints.add(endpoint, 5))
  const views = yield* DeliveryLog
  const counting = DeliveryLog.of({
    ...views,
    activity: (id, span) =>
      Effect.map(views.activity(id, span), (own) =>
        own.map((each) => (each.endpointId === endpoint.id ? { ...each, steps: stepsOf(times, span) } : each)),
      ),
  })
  return { shop: shop.id, endpoint, counting }
})

describe("The activity of a shop", () => {
  const memory = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, Layer.fresh(Memory.layer))

  it.effect.each([
    ["1h", 2, "2026-11-24T09:00:00Z", hour],
    ["24h", 24, "2026-11-23T11:00:00Z", hour],
    ["7d", 28, "2026-11-17T12:00:00Z", 6 * hour],
    ["30d", 30, "2026-10-26T00:00:00Z", 24 * hour],
  ] as ReadonlyArray<[Range, number, string, number]>)(
    "MUST cover %s in %i steps, from %s to the end of the step that is not over (D60)",
    ([range, steps, from, width]) =>
      Effect.gen(function* () {
        const begin = Date.parse(from)
        const { counting, endpoint, shop } = yield* shopWith([begin - 1, begin, begin + width, now, now + 1])
        const activity = yield* Effect.provideService(readActivity(shop, range), DeliveryLog, counting)
        const expected = Array.from({ length: steps }, (_, index) => begin + index * width)
        expect(activity.steps.map(({ at }) => at)).toEqual(expected)
        expect(activity.endpoints.map(({ endpointId }) => endpointId)).toEqual([endpoint.id])
        expect(activity.steps[0]?.succeeded).toBe(1)
        expect(activity.sum.succeeded).toBe(4)
        expect(activity.steps.reduce((all, { succeeded }) => all + succeeded, 0)).toBe(4)
        expect(activity.endpoints[0]?.steps).toEqual(activity.steps)
      }).pipe(memory),
  )

  it.effect("MUST add up endpoints, and count what is pending, whenever it was created (D60)", () =>
    Effect.gen(function* () {
      const { counting, endpoint, shop } = yield* shopWith([now])
      const quiet = makeEndpoint(shop)
      yield* EndpointStore.use((endpoints) => endpoints.add(quiet, 5))
      for (const createdAt of [today - 999 * hour, today]) {
        const event = makeEvent(shop, { createdAt })
        yield* DeliveryQueue.use((queue) => queue.add(makeDelivery(event, endpoint), event))
      }
      const quietEvent = makeEvent(shop, { createdAt: today })
      yield* DeliveryQueue.use((queue) => queue.add(makeDelivery(quietEvent, quiet), quietEvent))
      const other = { at: today, ...ofAttempt(300, "failed") }
      const both = DeliveryLog.of({
        ...counting,
        activity: (id, span) =>
          Effect.map(counting.activity(id, span), (own) =>
            own.map((each) => (each.endpointId === quiet.id ? { ...each, steps: [other] } : each)),
          ),
      })
      const activity = yield* Effect.provideService(readActivity(shop, "24h"), DeliveryLog, both)
      expect(activity.sum).toEqual(sum([ofAttempt(1, "succeeded"), ofAttempt(300, "failed")]))
      expect(activity).toMatchObject({ range: "24h", pending: 3 })
      const byId = new Map(activity.endpoints.map((one) => [one.endpointId, one]))
      expect(byId.get(endpoint.id)).toMatchObject({ pending: 2, recent: [], sum: ofAttempt(1, "succeeded") })
      expect(byId.get(quiet.id)).toMatchObject({ pending: 1, recent: [], sum: ofAttempt(300, "failed") })
      expect(byId.get(quiet.id)?.steps.at(-1)).toEqual({ at: today + 10 * hour, ...none })
    }).pipe(memory),
  )

  it.effect("MUST fail for a shop that does not exist", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(readActivity("nobody", "24h")))._tag).toBe("NotFound")
    }).pipe(memory),
  )
})
