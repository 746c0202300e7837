/** The audit over the management API (hosts/manage/README.md; D59). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { add, listOf, timestamp } from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import { manage, memory, newShop, onHosts, postgres, TestHost } from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("The audit over the management API", [memory, postgres], (it) => {
  it.effect("MUST list changes with the management key as their actor, and those about a subject (D59)", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      yield* manage(send, "PATCH", `/shops/${shop.id}/webhooks/${id}`, { description: "Shop" })
      const list = (query = "") => manage(other, "GET", `/shops/${shop.id}/audit${query}`)
      const all = yield* list()
      expect(all.status).toBe(200)
      expect(listOf(all)[0]).toEqual({
        id: expect.stringMatching(/^aud_[0-9A-Za-z]{22}$/),
        at: timestamp,
        actor: { type: "key", name: "management key" },
        action: "endpoint.changed",
        subject: { type: "endpoint", id },
        before: { description: expect.any(String) },
        after: { description: "Shop" },
      })
      const about = yield* list(`?subject=endpoint:${id}&from=2020-01-01`)
      expect(listOf(about).map(({ action }) => action)).toEqual(["endpoint.changed", "endpoint.created"])
      expect(listOf(yield* list("?subject=order"))).toEqual([])
    }),
  )
})
