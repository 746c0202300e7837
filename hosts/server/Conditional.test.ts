/** Tags of the same objects on several hosts: D17. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { embedded } from "../../conformance/testkit/hosts/Embedded.ts"
import {
  memory,
  newDesign,
  newOrder,
  newShop,
  newToken,
  onHosts,
  postgres,
  read,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

/** A shop with two orders, and the addresses of something of every kind in it. */
const prepared = Effect.gen(function* () {
  const { send } = yield* TestHost
  const shop = yield* newShop(send)
  for (const index of [1, 2]) {
    yield* newDesign(send, shop, `d-${index}`)
    yield* newOrder(send, shop, `o-${index}`, [`d-${index}`], `2026-10-05T14:48:0${index}Z`)
  }
  yield* newDesign(send, shop, "draft")
  return { send, shop, paths: ["/orders?limit=1", "/orders/o-1", "/designs/d-1", "/designs/draft", "/customizers/101"] }
})

onHosts("Tags", [memory, embedded, postgres], (it) => {
  it.effect("MUST be the same on every host, for every token of the shop (D17)", () =>
    Effect.gen(function* () {
      const { paths, send, shop } = yield* prepared
      const { other } = yield* TestHost
      const { token } = yield* newToken(send, shop.id)
      for (const path of paths) {
        const { headers } = yield* read(send, shop.token, path)
        const answer = yield* read(other, token, path)
        expect([path, answer.headers["etag"]]).toEqual([path, headers["etag"]])
      }
    }),
  )
})
