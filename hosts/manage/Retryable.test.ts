/** `retryable` in errors of the management API: whether the same request may succeed later (D89). */
import { expect } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import {
  bodyOf,
  inProcess,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"

onHosts("An error of the management API", [memory], (it) => {
  it.effect("MUST say that it is final if the request does not fit: its form, its address, the state (D89)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const at = `/shops/${shop.id}`
      yield* newDesign(send, shop, "d-1")
      yield* newOrder(send, shop, "1", ["d-1"])
      const renamed = { name: "#2", orderedAt: "2026-10-05T14:48:00Z", lines: [{ designId: "d-1", lineItemId: "1" }] }
      for (const [status, method, path, body] of [
        [400, "POST", `${at}/tokens`, { name: "" }],
        [404, "GET", "/shops/nope"],
        [404, "GET", "/nothing"],
        [405, "POST", "/shops"],
        [409, "PUT", `${at}/orders/1`, renamed],
        [409, "PUT", `${at}/designs/d-1`, { ...ringInput, basePrice: 1 }],
        [422, "POST", `${at}/tokens`, { name: "ERP", color: "red" }],
      ] as const) {
        const answer = yield* bodyOf(status, yield* manage(send, method, path, body))
        expect([path, answer]).toEqual([path, expect.objectContaining({ retryable: false })])
      }
      const wrongKey = yield* send("GET", "/manage/v1/shops", { headers: { authorization: "Bearer wrong" } })
      expect(yield* bodyOf(401, wrongKey)).toMatchObject({ retryable: false })
    }),
  )

  it.effect("MUST say that it may pass while the store is away, and the next request MUST be answered (D89)", () =>
    Effect.gen(function* () {
      const { ports } = yield* TestHost
      const tokens = Context.get(ports, TokenStore)
      let isDown = true
      const down = new StorageError({ message: "down", cause: undefined, isRetryable: true })
      const list: typeof tokens.list = (shop) => (isDown ? Effect.fail(down) : tokens.list(shop))
      const send = yield* inProcess(Layer.succeedContext(Context.add(ports, TokenStore, { ...tokens, list })))
      const { id } = yield* newShop(send)
      const listed = manage(send, "GET", `/shops/${id}/tokens`)
      const away = yield* listed
      expect(yield* bodyOf(503, away)).toMatchObject({ retryable: true })
      expect(away.headers["retry-after"]).toBe("1")
      isDown = false
      expect(yield* bodyOf(200, yield* listed)).toHaveProperty("data")
    }),
  )
})
