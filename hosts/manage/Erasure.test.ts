/** Removing shops and redacting orders through the management API (D43). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import {
  bodyOf,
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

  it.effect("MUST answer 200 with what was redacted, an order or a design, and 204 once a draft is deleted (D43)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const selection = { metal: "silver", size: "s54", engrave: "text", line: { text: "Jo" }, font: "serif" }
      for (const id of ["a/b", "d-1"]) yield* newDesign(send, shop, id, { selection })
      yield* newOrder(send, shop, "1001", ["d-1"])
      const designs = `/shops/${shop.id}/designs`
      for (const [at, path] of [
        ["/orders/1001", `/shops/${shop.id}/orders/1001/redact`],
        ["/designs/a%2Fb", `${designs}/a%2Fb/redact`],
      ] as const) {
        const before = yield* read(send, shop.token, at)
        const redacted = yield* bodyOf(200, yield* manage(send, "POST", path))
        expect(JSON.stringify(redacted)).not.toContain('"Jo"')
        const after = yield* read(send, shop.token, at)
        expect([after.json, after.headers["etag"] === before.headers["etag"]]).toEqual([redacted, false])
      }
      const deleted = yield* manage(send, "DELETE", `${designs}/a%2Fb`)
      expect([deleted.status, deleted.text]).toEqual([204, ""])
      yield* bodyOf(404, yield* manage(send, "DELETE", `${designs}/a%2Fb`))
      const frozen = yield* bodyOf(409, yield* manage(send, "DELETE", `${designs}/d-1`))
      expect(frozen["message"]).toContain("redact it")
    }),
  )
})
