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
  rows,
  timestamp,
  url,
  webhooks,
  without,
} from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  bodyOf,
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
      expect(body).toMatchObject({
        id: expect.stringMatching(/^whe_[0-9A-Za-z]+$/),
        ...{ url, description: "", events: ["design.ordered", "order.cancelled"], status: "active" },
        createdAt: timestamp,
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
})
