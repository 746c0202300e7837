/** The inbox over the management API (hosts/manage/README.md; D57). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { listOf, timestamp } from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import { receiveShopify } from "../../conformance/testkit/hosts/PlatformEvents.ts"
import {
  bodyOf,
  manage,
  memory,
  newDesign,
  newShop,
  onHosts,
  postgres,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("The inbox over the management API", [memory, postgres], (it) => {
  it.effect("MUST list a platform's events by state and page, and try one again, with an entry (D57, D59)", () =>
    Effect.gen(function* () {
      const { other, ports, send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "a")
      const at = `/shops/${shop.id}/inbox`
      const applied = yield* receiveShopify(ports, shop.id, 1, ["a"], { eventId: "event-1" })
      const waiting = yield* receiveShopify(ports, shop.id, 2, ["b"])
      const list = (query = "") => Effect.map(manage(other, "GET", at + query), listOf)
      const all = yield* list()
      expect(all.map(({ id }) => id).toSorted()).toEqual([applied.id, waiting.id].toSorted())
      const [entry] = yield* list("?state=waiting")
      expect(entry).toEqual({
        id: waiting.id,
        source: "shopify",
        topic: "orders/create",
        eventId: null,
        orderId: "2",
        state: "waiting",
        reason: 'The shop has no design "b": the order is placed once it has',
        designId: "b",
        modifiedAt: timestamp,
        receivedAt: timestamp,
      })
      expect(yield* bodyOf(200, yield* manage(send, "GET", `${at}/${waiting.id}`))).toEqual(entry)
      const path = `${at}/${waiting.id}/apply`
      expect(yield* bodyOf(200, yield* manage(send, "POST", path))).toEqual(entry)
      yield* newDesign(send, shop, "b")
      const done = { ...entry, state: "applied", reason: null, designId: null }
      expect(yield* bodyOf(200, yield* manage(send, "POST", path))).toEqual(done)
      expect(yield* bodyOf(200, yield* manage(other, "POST", path))).toEqual(done)
      expect(yield* bodyOf(200, yield* manage(other, "GET", `${at}/${waiting.id}`))).toEqual(done)
      const entries = yield* Effect.map(manage(send, "GET", `/shops/${shop.id}/audit?subject=inbox`), listOf)
      expect(entries).toHaveLength(2)
      for (const one of entries) {
        expect(one).toMatchObject({
          actor: { type: "key", name: "management key" },
          action: "inbox.tried",
          subject: { type: "inbox", id: waiting.id },
          before: { state: "waiting" },
        })
      }
    }),
  )
})
