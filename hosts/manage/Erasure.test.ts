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

  const engraved = (text: string) => ({
    selection: { metal: "silver", size: "s54", engrave: "text", line: { text }, font: "serif" },
  })

  it.effect(
    "MUST redact a design of any status: 200 with it, and new tags of it and its order; the same again later (D43)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        for (const id of ["draft", "d-1", "d-2"]) yield* newDesign(send, shop, id, engraved("Jo"))
        yield* newOrder(send, shop, "1001", ["d-1", "d-2"])
        const before = yield* read(send, shop.token, "/orders/1001")
        for (const id of ["draft", "d-1"]) {
          const design = yield* read(send, shop.token, `/designs/${id}`)
          const redact = () => manage(send, "POST", `/shops/${shop.id}/designs/${id}/redact`)
          const redacted = yield* bodyOf(200, yield* redact())
          expect(JSON.stringify(redacted)).not.toContain('"Jo"')
          const after = yield* read(send, shop.token, `/designs/${id}`)
          expect(after.json).toEqual(redacted)
          expect(after.headers["etag"]).not.toBe(design.headers["etag"])
          expect(redacted["price"]).toEqual((design.json as Json)["price"])
          expect(yield* bodyOf(200, yield* redact())).toEqual(redacted)
          expect((yield* read(send, shop.token, `/designs/${id}`)).headers["etag"]).toBe(after.headers["etag"])
        }
        const order = yield* read(send, shop.token, "/orders/1001")
        expect(order.headers["etag"]).not.toBe(before.headers["etag"])
        expect(order.text.match(/"Jo"/g)?.length).toBe((before.text.match(/"Jo"/g)?.length ?? 0) / 2)
        const events = yield* read(send, shop.token, "/events")
        expect(new Set(events.text.match(/"text":"[^"]*"/g))).toEqual(new Set(['"text":"Jo"', '"text":"[redacted]"']))
        yield* bodyOf(404, yield* manage(send, "POST", `/shops/${shop.id}/designs/none/redact`))
        yield* bodyOf(404, yield* manage(send, "POST", "/shops/none/designs/d-1/redact"))
      }),
  )

  it.effect("MUST delete a draft: 204, once, with the texts in its kept events; 409 for an ordered design (D43)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const id of ["a/b", "d-1"]) yield* newDesign(send, shop, id, engraved(`Jo ${id}`))
      yield* newOrder(send, shop, "1001", ["d-1"])
      const { headers } = yield* read(send, shop.token, "/designs/a%2Fb")
      const deleted = yield* manage(send, "DELETE", `/shops/${shop.id}/designs/a%2Fb`)
      expect([deleted.status, deleted.text]).toEqual([204, ""])
      yield* bodyOf(404, yield* manage(send, "DELETE", `/shops/${shop.id}/designs/a%2Fb`))
      yield* bodyOf(404, yield* manage(send, "DELETE", "/shops/none/designs/d-1"))
      const request = { "if-none-match": String(headers["etag"]) }
      yield* bodyOf(404, yield* read(send, shop.token, "/designs/a%2Fb", request))
      const events = yield* read(send, shop.token, "/events")
      expect([events.text.includes("Jo a/b"), events.text.includes("Jo d-1")]).toEqual([false, true])
      expect((events.json as Json)["data"]).toHaveLength(3)
      const frozen = yield* bodyOf(409, yield* manage(send, "DELETE", `/shops/${shop.id}/designs/d-1`))
      expect(frozen["message"]).toContain("redact it")
      expect((yield* read(send, shop.token, "/designs/d-1")).text).toContain("Jo d-1")
      yield* newDesign(send, shop, "a/b", engraved("Al"))
    }),
  )
})
