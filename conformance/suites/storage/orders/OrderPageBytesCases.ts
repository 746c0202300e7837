import { Effect } from "effect"
import type { Instant } from "../../../../core/model/Instant.ts"
import type { Position } from "../../../../core/model/Page.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, holds } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { makeOrder, makeOrdered, newShop, someTime, unique, wholePage } from "../support/Fixtures.ts"

const bothHosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

/** Commits an order with designs of these texts. */
const placeTexts = Effect.fnUntraced(function* (shop: string, id: string, at: Instant, texts: ReadonlyArray<string>) {
  const order = makeOrder(shop, id, { orderedAt: at })
  const designs = texts.map((wire, position) => makeOrdered(order, unique(), position, { wire }))
  yield* (yield* OrderStore).commit({ shop, designs, order, events: [] })
})

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

/** The contract of `OrderStore.readOrders` for the bytes of a page. */
export const orderPageBytesCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.page.bytes",
    title: "MUST end a page before the order that would exceed the given bytes of UTF-8, and continue from there",
    requirements: ["D14", "D46"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      // Orders with zero, one and more designs; characters of one to four bytes.
      const texts = [
        ["a"],
        [],
        ["\u00e9".repeat(50)],
        ["b", "c", "\u{1f600}".repeat(40)],
        ["\u20ac"],
        ["d".repeat(300)],
      ]
      for (const [index, designs] of texts.entries()) {
        yield* placeTexts(shop, `${index}`, someTime - Math.floor(index / 2), designs)
      }
      const all = (yield* store.readOrders({ shop, ...wholePage })).orders.map(({ wire }) => wire)
      yield* equal("orders", all.length, texts.length)
      const sums = all.map((_, index) => sizeOf(all.slice(0, index + 1).join("")))
      const budgets = [1, ...sums.flatMap((sum) => [sum - 1, sum, sum + 1])]
      for (const host of [store, otherStore]) {
        for (const bytes of budgets) {
          // At least one, then as many as fit.
          const fitting = Math.max(1, sums.filter((sum) => sum <= bytes).length)
          for (const limit of [100, 3]) {
            const shown = Math.min(limit, fitting)
            const page = yield* host.readOrders({ shop, ...wholePage, limit, bytes })
            const what = `${bytes} bytes, limit ${limit}`
            yield* equal(
              what,
              page.orders.map(({ wire }) => wire),
              all.slice(0, shown),
            )
            yield* equal(`${what}: total`, page.total, all.length)
            yield* equal(`${what}: whether more follow`, page.next !== null, shown < all.length)
          }
        }
      }
    }),
  },
  {
    id: "resources.page.bytes.walk",
    title: "MUST show each order once on pages of any size in bytes, one by one if no page has room for two",
    requirements: ["D14", "D46"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      for (let index = 0; index < 12; index++) {
        yield* placeTexts(shop, `${index}`, someTime - (index % 4), ["x".repeat(97 * ((index * 5) % 12))])
      }
      const all = (yield* store.readOrders({ shop, ...wholePage })).orders
      for (const bytes of [1, 500, 1_000, 2_000, 4_000]) {
        const seen: Array<string> = []
        let after: Position | null = null
        do {
          const page: { readonly orders: typeof all; readonly next: Position | null } = yield* store.readOrders({
            shop,
            ...wholePage,
            orderedAfter: someTime - 2,
            bytes,
            after,
          })
          yield* holds("there is an order on the page", page.orders.length > 0)
          const size = sizeOf(page.orders.map(({ wire }) => wire).join(""))
          yield* holds(
            `a page of ${page.orders.length} orders has ${size} bytes`,
            size <= bytes || page.orders.length === 1,
          )
          seen.push(...page.orders.map(({ etag }) => etag))
          after = page.next
        } while (after !== null)
        const matching = all.slice(0, 9).map(({ etag }) => etag)
        yield* equal(`${bytes} bytes`, seen, matching)
      }
    }),
  },
  {
    id: "resources.page.bytes.large",
    title: "MUST return an order that alone exceeds the bytes of a page",
    requirements: ["D46"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const large = Array.from({ length: 9 }, () => unique(250_000))
      yield* placeTexts(shop, "large", someTime, large)
      yield* placeTexts(shop, "small", someTime - 1, ["x"])
      const page = yield* store.readOrders({ shop, ...wholePage, bytes: 1_000_000 })
      yield* equal("orders", page.orders.length, 1)
      yield* equal("how it ends", page.orders[0]?.wire.endsWith(`${large.join(",")}]}`), true)
      yield* equal("next", page.next, { orderedAt: someTime, id: "large" })
    }),
  },
])
