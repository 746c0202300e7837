/** A page's cursor and its tag (§2.4, D14, D17). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { listOrders } from "./ReadOrders.ts"

/** A shop with an order on each of five days. */
const prepared = Effect.gen(function* () {
  const world = yield* makeWorld()
  for (const day of ["1", "2", "3", "4", "5"]) yield* world.order(day, [`d-${day}`], `2026-10-0${day}T00:00:00Z`)
  const list = (input: Parameters<typeof listOrders>[1], shop = world.shop) => world.run(listOrders(shop, input))
  const idsOf = ({ page }: Effect.Success<ReturnType<typeof list>>) => page.value.data.map(({ id }) => id)
  return { world, list, idsOf }
})

describe("A cursor (D14)", () => {
  it.effect("MUST carry its filter, so that orderedAfter can be left out with it", () =>
    Effect.gen(function* () {
      const { idsOf, list } = yield* prepared
      const first = yield* list({ limit: 2, orderedAfter: "2026-10-02" })
      expect(idsOf(first)).toEqual(["5", "4"])
      for (const orderedAfter of [undefined, "2026-10-02", "2026-10-02T02:00:00+02:00"]) {
        const second = yield* list({ limit: 3, orderedAfter, cursor: first.nextCursor ?? "" })
        expect(idsOf(second)).toEqual(["3", "2"])
        expect(second.page.value.pagination).toEqual({ total: 4, limit: 3, nextCursor: null })
      }
    }),
  )

  it.effect("MUST be refused with another orderedAfter than its own", () =>
    Effect.gen(function* () {
      const { list } = yield* prepared
      const cursors = [
        (yield* list({ limit: 1, orderedAfter: "2026-10-02" })).nextCursor ?? "",
        (yield* list({ limit: 1 })).nextCursor ?? "",
      ]
      for (const cursor of cursors) {
        expect(yield* Effect.flip(list({ orderedAfter: "2026-10-03", cursor }))).toMatchObject({
          _tag: "InvalidInput",
          problems: [{ path: "cursor" }],
        })
      }
    }),
  )

  it.effect("MUST be refused in another shop, even with the same orders", () =>
    Effect.gen(function* () {
      const { list, world } = yield* prepared
      const other = yield* makeWorld({ ports: world.ports })
      for (const day of ["1", "2"]) yield* other.order(day, [`d-${day}`], `2026-10-0${day}T00:00:00Z`)
      const { nextCursor } = yield* list({ limit: 1 })
      expect((yield* Effect.flip(list({ cursor: nextCursor ?? "" }, other.shop)))._tag).toBe("InvalidInput")
    }),
  )
})

describe("A page of orders", () => {
  it.effect("MUST have another tag when an order on it changes and all else stays (D17)", () =>
    Effect.gen(function* () {
      const { list, world } = yield* prepared
      const before = (yield* list({ limit: 2 })).page
      yield* world.cancel("1")
      expect((yield* list({ limit: 2 })).page.etag).toBe(before.etag)
      yield* world.cancel("4")
      const after = (yield* list({ limit: 2 })).page
      expect(after.value.pagination).toEqual(before.value.pagination)
      expect(after.etag).not.toBe(before.etag)
    }),
  )
})
