/** The audit over the management API (hosts/manage/README.md; D59). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { add, expectError, listOf, paths, timestamp } from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  type Answer,
  type Json,
  manage,
  memory,
  newShop,
  onHosts,
  postgres,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("The audit over the management API", [memory, postgres], (it) => {
  it.effect("MUST list changes with the management key as their actor, page by page (D59)", () =>
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
      const paged: Array<Json> = []
      let cursor: string | null = null
      do {
        const page: Answer = yield* list(`?limit=1${cursor === null ? "" : `&after=${encodeURIComponent(cursor)}`}`)
        paged.push(...listOf(page))
        cursor = (page.json as { pagination: { nextCursor: string | null } }).pagination.nextCursor
      } while (cursor !== null)
      expect(paged).toEqual(listOf(all))
      const about = yield* list(`?subject=endpoint:${id}&from=2020-01-01`)
      expect(listOf(about).map(({ action }) => action)).toEqual(["endpoint.changed", "endpoint.created"])
      expect(listOf(yield* list("?subject=order"))).toEqual([])
    }),
  )

  it.effect("MUST be 400 with the name of a wrong parameter, and 404 for an unknown shop (D59)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [query, path] of [
        ["limit=0", "limit"],
        ["after=x", "after"],
        ["subject=person", "subject"],
        ["from=x", "from"],
        ["to=x&to=y", "to"],
      ] as const) {
        const refused = yield* manage(send, "GET", `/shops/${shop.id}/audit?${query}`)
        expect([refused.status, paths(refused)]).toEqual([400, [path]])
      }
      expectError(yield* manage(send, "GET", "/shops/nobody/audit"), 404, "unknown shop")
    }),
  )
})
