import { Effect, Option } from "effect"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, none, some } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import {
  cancelled,
  changed,
  day,
  makeDesign,
  makeOrder,
  makeOrdered,
  newShop,
  place,
  someTime,
} from "../support/Fixtures.ts"

const bothHosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

/** The contract of `OrderStore.latestOrderedDesign`. */
export const latestDesignCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.latest.none",
    title: "MUST return none for a shop without ordered designs: no designs, drafts, cancelled ones, another shop's",
    requirements: ["D30"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const nothing = Effect.fnUntraced(function* (what: string) {
        for (const host of [store, otherStore]) yield* none(what, yield* host.latestOrderedDesign(shop))
      })
      yield* nothing("an empty shop")
      yield* place(yield* newShop, "1001", someTime)
      yield* nothing("another shop's order")
      yield* store.commit({ shop, designs: [makeDesign(shop, "draft")], order: null, events: [] })
      yield* nothing("a draft")
      const order = makeOrder(shop, "1001")
      const design = makeOrdered(order, "gone", 0)
      yield* store.commit({ shop, designs: [design], order, events: [] })
      const cancelledDesign = changed(design, { status: "cancelled" })
      yield* store.commit({ shop, designs: [cancelledDesign], order: cancelled(order), events: [] })
      yield* nothing("a cancelled order")
      yield* store.commit({ shop, designs: [], order: makeOrder(shop, "empty"), events: [] })
      yield* nothing("an order without designs")
    }),
  },
  {
    id: "resources.latest.newest",
    title: "MUST return the ordered design with the newest orderedAt, to the millisecond, without cancelled ones",
    requirements: ["D30"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const placed = yield* Effect.forEach([0, day, -1, day + 1, 5], (later, index) =>
        Effect.gen(function* () {
          // The design's own age and id do not matter.
          const order = makeOrder(shop, `${100 - index}`, { orderedAt: someTime + later })
          const design = makeOrdered(order, `${index}`, 0, { createdAt: someTime - later })
          yield* store.commit({ shop, designs: [design], order, events: [] })
          return { order, design }
        }),
      )
      const newestFirst = placed.toSorted((left, right) => right.order.orderedAt - left.order.orderedAt)
      for (const { design, order } of newestFirst) {
        for (const host of [store, otherStore]) {
          yield* equal("the latest", yield* host.latestOrderedDesign(shop), Option.some(design.wire))
        }
        const gone = changed(design, { status: "cancelled" })
        yield* store.commit({ shop, designs: [gone], order: cancelled(order), events: [] })
      }
      yield* none("when all are cancelled", yield* store.latestOrderedDesign(shop))
    }),
  },
  {
    id: "resources.latest.ties",
    title: "MUST return, of one instant, the first design of the order with the highest id by code point",
    requirements: ["D14", "D30"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      for (const id of ["b", "\ufffd", "\u{1f600}", "a", "Z"]) {
        const order = makeOrder(shop, id)
        const designs = Array.from({ length: 12 }, (_, at) => makeOrdered(order, `${id} ${(at * 5) % 12}`, at))
        yield* store.commit({ shop, designs: designs.toReversed(), order, events: [] })
      }
      for (const id of ["\u{1f600}", "\ufffd", "b", "a", "Z"]) {
        const { order, designs } = yield* some("the order", yield* store.order(shop, id))
        for (const host of [store, otherStore]) {
          const latest = yield* some("the latest", yield* host.latestOrderedDesign(shop))
          yield* equal("the latest", latest, designs[0]?.wire ?? "")
        }
        const [first, ...rest] = designs.map((design) => changed(design, { status: "cancelled" }))
        yield* store.commit({ shop, designs: first === undefined ? [] : [first], order: null, events: [] })
        const next = yield* some("the latest without the first", yield* store.latestOrderedDesign(shop))
        yield* equal("the latest without the first", next, designs[1]?.wire ?? "")
        yield* store.commit({ shop, designs: rest, order: cancelled(order), events: [] })
      }
    }),
  },
])
