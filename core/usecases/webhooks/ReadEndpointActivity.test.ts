/** Which hours the figures of an endpoint are of: before, at and after the beginning of one (D60). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "../../../adapters/memory/index.ts"
import { makeShop } from "../../../conformance/suites/storage/support/Fixtures.ts"
import {
  advance,
  makeAttempt,
  makeDelivery,
  makeEndpoint,
  makeEvent,
  request,
} from "../../../conformance/suites/storage/support/Webhooks.ts"
import { format } from "../../model/Instant.ts"
import { hour } from "../../model/webhooks/AttemptCounts.ts"
import { DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import { readEndpointActivity } from "./ReadEndpointActivity.ts"

/** The beginning of an hour. */
const t = Date.parse("2026-11-24T10:00:00Z")

/** An endpoint with attempts that began at these instants, each successful, and another one with more. */
const endpointWith = Effect.fnUntraced(function* (times: ReadonlyArray<number>) {
  const { id: shop } = makeShop()
  yield* ShopStore.use((shops) => shops.put(makeShop({ id: shop })))
  const queue = yield* DeliveryQueue
  const [own, other] = [makeEndpoint(shop), makeEndpoint(shop)]
  for (const [endpoint, attempts] of [
    [own, times],
    [other, [...times, ...times]],
  ] as const) {
    yield* EndpointStore.use((endpoints) => endpoints.add(endpoint, 5))
    for (const at of attempts) {
      const event = makeEvent(shop, { createdAt: at })
      yield* queue.add(makeDelivery(event, endpoint), event)
      const shops = { newcomer: [shop], troubled: [shop], proven: [shop] }
      const claims = yield* queue.claim({ ...request({ now: at }), shops })
      const attempt = (claim: (typeof claims)[number]) => makeAttempt(claim, at, { at, durationMs: 0, statusCode: 200 })
      yield* queue.settle(
        claims.map((claim) => ({
          claim,
          attempt: attempt(claim),
          status: "succeeded",
          nextAttemptAt: null,
        })),
        advance,
      )
    }
  }
  return { shop, id: own.id }
})

describe("The figures of an endpoint", () => {
  const memory = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, Layer.fresh(Memory.layer))

  it.effect.each([t - 1, t, t + 1])("MUST count an attempt that began at %i, this moment", (now) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { id, shop } = yield* endpointWith([now])
      const activity = yield* readEndpointActivity(shop, id, {})
      const begin = now < t ? t - hour : t
      expect(activity).toMatchObject({
        ...{ from: format(begin - 23 * hour), to: format(now), succeeded: 1, failedAttempts: 0 },
        hours: [{ at: format(begin), succeeded: 1 }],
      })
    }).pipe(memory),
  )

  it.effect.each([
    [t - 1, t, [t - hour]],
    [t, t, []],
    [t, t + 1, [t]],
    [t + 1, t + hour, [t]],
    [t - hour, t + hour + 1, [t - hour, t, t + hour]],
  ] as ReadonlyArray<[number, number, ReadonlyArray<number>]>)(
    "MUST be of whole hours, from the one of `from` %i to the last that begins before `to` %i",
    ([from, to, hours]) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(t + 9 * hour)
        const { id, shop } = yield* endpointWith([t - hour - 1, t - hour, t - 1, t, t + hour - 1, t + hour])
        const input = { from: format(from), to: format(to) }
        const activity = yield* readEndpointActivity(shop, id, input)
        expect(activity.hours.map(({ at }) => at)).toEqual(hours.map(format))
        expect(activity.succeeded).toBe(hours.reduce((sum, at) => sum + (at === t + hour ? 1 : 2), 0))
      }).pipe(memory),
  )

  it.effect("MUST refuse `to` before the hour of `from`, and allow them to be equal", () =>
    Effect.gen(function* () {
      const { id, shop } = yield* endpointWith([])
      const read = (from: number, to: number) => readEndpointActivity(shop, id, { from: format(from), to: format(to) })
      expect(yield* Effect.flip(read(t, t - 1))).toMatchObject({
        ...{ _tag: "InvalidInput", problems: [{ path: "to", message: "must not be before `from`" }] },
      })
      expect((yield* read(t, t)).hours).toEqual([])
    }).pipe(memory),
  )
})
