import { Effect, Option } from "effect"
import { type NewOrder, OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, failsWith, none } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import {
  changed,
  day,
  makeDesign,
  makeOrder,
  makeOrdered,
  newShop,
  someTime,
  unique,
  wholePage,
} from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import { bothHosts, given } from "./CommitCases.ts"

/** A new order with a new design. */
const placing = (shop: string, id: string): NewOrder => {
  const order = makeOrder(shop, id, { orderedAt: someTime + id.length })
  return { order, designs: [makeOrdered(order, `design of ${id}`, 0)], events: [] }
}

/** The contract of `OrderStore.commitOrders`. */
export const commitOrdersCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.orders.together",
    title: "MUST store new orders with their designs, new and changed, and count each",
    requirements: ["D75", "D6"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const draft = makeDesign(shop, unique())
      yield* store.commit({ shop, designs: [draft], order: null, events: [] })
      const first = makeOrder(shop, 'é "1"')
      const ordered = { ...changed(draft), status: "ordered" as const, orderId: first.id }
      const changes: ReadonlyArray<NewOrder> = [
        placing(shop, "zz"),
        { order: first, designs: [makeOrdered(first, unique(), 1), ordered], events: [] },
        placing(shop, "a"),
      ]
      yield* otherStore.commitOrders(shop, changes)
      for (const host of [store, otherStore]) {
        for (const { designs, order } of changes) {
          const found = Option.getOrThrow(yield* host.order(shop, order.id))
          const inLine = designs.toSorted((left, right) => left.position - right.position)
          yield* equal(`the order ${order.id}`, found, { order, designs: inLine })
        }
        yield* equal("the total", (yield* host.readOrders({ shop, ...wholePage })).total, changes.length)
      }
    }),
  },
  {
    id: "resources.orders.stale",
    title: "MUST store none of several new orders if one of them, or a design, is stale or has a report",
    requirements: ["D75", "D6", "D50"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const { designs, order } = yield* given(shop)
      const early = { shop, id: "early", isCancelled: true, isEmpty: false, until: someTime + day }
      yield* store.keepUnstored(early, someTime)
      const [first, last] = [placing(shop, "0"), placing(shop, "zz")]
      const other = makeOrder(shop, "other")
      for (const [what, stale] of [
        ["an order that exists", placing(shop, order.id)],
        ["an order with a report", placing(shop, early.id)],
        ["a design that exists", { order: other, designs: [{ ...designs[0], orderId: other.id }], events: [] }],
        ["a design of another revision", { order: other, designs: [{ ...designs[0], revision: 3 }], events: [] }],
      ] as const) {
        for (const host of [store, otherStore]) {
          yield* failsWith(what, "StaleRevision", host.commitOrders(shop, [first, stale, last]))
          for (const id of ["0", "zz", "other", "early"]) yield* none(`the order ${id}`, yield* host.order(shop, id))
          yield* equal("the designs", yield* host.designs(shop, ["design of 0", "design of zz"]), [])
          yield* equal("the total", (yield* host.readOrders({ shop, ...wholePage })).total, 1)
        }
      }
      yield* store.commitOrders(shop, [first, last])
    }),
  },
  {
    id: "resources.orders.transaction",
    title: "MUST store several new orders as part of an outer transaction",
    requirements: ["D75", "D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const placed = store.commitOrders(shop, [placing(shop, "1"), placing(shop, "22")])
      yield* Effect.flip(transaction.run(Effect.andThen(placed, Effect.fail("given up"))))
      yield* none("after a rollback", yield* otherStore.order(shop, "1"))
      yield* transaction.run(placed)
      yield* equal("the total", (yield* otherStore.readOrders({ shop, ...wholePage })).total, 2)
      yield* transaction.run(failsWith("again", "StaleRevision", placed))
    }),
  },
])
