/** Searches for orders (D69). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { Position } from "../../model/Page.ts"
import { placeOrder } from "./PlaceOrder.ts"
import { searchOrders } from "./SearchOrders.ts"

const everything = { exact: false, status: null, from: null, until: null, after: null, limit: 100, designs: 1 }

/** A shop with orders of these ids and names, each a day after the one before. */
const shopWith = Effect.fnUntraced(function* (orders: ReadonlyArray<readonly [id: string, name: string]>) {
  const world = yield* makeWorld()
  const { run, save, shop } = world
  for (const [index, [id, name]] of orders.entries()) {
    yield* save(`design of ${id}`)
    const orderedAt = `2026-10-${String(index + 1).padStart(2, "0")}T12:00:00Z`
    yield* run(placeOrder(shop, id, { name, orderedAt, lines: [{ designId: `design of ${id}`, lineItemId: "1" }] }))
  }
  const page = (text: string, others: Partial<Parameters<typeof searchOrders>[0]> = {}) =>
    run(searchOrders({ shop, ...everything, ...others, text }))
  const ids = (text: string, others?: Parameters<typeof page>[1]) =>
    Effect.map(page(text, others), ({ orders }) => orders.map(({ order }) => order.id))
  return { page, ids }
})

it.effect("A number MUST find the orders whose name is or begins with the number behind #, too (D69)", () =>
  Effect.gen(function* () {
    const { ids } = yield* shopWith([
      ["a", "#1027"],
      ["1027", "#9"],
      ["b", "#102"],
      ["c", "#10270"],
      ["10271", "#1027"],
      ["d", "1027"],
    ])
    expect(yield* ids("1027")).toEqual(["d", "10271", "c", "1027", "a"])
    expect(yield* ids(" 1027 ", { exact: true })).toEqual(["d", "10271", "1027", "a"])
    expect(yield* ids("#1027")).toEqual(["10271", "c", "a"])
    expect(yield* ids("#")).toEqual(["10271", "c", "b", "1027", "a"])
    expect(yield* ids("d")).toEqual(["d"])
    expect(yield* ids("9".repeat(255))).toEqual([])
    expect(yield* ids("9".repeat(256))).toEqual([])
  }),
)

it.effect("A sentence, a URL or capitals MUST find the orders that they name (D69)", () =>
  Effect.gen(function* () {
    const { ids } = yield* shopWith([
      ["a", "#1027"],
      ["5001", "#9"],
      ["ord-77", "R1"],
    ])
    expect(yield* ids("Where is order 1027?")).toEqual(["a"])
    expect(yield* ids("https://admin.example.com/orders/5001?x=1")).toEqual(["5001"])
    expect(yield* ids("ORD-77")).toEqual(["ord-77"])
    expect(yield* ids("no order at all")).toEqual([])
  }),
)

it.effect("Pages of a number MUST have each order once, newest first (D69)", () =>
  Effect.gen(function* () {
    const { page } = yield* shopWith(
      Array.from({ length: 15 }, (_, index) => {
        // Found by its id, by its name, or by both.
        const [byId, byName] = [index % 3 !== 0, index % 3 !== 1]
        return [`${byId ? "7" : "x"}-${index}`, `#${byName ? "7" : "8"}${index}`] as const
      }),
    )
    for (const limit of [1, 2, 4, 14, 15, 16]) {
      const found: Array<string> = []
      let after: Position | null = null
      do {
        const { next, orders }: Effect.Success<ReturnType<typeof page>> = yield* page("7", { limit, after })
        expect(orders.length).toBeGreaterThan(0)
        found.push(...orders.map(({ order }) => order.id.replace(/^.*-/, "")))
        after = next
      } while (after !== null)
      expect([limit, found]).toEqual([limit, Array.from({ length: 15 }, (_, index) => `${14 - index}`)])
    }
  }),
)
