/**
 * The delivery log over the management API, and what is sent again (hosts/manage/README.md; §6, §8, D22, D28–D30, D32).
 */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import { request } from "../../conformance/suites/storage/support/Webhooks.ts"
import {
  add,
  deliveryKeys,
  expectError,
  listOf,
  paths,
  timestamp,
  webhooks,
  without,
} from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  bodyOf,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import type { Attempt } from "../../core/model/webhooks/Delivery.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"

/** Settles a pending delivery as failed, as a worker does after its last attempt. */
const failed = Effect.fnUntraced(function* (deliveryId: string, attempt: Attempt) {
  const queue = inTurn(yield* DeliveryQueue)
  const claims = yield* queue.claim(request({ now: Date.now(), token: `t-${deliveryId}` }))
  const claim = claims.find((one) => one.deliveryId === deliveryId)
  yield* queue.release(claims.filter((one) => one !== claim))
  if (claim === undefined) return yield* Effect.die(new Error("Nothing was claimed"))
  yield* queue.settle([{ claim, attempt, status: "failed", nextAttemptAt: null }], (health) => health)
})

onHosts("Deliveries over the management API", [memory, postgres], (it) => {
  it.effect(
    "MUST list the newest 50 deliveries first, with every attempt, and show each by id with its body (§8, D32)",
    () =>
      Effect.gen(function* () {
        const { other, ports, send } = yield* TestHost
        const shop = yield* newShop(send)
        const { id } = yield* add(send, shop)
        expect((yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`))).text).toBe(
          '{"data":[],"pagination":{"limit":50,"nextCursor":null}}',
        )
        for (const query of ["limit=0", "limit=101", "after=", "after=x", "after=1.inb_1", "after=9e9.dlv_1"]) {
          const wrong = yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries?${query}`))
          expect([query, wrong.status, wrong.text.includes(query.split("=")[0] ?? "")]).toEqual([query, 400, true])
        }
        yield* newDesign(send, shop, "d-1")
        yield* newOrder(send, shop, "1", ["d-1"])
        const listed = yield* manage(other, "GET", webhooks(shop, `/${id}/deliveries`))
        const [delivery] = listOf(listed)
        expect(Object.keys(delivery ?? {})).toEqual(deliveryKeys)
        expect(delivery).toEqual({
          id: expect.stringMatching(/^dlv_[0-9A-Za-z]+$/),
          eventId: expect.stringMatching(/^evt_[0-9A-Za-z]+$/),
          event: "design.ordered",
          test: false,
          status: "pending",
          createdAt: timestamp,
          nextAttemptAt: delivery?.["createdAt"],
          attempts: [],
        })
        const deliveryId = String(delivery?.["id"])
        const one = yield* manage(other, "GET", webhooks(shop, `/${id}/deliveries/${deliveryId}`))
        expect(Object.keys(one.json as Json)).toEqual([...deliveryKeys, "body"])
        const { body } = one.json as { readonly body: string }
        expect(one.json).toEqual({ ...delivery, body })
        expect(body).toContain(`"data":{"design":${(yield* read(send, shop.token, "/designs/d-1")).text}}`)
        expect(JSON.parse(body)).toMatchObject({ id: delivery?.["eventId"], shop: "shop.example.com", test: false })

        const attempt = { number: 1, at: 1_790_000_000_000, durationMs: 12 } as const
        const outcome = { statusCode: 302, responseStart: "Moved «\u{1f600}»", error: "redirect" } as const
        yield* failed(deliveryId, { ...attempt, ...outcome }).pipe(Effect.provideContext(ports))
        const attempts = yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries/${deliveryId}`))
        expect(attempts.json).toEqual({
          ...delivery,
          status: "failed",
          nextAttemptAt: null,
          attempts: [{ ...attempt, at: "2026-09-21T14:13:20.000+00:00", ...outcome }],
          body,
        })
        expect(Object.keys(((attempts.json as Json)["attempts"] as ReadonlyArray<Json>)[0] ?? {})).toEqual([
          ...["number", "at", "statusCode", "durationMs", "responseStart", "error"],
        ])

        const made: Array<string> = []
        for (let count = 0; count < 55; count++) {
          const again = yield* manage(send, "POST", webhooks(shop, `/${id}/deliveries/${deliveryId}/redeliver`))
          made.unshift(String((yield* bodyOf(202, again))["id"]))
        }
        const full = listOf(yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`)))
        expect(full).toHaveLength(50)
        const times = full.map((one) => String(one["createdAt"]))
        expect(times).toEqual(times.toSorted().toReversed())
        expect(made).toEqual(expect.arrayContaining(full.slice(0, 40).map((one) => one["id"])))
      }),
  )

  it.effect("MUST answer a redelivery with 202 and the new delivery: same event and body, another id (D22, D29)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      yield* newDesign(send, shop, "d-1")
      yield* newOrder(send, shop, "1", ["d-1"])
      const path = webhooks(shop, `/${id}/deliveries`)
      const [first] = listOf(yield* manage(send, "GET", path))
      const again = yield* bodyOf(202, yield* manage(send, "POST", `${path}/${first?.["id"]}/redeliver`))
      expect(Object.keys(again)).toEqual(deliveryKeys)
      expect(again).toMatchObject({
        eventId: first?.["eventId"],
        event: "design.ordered",
        test: false,
        status: "pending",
        nextAttemptAt: again["createdAt"],
        attempts: [],
      })
      expect(again["id"]).not.toBe(first?.["id"])
      const [body, bodyAgain] = yield* Effect.forEach([first, again], (one) =>
        Effect.map(manage(send, "GET", `${path}/${one?.["id"]}`), ({ json }) => (json as Json)["body"]),
      )
      expect(typeof body).toBe("string")
      expect(bodyAgain).toBe(body)
    }),
  )

  it.effect("MUST answer a test with 202 and its delivery: a ping, or the latest ordered design (§6, D30)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop, { events: ["order.cancelled"] })
      const test = Effect.flatMap(manage(send, "POST", webhooks(shop, `/${id}/test`)), (answer) => bodyOf(202, answer))
      const ping = yield* test
      expect(Object.keys(ping)).toEqual(deliveryKeys)
      expect(ping).toMatchObject({ event: "ping", test: true, status: "pending", attempts: [] })
      yield* newDesign(send, shop, "d-1")
      expect((yield* test)["event"]).toBe("ping")
      yield* newDesign(send, shop, "d-2")
      yield* newOrder(send, shop, "late", ["d-1"], "2026-10-06T00:00:00Z")
      yield* newOrder(send, shop, "early", ["d-2"], "2026-10-05T00:00:00Z")
      const sample = yield* test
      expect(sample).toMatchObject({ event: "design.ordered", test: true })
      const shown = yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries/${sample["id"]}`))
      const { body } = shown.json as { readonly body: string }
      expect(body).toContain(`"data":{"design":${(yield* read(send, shop.token, "/designs/d-1")).text}},"test":true}`)
      expect(JSON.parse(body)).toMatchObject({ id: sample["eventId"], event: "design.ordered" })
    }),
  )

  it.effect(
    "MUST answer recover with 202 {deliveries}, or 400 if since is not a date-time, and recover no event twice (D28)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "d-1")
        yield* newDesign(send, shop, "d-2")
        yield* newOrder(send, shop, "1", ["d-1", "d-2"])
        const { id } = yield* add(send, shop)
        const since = (text: unknown) => manage(send, "POST", webhooks(shop, `/${id}/recover`), { since: text })
        for (const bad of [
          undefined,
          null,
          1,
          "",
          "yesterday",
          "2026-01-01",
          "2026-01-01T00:00:00",
          "2026-13-01T00:00:00Z",
          {},
        ]) {
          const answer = yield* since(bad)
          expectError(answer, 400, JSON.stringify(bad))
          expect(paths(answer)).toEqual(["since"])
        }
        expect([(yield* since("2100-01-01T00:00:00Z")).text]).toEqual(['{"deliveries":0}'])
        const recovered = yield* since("2020-01-01T00:00:00+02:00")
        expect([recovered.status, recovered.text]).toEqual([202, '{"deliveries":2}'])
        expect((yield* since("2020-01-01T00:00:00Z")).text).toBe('{"deliveries":0}')
        expect(listOf(yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`)))).toHaveLength(2)
      }),
  )

  it.effect(
    "MUST turn an endpoint on: 200 Endpoint, active, no failures counted, and the number of missed events (§3, D28)",
    () =>
      Effect.gen(function* () {
        const { ports, send } = yield* TestHost
        const shop = yield* newShop(send)
        const made = yield* add(send, shop)
        yield* newDesign(send, shop, "d-1")
        yield* newOrder(send, shop, "1", ["d-1"])
        yield* Effect.gen(function* () {
          const store = inTurn(yield* DeliveryQueue)
          const now = Date.now()
          const claims = yield* store.claim(request({ now, token: `t-${made.id}` }))
          const own = claims.filter(({ endpointId }) => endpointId === made.id)
          yield* store.release(claims.filter((claim) => !own.includes(claim)))
          const attempt = {
            number: 1,
            at: now,
            durationMs: 0,
            statusCode: 500,
            responseStart: "",
            error: null,
          } as const
          yield* store.settle(
            own.map((claim) => ({ claim, attempt, status: "pending", nextAttemptAt: now + 60_000 })),
            () => ({
              status: "switched_off",
              consecutiveFailures: 20,
              switchedOffAt: 1_790_000_000_000,
              proven: false,
              troubled: false,
            }),
          )
          expect((yield* Upkeep.use((upkeep) => upkeep.statistics(now))).endpointsSwitchedOff).toBeGreaterThan(0)
        }).pipe(Effect.provideContext(ports))
        const before = without(made, "secret")
        expect((yield* manage(send, "GET", webhooks(shop, `/${made.id}`))).json).toEqual({
          ...before,
          status: "switched_off",
          consecutiveFailures: 20,
          switchedOffAt: "2026-09-21T14:13:20.000+00:00",
        })
        for (const id of ["d-2", "d-3"]) yield* newDesign(send, shop, id)
        yield* newOrder(send, shop, "2", ["d-2", "d-3"])
        for (const missed of [2, 0]) {
          const turnedOn = yield* manage(send, "POST", webhooks(shop, `/${made.id}/enable`))
          expect([turnedOn.status, turnedOn.json]).toEqual([200, { ...before, missed }])
        }
      }),
  )

  it.effect("MUST count what an endpoint was sent by the hour, exactly, whatever its log shows (D60)", () =>
    Effect.gen(function* () {
      const { other, ports, send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      const activity = (query = "") => manage(other, "GET", webhooks(shop, `/${id}/activity${query}`))
      const empty = { succeeded: 0, failedAttempts: 0, givenUp: 0, p50Ms: null, p95Ms: null }
      expect((yield* activity()).json).toEqual({ from: timestamp, to: timestamp, pending: 0, ...empty, hours: [] })
      yield* newDesign(send, shop, "d-1")
      yield* newOrder(send, shop, "1", ["d-1"])
      expect((yield* activity()).json).toMatchObject({ ...empty, pending: 1 })
      const [delivery] = listOf(yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`)))
      const attempt = { number: 1, at: Date.parse("2026-10-05T14:48:00Z"), durationMs: 60 } as const
      const outcome = { statusCode: 500, responseStart: "no", error: null } as const
      yield* failed(String(delivery?.["id"]), { ...attempt, ...outcome }).pipe(Effect.provideContext(ports))
      const figures = { succeeded: 0, failedAttempts: 1, givenUp: 1, p50Ms: 63, p95Ms: 74 }
      const hour = { at: "2026-10-05T14:00:00.000+00:00", ...figures }
      const span = (from: string, to: string) => activity(`?from=${from}&to=${to}`)
      expect((yield* span("2026-10-05T14:59:59%2B00:00", "2026-10-06T00:00:00Z")).json).toEqual({
        from: "2026-10-05T14:00:00.000+00:00",
        to: "2026-10-06T00:00:00.000+00:00",
        pending: 0,
        ...figures,
        hours: [hour],
      })
      expect((yield* span("2026-10-05T15:00:00Z", "2026-10-06T00:00:00Z")).json).toMatchObject({ ...empty, hours: [] })
      expect((yield* activity("?to=2026-10-06T13:00:00Z")).json).toMatchObject({ hours: [hour] })
      expect((yield* activity("?to=2026-10-05T14:00:00Z")).json).toMatchObject({ hours: [] })
    }),
  )

  it.effect("MUST refuse a time for figures that is none, with the parameter that is wrong", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      for (const [query, path, message] of [
        ["?from=yesterday", "from", /RFC 3339/],
        ["?to=2026-10-05", "to", /RFC 3339/],
        ["?from=2026-10-06T00:00:00Z&to=2026-10-05T00:00:00Z", "to", /before/],
        ["?since=2026-10-06T00:00:00Z", "since", /from|to/],
        ["?from=2026-10-06T00:00:00Z&from=2026-10-06T00:00:00Z", "from", /string/],
      ] as const) {
        const refused = yield* manage(send, "GET", webhooks(shop, `/${id}/activity${query}`))
        expectError(refused, query.startsWith("?since") ? 422 : 400, query)
        const { problems } = refused.json as { readonly problems: ReadonlyArray<{ path: string; message: string }> }
        expect(problems).toEqual([{ path, message: expect.stringMatching(message) }])
      }
      for (const path of [webhooks(shop, "/whe_none/activity"), webhooks("nobody", `/${id}/activity`)]) {
        expectError(yield* manage(send, "GET", path), 404, path)
      }
    }),
  )
})
