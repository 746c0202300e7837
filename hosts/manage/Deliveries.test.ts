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
  timestamp,
  webhooks,
} from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
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
  it.effect("MUST list deliveries with every attempt, and show each by id with its body (§8, D32)", () =>
    Effect.gen(function* () {
      const { other, ports, send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      expect((yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`))).text).toBe(
        '{"data":[],"pagination":{"limit":50,"nextCursor":null}}',
      )
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
        ["?from=2026-10-06T00:00:00Z&from=2026-10-06T00:00:00Z", "from", /date-time/],
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
