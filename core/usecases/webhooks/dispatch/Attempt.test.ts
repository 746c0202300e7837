/** Requests of deliveries and their signatures (§2.5, §5, §6, D20–D24). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { envelopeOf, responseOf, type SentRequest, verified } from "../../../../conformance/testkit/workers/Outside.ts"
import { keyOf, makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { minute, taken, waits } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { seal } from "../../../support/SealedSecret.ts"
import { readDesign } from "../../catalog/ReadDesign.ts"
import { readDelivery, redeliver } from "../ManageDeliveries.ts"
import { createEndpoint } from "../ManageEndpoints.ts"

const everything = ["design.ordered", "order.cancelled", "design.created"] as const

describe("A request (§6)", () => {
  it.effect(
    "MUST have exactly the headers of the table, with the service's name, the kind and the delivery's id (§6-7 to §6-12)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        yield* world.drain
        const [{ request }] = world.outside.sent as [SentRequest]
        const [delivery] = yield* world.log(endpoint)
        expect(request.headers).toEqual({
          "Content-Type": "application/json",
          "User-Agent": "Acme Prints-Webhooks/1.0",
          "X-Service-Event": "design.ordered",
          "X-Service-Delivery": delivery?.id,
          "X-Service-Timestamp": String(Math.floor(someTime / 1000)),
          "X-Service-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
        })
        expect(request).toMatchObject({ url: endpoint.url, addresses: ["93.184.216.34"] })
        expect(delivery?.id).toMatch(/^dlv_[0-9A-Za-z]+$/)
      }),
  )

  it.effect(
    "MUST be signed at each attempt with its time; body, event id and delivery id stay (§2.5-1, §6-11, §6-12)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        expect(endpoint.shown).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
        world.outside.respond = () => Effect.succeed(responseOf(500))
        yield* world.order("1", ["d-1"])
        yield* world.drain
        for (const wait of waits) {
          yield* TestClock.adjust(wait)
          yield* world.drain
        }
        const { sent } = world.outside
        expect(sent).toHaveLength(7)
        for (const one of sent) {
          expect(one.request.headers["X-Service-Timestamp"]).toBe(String(Math.floor(one.at / 1000)))
          expect(yield* verified(one, endpoint.shown)).toMatchObject({
            deliveryId: sent[0]?.deliveryId,
            event: { id: world.events.at(-1)?.id, event: "design.ordered", test: false },
          })
        }
        expect(new Set(sent.map(({ request }) => request.body)).size).toBe(1)
        expect(new Set(sent.map(({ deliveryId }) => deliveryId)).size).toBe(1)
        expect(new Set(sent.map(({ request }) => request.headers["X-Service-Timestamp"])).size).toBe(7)
        expect(new Set(sent.map(({ request }) => request.headers["X-Service-Signature"])).size).toBe(7)
      }),
  )

  it.effect("MUST be signed with the secret of its own endpoint only (§5)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoints = [yield* world.endpoint(), yield* world.endpoint()]
      yield* world.order("1", ["d-1"])
      yield* world.drain
      expect(world.outside.sent).toHaveLength(2)
      for (const one of world.outside.sent) {
        const own = endpoints.find(({ url }) => url === one.request.url)
        const other = endpoints.find(({ url }) => url !== one.request.url)
        yield* verified(one, own?.shown ?? "")
        const wrong = yield* Effect.exit(verified(one, other?.shown ?? ""))
        expect(wrong._tag).toBe("Failure")
      }
      // One event, with a delivery for each endpoint (D22).
      expect(new Set(world.outside.sent.map(({ eventId }) => eventId)).size).toBe(1)
      expect(new Set(world.outside.sent.map(({ deliveryId }) => deliveryId)).size).toBe(2)
    }),
  )

  it.effect("MUST be signed with the secret at the time of the attempt, not with an earlier one (D24)", () =>
    Effect.gen(function* () {
      let replaced: string | undefined
      const world = yield* makeWorld({
        deliveries: (store) => ({
          claim: (request) =>
            Effect.map(store.claim(request), (claims) =>
              claims.map((claim) => ({ ...claim, secret: replaced ?? claim.secret })),
            ),
        }),
      })
      const endpoint = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      replaced = yield* world.run(seal(Redacted.make("whsec_another"), endpoint.id))
      yield* TestClock.adjust(minute)
      yield* world.drain
      const [first, second] = world.outside.sent as [SentRequest, SentRequest]
      yield* verified(first, endpoint.shown)
      yield* verified(second, "whsec_another")
    }),
  )

  it.effect("MUST carry the envelope of §2.5, fields in its order, and be the body that the log shows (D21)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const [one] = world.outside.sent as [SentRequest]
      const envelope = envelopeOf(one)
      expect(Object.keys(envelope)).toEqual(["id", "event", "apiVersion", "createdAt", "shop", "data", "test"])
      expect(envelope).toMatchObject({
        id: expect.stringMatching(/^evt_[0-9A-Za-z]+$/),
        event: "design.ordered",
        apiVersion: "2026-10",
        createdAt: "2096-10-05T14:48:00.123+00:00",
        shop: "shop.example.com",
        test: false,
      })
      const shown = yield* world.run(readDelivery(world.shop, endpoint.id, one.deliveryId))
      expect(shown.body).toBe(one.request.body)
      const again = yield* world.run(redeliver(world.shop, endpoint.id, one.deliveryId))
      yield* world.drain
      expect(world.outside.sent[1]).toMatchObject({ deliveryId: again.id, eventId: one.eventId })
      expect(world.outside.sent[1]?.request.body).toBe(one.request.body)
    }),
  )

  it.effect(
    "MUST carry the same bytes of a design as the REST API, as they were when the event happened (D10, D21, §1-5, §6-5)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint({ events: everything })
        const wireNow = (id: string) => Effect.map(world.run(readDesign(world.shop, id)), (found) => found.text)
        yield* world.save("d-1")
        const draft = yield* wireNow("d-1")
        yield* world.order("1", ["d-1"])
        const ordered = yield* wireNow("d-1")
        const { text: cancelled } = yield* world.cancel("1")
        yield* world.drain
        const bodies = new Map(world.outside.sent.map((one) => [envelopeOf(one).event, one.request.body]))
        expect(bodies.get("design.created")).toContain(`"data":{"design":${draft}},"test":false}`)
        expect(bodies.get("design.ordered")).toContain(`"data":{"design":${ordered}},"test":false}`)
        expect(bodies.get("order.cancelled")).toContain(`"data":{"order":${cancelled}},"test":false}`)
        expect(cancelled).toContain(`"designs":[${yield* wireNow("d-1")}]`)
        // Later attempts still send the design as it was.
        yield* TestClock.adjust(minute)
        for (const { id } of yield* world.log(endpoint)) yield* world.run(redeliver(world.shop, endpoint.id, id))
        taken(world.outside.sent)
        yield* world.drain
        for (const one of world.outside.sent) expect(one.request.body).toBe(bodies.get(envelopeOf(one).event))
      }),
  )
})

describe("Keys that change (D20)", () => {
  const ring = (...bytes: ReadonlyArray<number>) => ({
    keys: bytes.map(keyOf) as [ReturnType<typeof keyOf>, ...Array<ReturnType<typeof keyOf>>],
  })

  it.effect("MUST open secrets with the key of the ring that sealed them, and seal with the newest (D20)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(1) })
      const old = yield* world.endpoint()
      const rotated = yield* world.another({ keyRing: ring(2, 1) })
      const added = yield* rotated.run(createEndpoint(world.shop, { url: "https://added.example.com/" }))
      yield* world.order("1", ["d-1"])
      expect(yield* rotated.drainWithin({ max: 100, deadline: Number.MAX_SAFE_INTEGER })).toEqual({
        attempts: 2,
        succeeded: 2,
      })
      for (const one of world.outside.sent) {
        yield* verified(one, one.request.url === old.url ? old.shown : Redacted.value(added.secret))
      }
      // Without the first key, only the secrets that it sealed are lost.
      const later = yield* world.another({ keyRing: ring(2) })
      taken(world.outside.sent)
      yield* world.order("2", ["d-2"])
      expect((yield* later.drainWithin({ max: 100, deadline: Number.MAX_SAFE_INTEGER })).succeeded).toBe(1)
      expect(world.outside.sent.map(({ request }) => request.url)).toEqual(["https://added.example.com/"])
    }),
  )
})
