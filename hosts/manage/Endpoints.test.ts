/**
 * How webhook endpoints are added, read, changed and removed over the management API (hosts/manage/README.md; §8, D28,
 * D31, D34–D36).
 */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import {
  add,
  endpointKeys,
  expectError,
  listOf,
  paths,
  rows,
  timestamp,
  url,
  webhooks,
  without,
} from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  bodyOf,
  type Json,
  manage,
  memory,
  newShop,
  onHosts,
  postgres,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("Webhook endpoints over the management API", [memory, postgres], (it) => {
  it.effect("MUST create an endpoint: 201 Endpoint with its secret, the fields in order, the defaults of D31", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const made = yield* manage(send, "POST", webhooks(shop), { url })
      const body = yield* bodyOf(201, made)
      expect(Object.keys(body)).toEqual([...endpointKeys, "secret"])
      expect(body).toEqual({
        id: expect.stringMatching(/^whe_[0-9A-Za-z]+$/),
        url,
        description: "",
        events: ["design.ordered", "order.cancelled"],
        status: "active",
        consecutiveFailures: 0,
        switchedOffAt: null,
        createdAt: timestamp,
        standardWebhooks: false,
        customizers: null,
        heedRetryAfter: false,
        payload: "full",
        ordering: "none",
        maxPerSecond: null,
        maxConcurrent: null,
        headers: [],
        oauth: null,
        clientCertificate: null,
        rotation: null,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      })
      const all = yield* add(send, shop, {
        description: "ERP ✓",
        events: ["design.created", "order.cancelled", "design.ordered"],
      })
      expect(all).toMatchObject({
        description: "ERP ✓",
        events: ["design.created", "order.cancelled", "design.ordered"],
      })
      expect(all.secret).not.toBe(body["secret"])
    }),
  )

  it.effect("MUST list, read and delete endpoints: {data: Endpoint[]} oldest first, Endpoint, 204 and then 404", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      expect((yield* manage(send, "GET", webhooks(shop))).text).toBe('{"data":[]}')
      const first = yield* add(send, shop, { description: "first" })
      const second = yield* add(send, shop, { description: "second" })
      const listed = yield* manage(other, "GET", webhooks(shop))
      expect([listed.status, listed.json]).toEqual([
        200,
        { data: [without(first, "secret"), without(second, "secret")] },
      ])
      for (const endpoint of listOf(listed)) expect(Object.keys(endpoint)).toEqual(endpointKeys)
      const one = yield* manage(other, "GET", webhooks(shop, `/${first.id}`))
      expect([one.status, one.json]).toEqual([200, without(first, "secret")])
      const gone = yield* manage(send, "DELETE", webhooks(shop, `/${first.id}`))
      expect([gone.status, gone.text]).toEqual([204, ""])
      for (const [method, path, body] of rows(first.id, "dlv_1").slice(2)) {
        expectError(yield* manage(other, method, webhooks(shop, path), body), 404, `${method} ${path}`)
      }
      expect(listOf(yield* manage(other, "GET", webhooks(shop))).map((endpoint) => endpoint["id"])).toEqual([second.id])
    }),
  )

  it.effect("MUST change only the fields of a PATCH, check a new URL, and refuse invalid fields (D24, D31, D36)", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      const made = yield* add(send, shop, { description: "before" })
      let expected: Json = without(made, "secret")
      const patch = (body: unknown) => manage(send, "PATCH", webhooks(shop, `/${made.id}`), body)
      for (const change of [
        {},
        { description: "after" },
        { standardWebhooks: true },
        { events: ["design.created"] },
        { url: "https://93.184.216.35:8443/other?a=b" },
        { description: "", events: ["order.cancelled", "design.ordered"], url },
      ]) {
        expected = { ...expected, ...change }
        const answer = yield* patch(change)
        expect([answer.status, answer.json]).toEqual([200, expected])
        expect(Object.keys(answer.json as Json)).toEqual(endpointKeys)
        expect((yield* manage(other, "GET", webhooks(shop, `/${made.id}`))).json).toEqual(expected)
      }
      for (const [body, status, path] of [
        [{ url: "https://10.0.0.1/" }, 422, "url"],
        [{ url: "http://93.184.216.34/" }, 422, "url"],
        [{ url: "" }, 400, "url"],
        [{ url: null }, 400, "url"],
        [{ events: [] }, 400, "events"],
        [{ events: ["ping"] }, 400, "events[0]"],
        [{ description: 1 }, 400, "description"],
        [{ status: "active" }, 422, "status"],
        [{ description: "no", secret: "whsec_mine" }, 422, "secret"],
        [[], 400, ""],
        [null, 400, ""],
      ] as const) {
        const answer = yield* patch(body)
        expectError(answer, status, JSON.stringify(body))
        expect(paths(answer)).toEqual([path])
      }
      // Refused together with a valid change: nothing is changed.
      expectError(yield* patch({ description: "no", url: "https://127.0.0.1/" }), 422, "both")
      expect((yield* manage(send, "GET", webhooks(shop, `/${made.id}`))).json).toEqual(expected)
    }),
  )

  it.effect("MUST answer 409 to adding, testing, redelivering and recovering if the shop's plan is free (D8)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      const settings = { domain: "shop.example.com", currency: "EUR", imageBase: "https://images.example.com/i" }
      const tested = yield* bodyOf(202, yield* manage(send, "POST", webhooks(shop, `/${id}/test`)))
      yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${shop.id}`, { ...settings, plan: "free" }))
      const before = yield* store.dump
      expectError(yield* manage(send, "POST", webhooks(shop), { url }), 409, "adding")
      expectError(yield* manage(send, "POST", webhooks(shop, `/${id}/test`)), 409, "testing")
      const again = webhooks(shop, `/${id}/deliveries/${tested["id"]}/redeliver`)
      expectError(yield* manage(send, "POST", again), 409, "redelivering")
      const since = { since: "2026-10-05T14:48:00Z" }
      expectError(yield* manage(send, "POST", webhooks(shop, `/${id}/recover`), since), 409, "recovering")
      expect(yield* store.dump).toBe(before)
      // Existing endpoints can still be read and deleted.
      expect((yield* manage(send, "GET", webhooks(shop))).status).toBe(200)
      expect((yield* manage(send, "DELETE", webhooks(shop, `/${id}`))).status).toBe(204)
    }),
  )
})
