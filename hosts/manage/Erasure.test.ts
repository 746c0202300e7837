/** Removing shops and redacting orders through the management API (D43). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
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

onHosts("Erasure", [memory, postgres], (it) => {
  it.effect("MUST remove a shop: 204, its token is refused, and none of its data is found (D43)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const beside = yield* newShop(send)
      for (const { id } of [shop, beside]) expect((yield* manage(send, "GET", `/shops/${id}`)).status).toBe(200)
      const removed = yield* manage(send, "DELETE", `/shops/${shop.id}`)
      expect([removed.status, removed.text]).toEqual([204, ""])
      expect((yield* read(send, shop.token, "/orders")).status).toBe(401)
      for (const path of [`/shops/${shop.id}`, `/shops/${shop.id}/tokens`, `/shops/${shop.id}/webhooks`]) {
        yield* bodyOf(404, yield* manage(send, "GET", path))
      }
      yield* bodyOf(404, yield* manage(send, "DELETE", `/shops/${shop.id}`))
      yield* bodyOf(404, yield* manage(send, "DELETE", "/shops/No%20Shop"))
      expect((yield* read(send, beside.token, "/orders")).status).toBe(200)
    }),
  )

  it.effect(
    "MUST redact an order: 200 with the redacted order and new tags, and the same again for a second request (D43)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const selection = { metal: "silver", size: "s54", engrave: "text", line: { text: "Jo" }, font: "serif" }
        yield* newDesign(send, shop, "d-1", { selection })
        yield* newOrder(send, shop, "1001", ["d-1"])
        const before = yield* read(send, shop.token, "/orders/1001")
        const design = yield* read(send, shop.token, "/designs/d-1")
        expect(before.text).toContain('"Jo"')
        const redact = () => manage(send, "POST", `/shops/${shop.id}/orders/1001/redact`)
        const order = yield* bodyOf(200, yield* redact())
        expect(JSON.stringify(order)).not.toContain('"Jo"')
        const after = yield* read(send, shop.token, "/orders/1001")
        expect(after.json).toEqual(order)
        expect(after.headers["etag"]).not.toBe(before.headers["etag"])
        const designAfter = yield* read(send, shop.token, "/designs/d-1")
        expect(designAfter.headers["etag"]).not.toBe(design.headers["etag"])
        expect((designAfter.json as Json)["price"]).toEqual((design.json as Json)["price"])
        expect(yield* bodyOf(200, yield* redact())).toEqual(order)
        expect((yield* read(send, shop.token, "/orders/1001")).headers["etag"]).toBe(after.headers["etag"])
        yield* bodyOf(404, yield* manage(send, "POST", `/shops/${shop.id}/orders/1002/redact`))
        yield* bodyOf(404, yield* manage(send, "POST", "/shops/none/orders/1001/redact"))
      }),
  )
})
