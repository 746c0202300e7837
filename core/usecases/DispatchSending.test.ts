/** What is sent (§2.5, §5, §6, D8, D20–D24, D30, D31). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../conformance/storage/Fixtures.ts"
import { answered, keyOf, makeWorld, type SentRequest, verified } from "../../conformance/worlds/TestWorker.ts"
import type { EventKind } from "../model/Event.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { parseNetworks } from "../rules/PublicHost.ts"
import { seal } from "../support/SealedSecret.ts"
import { readDelivery, redeliver, sendTestEvent } from "./ManageDeliveries.ts"
import { addEndpoint, changeEndpoint } from "./ManageEndpoints.ts"
import { placeOrder } from "./PlaceOrder.ts"
import { readDesign } from "./ReadDesign.ts"

const minute = 60_000

const waits = [1 * minute, 5 * minute, 30 * minute, 120 * minute, 360 * minute, 1440 * minute]

interface Envelope {
  readonly id: string
  readonly event: EventKind
  readonly apiVersion: string
  readonly createdAt: string
  readonly shop: string
  readonly data: Readonly<Record<string, unknown>>
  readonly test: boolean
}

const envelopeOf = ({ request }: SentRequest) => JSON.parse(request.body) as Envelope

const kindsOf = (sent: ReadonlyArray<SentRequest>) => sent.map((one) => envelopeOf(one).event).toSorted()

/** Takes what has been sent since the last call. */
const taken = (sent: Array<SentRequest>) => sent.splice(0)

const everything = ["design.ordered", "order.cancelled", "design.created"] as const

describe("A request (§6)", () => {
  it.effect("MUST have exactly the headers of the table, with the service's name, the kind and the delivery's id", () =>
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
    "MUST be signed anew at each attempt, with the time of the attempt, while body, event id and delivery id stay (§5, D21, D22)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        expect(endpoint.shown).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
        world.outside.answer = () => Effect.succeed(answered(500))
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

  it.effect("MUST be signed with the secret of its own endpoint, and with no other (§5)", () =>
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
      // One event, a delivery for each (D22).
      expect(new Set(world.outside.sent.map(({ eventId }) => eventId)).size).toBe(1)
      expect(new Set(world.outside.sent.map(({ deliveryId }) => deliveryId)).size).toBe(2)
    }),
  )

  it.effect("MUST be signed with the secret that is kept by then, not one that was kept before (D24)", () =>
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
      world.outside.answer = () => Effect.succeed(answered(500))
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
        createdAt: "2026-10-05T14:48:00.123+00:00",
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
    "MUST carry the same bytes of a design as the REST API, as they were when the event happened (D10, D21)",
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
        // What is sent later is still what happened then.
        yield* TestClock.adjust(minute)
        for (const { id } of yield* world.log(endpoint)) yield* world.run(redeliver(world.shop, endpoint.id, id))
        taken(world.outside.sent)
        yield* world.drain
        for (const one of world.outside.sent) expect(one.request.body).toBe(bodies.get(envelopeOf(one).event))
      }),
  )
})

