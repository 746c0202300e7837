/** Conditional requests (D17). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inProcess, memory, newShop, read } from "../../conformance/testkit/hosts/TestHost.ts"

describe("A request with If-None-Match", () => {
  it.effect("MUST be answered with 304 for the tag in every form, and otherwise in full", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const send = yield* inProcess(ports)
      const shop = yield* newShop(send)
      const path = "/customizers/101"
      const { headers, text } = yield* read(send, shop.token, path)
      const etag = headers["etag"] ?? ""
      expect([headers["cache-control"], headers["vary"]]).toEqual([
        "private, no-cache",
        "Authorization, Accept-Encoding",
      ])
      for (const match of [etag, `W/${etag}`, `"x", ${etag}`, "*", ` ${etag}`]) {
        const answer = yield* read(send, shop.token, path, { "if-none-match": match })
        expect([match, answer.status, answer.text]).toEqual([match, 304, ""])
        expect(answer.headers["cache-control"]).toBe("private, no-cache")
      }
      for (const match of ['"x"', etag.slice(1, -1), 'W/"x"', '"*"']) {
        const answer = yield* read(send, shop.token, path, { "if-none-match": match })
        expect([match, answer.status, answer.text]).toEqual([match, 200, text])
      }
    }),
  )
})
