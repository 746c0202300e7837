/** Addresses and methods of the management API, known and unknown (hosts/manage/README.md). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { type Json, manage, memory, newShop, onHosts, TestHost } from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("Addresses of the management API", [memory], (it) => {
  it.effect("MUST answer 404 with {message} to unknown addresses", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [method, path] of [
        ...(["", "/", "/nothing", "/shops/"] as const).map((path) => ["GET", path] as const),
        ["GET", `/shops/${shop.id}/nothing`] as const,
        ["PUT", `/shops/${shop.id}/designs/`] as const,
        ["PUT", `/shops/${shop.id}/designs/a/b`] as const,
        ["GET", `/shops/%E0%A4%A`] as const,
        ["GET", `/shops/%`] as const,
      ]) {
        const answer = yield* manage(send, method, path, method === "GET" ? undefined : {})
        expect([method, path, answer.status, answer.json]).toEqual([
          method,
          path,
          404,
          { message: "There is nothing at this address", retryable: false },
        ])
      }
    }),
  )

  it.effect("MUST answer 405 with Allow and {message} to other methods, and change nothing", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const before = yield* store.dump
      const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]
      for (const [path, allow] of [
        ["/shops", "GET, HEAD"],
        [`/shops/${shop.id}`, "GET, HEAD, PUT, DELETE"],
        [`/shops/${shop.id}/customizers/101`, "PUT"],
        [`/shops/${shop.id}/customizers/101/publish`, "POST"],
        [`/shops/${shop.id}/designs`, "GET, HEAD, POST"],
        [`/shops/${shop.id}/designs/d;1`, "PUT, DELETE"],
        [`/shops/${shop.id}/designs/d;1/redact`, "POST"],
        [`/shops/${shop.id}/orders/1/cancel`, "POST, DELETE"],
        [`/shops/${shop.id}/orders/1/redact`, "POST"],
        [`/shops/${shop.id}/tokens`, "GET, HEAD, POST"],
        [`/shops/${shop.id}/tokens/${shop.tokenId}`, "DELETE"],
        [`/shops/${shop.id}/webhooks`, "GET, HEAD, POST"],
        [`/shops/${shop.id}/webhooks/whe_1`, "GET, HEAD, PATCH, DELETE"],
        [`/shops/${shop.id}/webhooks/whe_1/deliveries/dlv_1/redeliver`, "POST"],
      ] as const) {
        const allowed = allow.split(", ")
        for (const method of methods.filter((method) => !allowed.includes(method))) {
          const answer = yield* manage(send, method, path)
          expect([method, path, answer.status, answer.headers["allow"]]).toEqual([method, path, 405, allow])
          if (method === "HEAD") continue
          expect(Object.keys(answer.json as Json)).toEqual(["message", "retryable"])
          for (const name of allowed) expect((answer.json as Json)["message"]).toContain(name)
        }
      }
      expect(yield* store.dump).toBe(before)
    }),
  )

  it.effect("MUST answer HEAD on every GET, without a body", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [path, status] of [
        ["/shops", 200],
        [`/shops/${shop.id}`, 200],
        ["/shops/nobodys", 404],
        [`/shops/${shop.id}/tokens`, 200],
        [`/shops/${shop.id}/webhooks`, 200],
        ["/nothing", 404],
      ] as const) {
        const answer = yield* manage(send, "HEAD", path)
        expect([path, answer.status, answer.text]).toEqual([path, status, ""])
      }
    }),
  )

  it.effect("MUST reveal which addresses and methods exist only to callers with the key", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [method, path] of [
        ["GET", "/nothing"],
        ["GET", "/shops/"],
        ["POST", "/shops"],
        ["PATCH", `/shops/${shop.id}`],
        ["OPTIONS", `/shops/${shop.id}`],
      ] as const) {
        const answer = yield* send(method, `/manage/v1${path}`, { headers: { authorization: `Bearer ${shop.token}` } })
        expect([method, path, answer.status, Object.keys(answer.json as Json)]).toEqual([
          method,
          path,
          401,
          ["message", "retryable"],
        ])
        expect(answer.headers["www-authenticate"]).toBe("Bearer")
        expect(answer.headers["allow"]).toBeUndefined()
      }
    }),
  )
})
