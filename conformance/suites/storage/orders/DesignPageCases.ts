import { Effect } from "effect"
import type { DesignRecord } from "../../../../core/model/Design.ts"
import { compareIds } from "../../../../core/model/Ids.ts"
import type { Instant } from "../../../../core/model/Instant.ts"
import type { DesignPosition, StoredDesigns } from "../../../../core/model/Page.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import {
  hostileIds,
  makeDesign,
  makeOrder,
  makeOrdered,
  newShop,
  someTime,
  unique,
  wholeDesigns,
} from "../support/Fixtures.ts"

const bothHosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

const oldestFirst = (left: DesignPosition, right: DesignPosition) =>
  left.createdAt - right.createdAt || compareIds(left.id, right.id)

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

const wires = (designs: ReadonlyArray<DesignRecord>) => designs.map(({ wire }) => wire)

/** Stores drafts, and returns them in the order of their making. */
const storeDrafts = Effect.fnUntraced(function* (designs: ReadonlyArray<DesignRecord>) {
  const shop = designs[0]?.shop ?? ""
  yield* (yield* OrderStore).commit({ shop, designs, order: null, events: [] })
  return designs.toSorted(oldestFirst)
})

/** More pages than any walk of these cases has. */
const mostPages = 100

/** All designs, read in pages. */
const walk = Effect.fnUntraced(function* (
  store: OrderStore["Service"],
  query: {
    readonly shop: string
    readonly limit?: number
    readonly bytes?: number
    readonly createdFrom?: Instant | null
  },
) {
  const pages: Array<ReadonlyArray<string>> = []
  let after: DesignPosition | null = null
  do {
    const page: StoredDesigns = yield* store.readDesigns({ ...wholeDesigns, ...query, after })
    pages.push(page.designs)
    after = page.next
    // A walk that never ends has a page too many.
  } while (after !== null && pages.length <= mostPages)
  return pages
})

/** The contract of `OrderStore.readDesigns`. */
export const designPageCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.designs.order",
    title: "MUST page through all designs of the shop, the oldest first and then by id, each once and to the byte",
    requirements: ["D75"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const [shop, other] = [yield* newShop, yield* newShop]
      yield* storeDrafts([makeDesign(other, "a"), makeDesign(other, unique())])
      yield* equal("of no shop", yield* store.readDesigns({ ...wholeDesigns, shop: yield* newShop }), {
        designs: [],
        next: null,
      })
      const drafts = yield* storeDrafts(
        hostileIds.map((id, index) =>
          makeDesign(shop, id, {
            createdAt: someTime + ((index * 7) % 3),
            wire: JSON.stringify({ id, mark: `${unique()} \u00e9\u{1f600}` }),
          }),
        ),
      )
      const order = makeOrder(shop, unique())
      const ordered = [makeOrdered(order, unique(), 0, { createdAt: someTime - 5 })]
      yield* store.commit({ shop, designs: ordered, order, events: [] })
      const all = wires([...ordered, ...drafts])
      for (const host of [store, otherStore]) {
        for (const limit of [1, 3, all.length - 1, all.length, 100]) {
          const pages = yield* walk(host, { shop, limit })
          yield* equal(`limit ${limit}`, pages.flat(), all)
          yield* equal(`limit ${limit}: pages`, pages.length, Math.ceil(all.length / limit))
        }
      }
    }),
  },
  {
    id: "resources.designs.since",
    title: "MUST leave out designs that were made before the given instant, and no other",
    requirements: ["D75"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const drafts = yield* storeDrafts(
        [0, 0, 1, 2, 2, 3].map((offset) => makeDesign(shop, unique(), { createdAt: someTime + offset })),
      )
      for (const host of [store, otherStore]) {
        for (const from of [-1, 0, 1, 2, 3, 4]) {
          const since = someTime + from
          const kept = wires(drafts.filter(({ createdAt }) => createdAt >= since))
          for (const limit of [2, 100]) {
            yield* equal(`since ${from}`, (yield* walk(host, { shop, limit, createdFrom: since })).flat(), kept)
          }
        }
      }
    }),
  },
  {
    id: "resources.designs.bytes",
    title:
      "MUST end a page of designs before the one that would exceed the given bytes of UTF-8, but not before the first",
    requirements: ["D75", "D46"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const texts = ["a", "\u00e9".repeat(50), "b", "\u{1f600}".repeat(40), "\u20ac", "d".repeat(300)]
      const drafts = yield* storeDrafts(
        texts.map((wire, index) => makeDesign(shop, unique(), { createdAt: someTime + index, wire })),
      )
      const all = wires(drafts)
      const sums = all.map((_, index) => sizeOf(all.slice(0, index + 1).join("")))
      const budgets = [1, ...sums.flatMap((sum) => [sum - 1, sum, sum + 1]).filter((bytes) => bytes > 0)]
      for (const host of [store, otherStore]) {
        for (const bytes of budgets) {
          const fitting = Math.max(1, sums.filter((sum) => sum <= bytes).length)
          for (const limit of [100, 3]) {
            const shown = Math.min(limit, fitting)
            const page = yield* host.readDesigns({ ...wholeDesigns, shop, limit, bytes })
            yield* equal(`${bytes} bytes, limit ${limit}`, page.designs, all.slice(0, shown))
            yield* equal(`${bytes} bytes, limit ${limit}: whether more follow`, page.next !== null, shown < all.length)
          }
          yield* equal(`${bytes} bytes: all`, (yield* walk(host, { shop, bytes })).flat(), all)
        }
      }
    }),
  },
])
