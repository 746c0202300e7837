/** Deliveries with the headers of Standard Webhooks, as its own library verifies them (D41). */
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { vi } from "vitest"
import { envelopeOf, responseOf, type SentRequest, verified } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld, type World } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { minute } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { readRequestHeaders, redeliver, sendTestEvent } from "../ManageDeliveries.ts"
import { promoteSecret, rotateSecret, updateEndpoint } from "../ManageEndpoints.ts"

/** The library checks the time. */
const atTime = <A>(time: number, look: () => A): A => {
  vi.useFakeTimers({ toFake: ["Date"], now: time })
  return look()
}

afterEach(() => void vi.useRealTimers())

/** The library's verdict on a request with a secret: the event's id, or the reason of a refusal. */
const libraryOn = ({ at, request }: SentRequest, secret: string, body = request.body): string =>
  atTime(at, () => {
    try {
      return (new Webhook(secret).verify(body, { ...request.headers }) as { readonly id: string }).id
    } catch (error) {
      return String(error)
    }
  })

const standardNames = ({ request }: SentRequest) =>
  Object.keys(request.headers).filter((name) => name.startsWith("webhook-"))

/** An endpoint with these headers turned on. */
const asking = Effect.fnUntraced(function* (world: World) {
  const endpoint = yield* world.endpoint()
  yield* world.run(updateEndpoint(world.shop, endpoint.id, { standardWebhooks: true }))
  return endpoint
})

/** Sends a test event and returns the request. */
const tested = Effect.fnUntraced(function* (world: World, endpointId: string) {
  yield* world.run(sendTestEvent(world.shop, endpointId))
  yield* world.drain
  const [last] = world.outside.sent.slice(-1) as [SentRequest]
  return last
})

const rotated = (world: World, endpointId: string) =>
  Effect.map(world.run(rotateSecret(world.shop, endpointId)), ({ secret }) => Redacted.value(secret))

const refused = "Error: No matching signature found"

describe("The headers of Standard Webhooks", () => {
  it.effect("MUST be left out unless the endpoint turns them on, and again when it turns them off (D41)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id } = yield* world.endpoint()
      const names: Array<ReadonlyArray<string>> = [standardNames(yield* tested(world, id))]
      for (const standardWebhooks of [true, false]) {
        yield* world.run(updateEndpoint(world.shop, id, { standardWebhooks }))
        names.push(standardNames(yield* tested(world, id)))
      }
      expect(names).toEqual([[], ["webhook-id", "webhook-timestamp", "webhook-signature"], []])
    }),
  )

  it.effect(
    "MUST be accepted by the library with the secret as shown: events, retries, redeliveries and test events",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const { id, shown } = yield* asking(world)
        const other = yield* world.endpoint()
        world.outside.respond = () => Effect.succeed(responseOf(500))
        yield* world.order("1", ["d-1"])
        yield* world.drain
        world.outside.respond = () => Effect.succeed(responseOf(200))
        yield* TestClock.adjust(minute)
        yield* world.drain
        const [first] = world.outside.sent.filter((one) => standardNames(one).length > 0) as [SentRequest]
        yield* world.run(redeliver(world.shop, id, first.deliveryId))
        yield* world.drain
        yield* tested(world, id)
        const sent = world.outside.sent.filter((one) => standardNames(one).length > 0)
        expect(sent.map((one) => envelopeOf(one).test)).toEqual([false, false, false, true])
        for (const one of sent) {
          const { headers } = one.request
          expect(headers["webhook-id"]).toBe(envelopeOf(one).id)
          expect(headers["webhook-timestamp"]).toBe(headers["X-Service-Timestamp"])
          expect(headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
          expect(libraryOn(one, shown)).toBe(one.eventId)
          expect(libraryOn(one, other.shown)).toContain(refused)
          expect(libraryOn(one, shown, `${one.request.body} `)).toContain(refused)
          // The service's own signature is there too.
          yield* verified(one, shown)
        }
        expect(new Set(sent.slice(0, 3).map(({ request }) => request.headers["webhook-id"])).size).toBe(1)
      }),
  )

  it.effect(
    "MUST be accepted by the library with both secrets during a rotation, and with the new one alone after it (D41)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const { id, shown } = yield* asking(world)
        const secret = yield* rotated(world, id)
        const during = yield* tested(world, id)
        expect(during.request.headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
        expect([shown, secret].map((one) => libraryOn(during, one))).toEqual([during.eventId, during.eventId])
        vi.useRealTimers()
        yield* world.run(promoteSecret(world.shop, id))
        const after = yield* tested(world, id)
        expect(libraryOn(after, shown)).toContain(refused)
        expect(libraryOn(after, secret)).toBe(after.eventId)
        vi.useRealTimers()
        const later = yield* rotated(world, id)
        yield* TestClock.adjust("1 day")
        const over = yield* tested(world, id)
        expect(over.request.headers["webhook-signature"]).not.toContain(" ")
        expect(libraryOn(over, secret)).toContain(refused)
        expect(libraryOn(over, later)).toBe(over.eventId)
      }),
  )

  it.effect("MUST be shown with an attempt by the endpoint's current setting", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id } = yield* asking(world)
      yield* rotated(world, id)
      const { deliveryId, request } = yield* tested(world, id)
      const shown = world.run(readRequestHeaders(world.shop, id, deliveryId, 1))
      expect(yield* shown).toEqual(request.headers)
      yield* world.run(updateEndpoint(world.shop, id, { standardWebhooks: false }))
      expect(Object.keys((yield* shown) ?? {})).toEqual(Object.keys(request.headers).slice(0, 6))
    }),
  )
})