describe("Events (§3, §6)", () => {
  it.effect("MUST send design.ordered once per design, when its order links it, and not again", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.endpoint()
      const { sent } = world.outside
      yield* world.order("1", ["d-1", "d-2"])
      yield* world.drain
      const first = taken(sent)
      expect(kindsOf(first)).toEqual(["design.ordered", "design.ordered"])
      expect(first.map((one) => (envelopeOf(one).data["design"] as { readonly id: string }).id).toSorted()).toEqual([
        "d-1",
        "d-2",
      ])
      expect(new Set(first.map(({ eventId }) => eventId)).size).toBe(2)
      // The same order again, and with one more design (D6).
      yield* world.save("d-3")
      const lines = ["d-1", "d-2"].map((designId) => ({ designId, lineItemId: `line-of-${designId}` }))
      const place = (all: typeof lines) =>
        world.run(placeOrder(world.shop, "1", { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: all }))
      yield* place(lines)
      expect(yield* world.drain).toEqual({ attempts: 0, succeeded: 0 })
      yield* place([...lines, { designId: "d-3", lineItemId: "3" }])
      yield* world.drain
      expect(taken(sent).map((one) => (envelopeOf(one).data["design"] as { readonly id: string }).id)).toEqual(["d-3"])
    }),
  )

  it.effect("MUST send order.cancelled once, whose designs are cancelled already (D3)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.endpoint()
      yield* world.order("1", ["d-1", "d-2"])
      yield* world.drain
      taken(world.outside.sent)
      yield* world.cancel("1")
      yield* world.cancel("1")
      yield* world.drain
      expect(world.outside.sent).toHaveLength(1)
      const { data, event } = envelopeOf(world.outside.sent[0] as SentRequest)
      expect(event).toBe("order.cancelled")
      expect(data).toMatchObject({
        order: { id: "1", status: "cancelled", designs: [{ status: "cancelled" }, { status: "cancelled" }] },
      })
    }),
  )

  it.effect(
    "MUST send design.created only to endpoints that chose it, and only when a design is saved first (D4)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const standard = yield* world.endpoint()
        const created = yield* world.endpoint({ events: ["design.created"] })
        yield* world.save("d-1")
        yield* world.save("d-1")
        yield* world.drain
        expect(world.outside.sent.map(({ request }) => request.url)).toEqual([created.url])
        expect(envelopeOf(world.outside.sent[0] as SentRequest)).toMatchObject({
          event: "design.created",
          data: { design: { id: "d-1", status: "draft", order: null, orderedAt: null } },
        })
        expect(yield* world.log(standard)).toEqual([])
      }),
  )

  for (let mask = 1; mask < 8; mask++) {
    const events = everything.filter((_, index) => (mask & (1 << index)) !== 0)
    it.effect(`MUST send ${events.join(" and ")} and nothing else to an endpoint that chose that (§6, D31)`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        yield* world.endpoint({ events })
        yield* world.order("1", ["d-1"])
        yield* world.cancel("1")
        yield* world.drain
        expect(kindsOf(world.outside.sent)).toEqual(events.toSorted())
      }),
    )
  }

  it.effect("MUST choose design.ordered and order.cancelled where nothing is chosen (D31)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.cancel("1")
      yield* world.drain
      expect(kindsOf(world.outside.sent)).toEqual(["design.ordered", "order.cancelled"])
    }),
  )

  it.effect("MUST NOT send what happened before the endpoint was added", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["d-1"])
      const endpoint = yield* world.endpoint()
      yield* world.drain
      expect(yield* world.log(endpoint)).toEqual([])
      expect(world.outside.sent).toEqual([])
    }),
  )

  it.effect("MUST NOT send or keep anything of a change that was refused (D23)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.save("d-2")
      const lines = ["d-2", "d-1"].map((designId) => ({ designId, lineItemId: designId }))
      const refused = yield* Effect.flip(
        world.run(placeOrder(world.shop, "2", { name: "#2", orderedAt: "2026-10-05T14:48:00Z", lines })),
      )
      expect(refused._tag).toBe("Conflict")
      expect(yield* world.log(endpoint)).toHaveLength(1)
      yield* world.drain
      expect(world.outside.sent).toHaveLength(1)
    }),
  )
})

