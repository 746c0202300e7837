import { Effect } from "effect"
import { compareIds } from "../../../../core/model/Ids.ts"
import { type DesignsPage, OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { hostileIds, makeDesign, makeOrder, makeOrdered, newShop, someTime } from "../support/Fixtures.ts"
import { turnOf } from "../support/Webhooks.ts"

const bothHosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

const whole = { limit: 100, bytes: 64 * 1024 * 1024, after: null, createdFrom: null } as const

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

/** The contract of `OrderStore.readDesigns`. */
export const designPageCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.designs",
    title: "MUST return a shop's designs by id, drafts and ordered ones, page by page, on both hosts",
    requirements: ["D75"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [shop, other] = [yield* newShop, yield* newShop]
      const order = makeOrder(shop, "1001")
      const drafts = hostileIds.map((id) => makeDesign(shop, id))
      const ordered = ["a", "b", "zz"].map((id, position) => makeOrdered(order, `ordered ${id}`, position))
      yield* both[0].commit({ shop, designs: [...drafts, ...ordered], order, events: [] })
      yield* both[0].commit({ shop: other, designs: [makeDesign(other, "another's")], order: null, events: [] })
      const expected = [...drafts, ...ordered]
        .map(({ id, wire }) => ({ id, wire }))
        .sort((left, right) => compareIds(left.id, right.id))
      yield* equal("all", yield* both[1].readDesigns({ shop, ...whole }), { designs: expected, next: null })
      for (const limit of [1, 2, expected.length - 1, expected.length]) {
        const found: Array<DesignsPage["designs"][number]> = []
        let after: string | null = null
        for (let page = 0; page === 0 || after !== null; page++) {
          const read: DesignsPage = yield* turnOf(both, page).readDesigns({ shop, ...whole, limit, after })
          found.push(...read.designs)
          after = read.next
        }
        yield* equal(`by ${limit}`, found, expected)
      }
      const empty = yield* newShop
      yield* equal("none", yield* both[0].readDesigns({ shop: empty, ...whole }), { designs: [], next: null })
    }),
  },
  {
    id: "resources.designs.created",
    title: "MUST leave out designs that were created before a given time",
    requirements: ["D75"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const designs = [-1, 0, 1].map((time) => makeDesign(shop, `d${time + 1}`, { createdAt: someTime + time }))
      yield* store.commit({ shop, designs, order: null, events: [] })
      for (const [time, expected] of [["d0", "d1", "d2"], ["d1", "d2"], ["d2"], []].entries()) {
        const from = someTime - 1 + time
        const page = yield* otherStore.readDesigns({ shop, ...whole, createdFrom: from })
        yield* equal(
          `from ${from - someTime}`,
          page.designs.map(({ id }) => id),
          expected,
        )
      }
    }),
  },
  {
    id: "resources.designs.bytes",
    title: "MUST end a page before the design that would exceed the given bytes of UTF-8, and continue from there",
    requirements: ["D46", "D75"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const texts = ["a", "\u00e9".repeat(50), "\u{1f600}".repeat(40), "\u20ac", "d".repeat(300)]
      const designs = texts.map((wire, index) => makeDesign(shop, `d${index}`, { wire }))
      yield* store.commit({ shop, designs, order: null, events: [] })
      const sums = texts.map((_, index) => sizeOf(texts.slice(0, index + 1).join("")))
      for (const bytes of [1, ...sums.flatMap((sum) => [sum - 1, sum, sum + 1])]) {
        const fitting = Math.max(1, sums.filter((sum) => sum <= bytes).length)
        for (const limit of [100, 3]) {
          const shown = Math.min(limit, fitting)
          const page = yield* otherStore.readDesigns({ shop, ...whole, limit, bytes })
          yield* equal(`${bytes} bytes, limit ${limit}`, page, {
            designs: designs.slice(0, shown).map(({ id, wire }) => ({ id, wire })),
            next: shown === designs.length ? null : `d${shown - 1}`,
          })
        }
      }
    }),
  },
])
