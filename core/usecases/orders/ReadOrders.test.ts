import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { keyOf, makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import * as Cursor from "../../rules/Cursor.ts"
import { listOrders } from "./ReadOrders.ts"

/**
 * A shop with three orders, the cursor of their first page, and a function that follows a cursor with a ring of keys.
 */
const makePages = Effect.gen(function* () {
  const world = yield* makeWorld({ keyRing: { keys: [keyOf(1)] } })
  for (const day of ["1", "2", "3"]) yield* world.order(day, [`d-${day}`], `2026-10-0${day}T00:00:00Z`)
  const { nextCursor } = yield* world.run(listOrders(world.shop, { limit: 1 }))
  const follow = Effect.fnUntraced(function* (cursor: string, first: number, ...rest: ReadonlyArray<number>) {
    const { run } = yield* world.another({ keyRing: { keys: [keyOf(first), ...rest.map(keyOf)] } })
    const { page } = yield* run(listOrders(world.shop, { limit: 1, cursor }))
    return page.value.data.map(({ id }) => id)
  })
  return { shop: world.shop, cursor: nextCursor ?? "", follow }
})

describe("The cursor of a page (D14)", () => {
  it.effect("MUST be readable with every key of the ring and no other", () =>
    Effect.gen(function* () {
      const { cursor, follow } = yield* makePages
      expect(yield* follow(cursor, 1)).toEqual(["2"])
      expect(yield* follow(cursor, 2, 1)).toEqual(["2"])
      expect((yield* Effect.flip(follow(cursor, 2)))._tag).toBe("InvalidInput")
    }),
  )

  it.effect("MUST be made with a key that is derived for cursors, not with a key of the ring itself", () =>
    Effect.gen(function* () {
      const { cursor, follow, shop } = yield* makePages
      expect(cursor).toMatch(/^2\./)
      const payload = Cursor.split(cursor)?.payload ?? ""
      const mac = createHmac("sha256", Redacted.value(keyOf(1))).update(Cursor.signed(shop, payload))
      const forged = `2.${payload}.${mac.digest("base64url")}`
      expect((yield* Effect.flip(follow(forged, 1)))._tag).toBe("InvalidInput")
    }),
  )
})
