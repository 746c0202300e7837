/** Pages of orders (§2.4, §4, D12 to D14, D46). */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { maximumPage } from "../../model/Page.ts"
import type { OrdersInput } from "../../model/queries/Inputs.ts"
import { ordersQuery } from "../../model/queries/Queries.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { listOrders } from "./ReadOrders.ts"

/** A shop with orders on three days. */
const prepared = Effect.gen(function* () {
  const world = yield* makeWorld()
  const placed = [
    yield* world.order("1", ["d-1"], "2026-10-01T00:00:00Z"),
    yield* world.order("2", ["d-2"], "2026-10-02T00:00:00Z"),
    yield* world.order("3", ["d-3"], "2026-10-03T00:00:00Z"),
  ].map((order) => order?.text ?? "")
  const list = (input?: OrdersInput, shop = world.shop) => world.run(listOrders(shop, input))
  return { ...world, placed, list }
})

describe("A page of orders", () => {
  it.effect("MUST have the orders to the byte, newest first, with the total and the next cursor", () =>
    Effect.gen(function* () {
      const { list, placed } = yield* prepared
      const [first, second, third] = placed
      const all = yield* list()
      expect(all.nextCursor).toBeNull()
      expect(all.page.text).toBe(
        `{"data":[${third},${second},${first}],"pagination":{"total":3,"limit":25,"nextCursor":null}}`,
      )
      const { nextCursor, page } = yield* list({ limit: 2 })
      expect(page.text).toBe(
        `{"data":[${third},${second}],"pagination":{"total":3,"limit":2,"nextCursor":${JSON.stringify(nextCursor)}}}`,
      )
      const last = yield* list({ limit: 2, cursor: nextCursor ?? "" })
      expect(last.page.text).toBe(`{"data":[${first}],"pagination":{"total":3,"limit":2,"nextCursor":null}}`)
      expect((yield* list({}, "nobodys")).page.text).toBe(
        '{"data":[],"pagination":{"total":0,"limit":25,"nextCursor":null}}',
      )
    }),
  )

  it.effect("MUST have another tag for other orders, another state of an order, another cursor or total (D17)", () =>
    Effect.gen(function* () {
      const { cancel, list, order } = yield* prepared
      const tag = (input?: OrdersInput) => Effect.map(list(input), ({ page }) => page.etag)
      const before = yield* tag()
      expect(yield* tag()).toBe(before)
      const first = yield* tag({ limit: 1 })
      const tags = [before, first, yield* tag({ limit: 2 }), yield* tag({ limit: 3 })]
      yield* order("0", ["d-0"], "2026-09-30T00:00:00Z")
      tags.push(yield* tag({ limit: 3 }))
      yield* cancel("2")
      tags.push(yield* tag({ limit: 3 }), yield* tag())
      expect(new Set(tags).size).toBe(tags.length)
    }),
  )

  it.effect("MUST carry the filter in its cursor, and refuse the cursor with another filter (D13, D14)", () =>
    Effect.gen(function* () {
      const { list } = yield* prepared
      const [orderedAfter, other] = ["2026-10-02", "2026-10-01"]
      const ids = ({ page }: Effect.Success<ReturnType<typeof list>>) => [
        page.value.pagination.total,
        ...page.value.data.map(({ id }) => id),
      ]
      const filtered = yield* list({ limit: 1, orderedAfter })
      const cursor = filtered.nextCursor ?? ""
      expect(ids(filtered)).toEqual([2, "3"])
      expect(ids(yield* list({ limit: 1, cursor }))).toEqual([2, "2"])
      expect(ids(yield* list({ limit: 1, cursor, orderedAfter }))).toEqual([2, "2"])
      const unfiltered = (yield* list({ limit: 1 })).nextCursor ?? ""
      for (const input of [
        { cursor, orderedAfter: other },
        { cursor: unfiltered, orderedAfter },
      ]) {
        const message = `cursor must be ${ordersQuery.cursor.form}`
        expect(yield* Effect.flip(list(input))).toMatchObject({
          _tag: "InvalidInput",
          message,
          problems: [{ path: "cursor", message }],
        })
      }
    }),
  )

  it.effect("MUST refuse a foreign, an altered and a malformed cursor, and name the parameter", () =>
    Effect.gen(function* () {
      const { list, ports } = yield* prepared
      const other = yield* makeWorld({ ports })
      const cursor = (yield* list({ limit: 1 })).nextCursor ?? ""
      const [version, payload, mac] = cursor.split(".")
      for (const refused of [
        list({ cursor: "no" }),
        list({ cursor: `${version}.${payload}A.${mac}` }),
        list({ cursor }, other.shop),
        list({ limit: 0 }),
      ]) {
        expect((yield* Effect.flip(refused))._tag).toBe("InvalidInput")
      }
    }),
  )

  it.effect("MUST ask the store for few enough bytes to leave room for the rest of the body (D46)", () =>
    Effect.gen(function* () {
      const { ports, run, shop } = yield* prepared
      const asked: Array<unknown> = []
      const orders = Context.get(ports, OrderStore)
      const seen = OrderStore.of({
        ...orders,
        readOrders: (query) =>
          Effect.andThen(
            Effect.sync(() => asked.push(query)),
            orders.readOrders(query),
          ),
      })
      yield* run(Effect.provideService(listOrders(shop, { limit: 1 }), OrderStore, seen))
      expect(asked).toEqual([{ shop, limit: 1, bytes: maximumPage - 4096, after: null, orderedAfter: null }])
    }),
  )
})
