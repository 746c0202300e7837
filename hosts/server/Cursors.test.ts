/** The cursors that a host opens: its own, and cursors made with an older key (D14). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import {
  type Answer,
  bodyOf,
  inProcess,
  type Json,
  memory,
  newDesign,
  newOrder,
  newShop,
  read,
  type Send,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"

const pagination = (page: Json) => page["pagination"] as Json
const ids = (page: Json) => (page["data"] as ReadonlyArray<Json>).map((order) => order["id"])

/** Orders o-0 (oldest) to o-(n-1) (newest), a minute apart. */
const someOrders = Effect.fnUntraced(function* (send: Send, shop: TestShop, count: number) {
  for (let index = 0; index < count; index++) {
    yield* newDesign(send, shop, `d-${index}`)
    yield* newOrder(send, shop, `o-${index}`, [`d-${index}`], new Date(Date.UTC(2026, 9, 5, 14, index)).toISOString())
  }
})

/** A refusal that says in our own words what a cursor must be. */
const expectRefused = (answer: Answer) => {
  expect(answer.status).toBe(400)
  expect((answer.json as Json)["message"]).toMatch(/^cursor must be ./)
}

describe("The keys of cursors", () => {
  const key = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))

  it.effect("MUST still open cursors made with an older key of the ring, and none made with another key (D14)", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const before = yield* inProcess(ports, { keyRing: { keys: [key(1)] } })
      const rotated = yield* inProcess(ports, { keyRing: { keys: [key(2), key(1)] } })
      const foreign = yield* inProcess(ports, { keyRing: { keys: [key(2)] } })
      const shop = yield* newShop(before)
      yield* someOrders(before, shop, 2)
      const page = yield* bodyOf(200, yield* read(before, shop.token, "/orders?limit=1"))
      const query = `/orders?cursor=${pagination(page)["nextCursor"]}`
      expect(ids(yield* bodyOf(200, yield* read(rotated, shop.token, query)))).toEqual(["o-0"])
      expectRefused(yield* read(foreign, shop.token, query))
      const newest = yield* bodyOf(200, yield* read(rotated, shop.token, "/orders?limit=1"))
      expect((yield* read(foreign, shop.token, `/orders?cursor=${pagination(newest)["nextCursor"]}`)).status).toBe(200)
    }),
  )
})