describe("A test event (§6, D30)", () => {
  it.effect("MUST be a ping with a message where no design was ever ordered, drafts or not", () =>
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
        createdAt: "2026-10-05T14:48:00.123+00:00",
        shop: "shop.example.com",
        data: { message: expect.stringMatching(/./) },
        test: true,
      })
      yield* verified(one, endpoint.shown)
    }),
  )

  it.effect(
    "MUST be the design with the newest orderedAt whose status is ordered, whatever kinds the endpoint chose: not the order placed last, nor a cancelled one",
    () =>
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

  it.effect("MUST have an event id of its own each time, and go to no other endpoint", () =>
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

describe("Keys that change (D20)", () => {
  const ring = (...bytes: ReadonlyArray<number>) => ({
    keys: bytes.map(keyOf) as [ReturnType<typeof keyOf>, ...Array<ReturnType<typeof keyOf>>],
  })

  it.effect("MUST open with an old key of the ring what it sealed, and seal with the newest", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(1) })
      const old = yield* world.endpoint()
      const rotated = yield* world.another({ keyRing: ring(2, 1) })
      const added = yield* rotated.run(addEndpoint(world.shop, { url: "https://added.example.com/" }))
      yield* world.order("1", ["d-1"])
      expect(yield* rotated.dispatch.drain({ max: 100, deadline: Number.MAX_SAFE_INTEGER })).toEqual({
        attempts: 2,
        succeeded: 2,
      })
      for (const one of world.outside.sent) {
        yield* verified(one, one.request.url === old.url ? old.shown : Redacted.value(added.secret))
      }
      // Without the first key what it sealed is lost, and nothing else is.
      const later = yield* world.another({ keyRing: ring(2) })
      taken(world.outside.sent)
      yield* world.order("2", ["d-2"])
      expect((yield* later.dispatch.drain({ max: 100, deadline: Number.MAX_SAFE_INTEGER })).succeeded).toBe(1)
      expect(world.outside.sent.map(({ request }) => request.url)).toEqual(["https://added.example.com/"])
    }),
  )
})

describe("Exceptions to what is public (D37)", () => {
  it.effect("MUST reach allowed networks and plain http where the installation says so, by name and by address", () =>
    Effect.gen(function* () {
      const networks = parseNetworks("127.0.0.0/8,::1/128")
      const allowNetworks = networks._tag === "Success" ? networks.success : []
      const world = yield* makeWorld({ policy: { allowNetworks, allowHttp: true } })
      world.outside.lookup = () => Effect.succeed(["127.0.0.1", "::1"])
      yield* world.endpoint({ url: "http://localhost:3999/hook" })
      yield* world.endpoint({ url: "http://127.0.0.1:3999/hook" })
      yield* world.order("1", ["d-1"])
      expect((yield* world.drain).succeeded).toBe(2)
      expect(new Map(world.outside.sent.map(({ request }) => [request.url, request.addresses]))).toEqual(
        new Map([
          ["http://localhost:3999/hook", ["127.0.0.1", "::1"]],
          ["http://127.0.0.1:3999/hook", ["127.0.0.1"]],
        ]),
      )
    }),
  )

  it.effect("MUST refuse at the attempt what a stricter policy no longer allows (D36)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ policy: { allowNetworks: [], allowHttp: true } })
      const endpoint = yield* world.endpoint({ url: "http://93.184.216.34/hook" })
      yield* world.order("1", ["d-1"])
      const stricter = yield* world.another({ policy: { allowNetworks: [], allowHttp: false } })
      yield* stricter.dispatch.drain({ max: 10, deadline: Number.MAX_SAFE_INTEGER })
      expect(world.outside.sent).toEqual([])
      expect((yield* world.log(endpoint))[0]?.attempts).toMatchObject([{ error: "address_refused" }])
      // A literal is asked of nobody.
      expect(world.outside.asked).toEqual([])
    }),
  )

  it.effect("MUST send to the URL as it is parsed, and look up its host only, in lower case (D34)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint({ url: "https://HOOKS.Example.COM:443/a/../b?x=%20y" })
      expect(endpoint.url).toBe("https://hooks.example.com/b?x=%20y")
      yield* world.run(changeEndpoint(world.shop, endpoint.id, { url: "https://BÜCHER.example.com/" }))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      expect(world.outside.sent[0]?.request.url).toBe("https://xn--bcher-kva.example.com/")
      expect(world.outside.asked).toEqual([
        "hooks.example.com",
        "xn--bcher-kva.example.com",
        "xn--bcher-kva.example.com",
      ])
    }),
  )

  it.effect("MUST find the endpoint again in the store with a sealed secret alone (D20)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const kept = yield* world.run(EndpointStore.use((endpoints) => endpoints.find(world.shop, endpoint.id)))
      expect(JSON.stringify(Option.getOrThrow(kept))).not.toContain(endpoint.shown.slice("whsec_".length))
    }),
  )
})
