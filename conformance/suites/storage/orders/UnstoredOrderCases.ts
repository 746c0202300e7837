import { Effect, Option } from "effect"
import type { UnstoredOrder } from "../../../../core/model/orders/Order.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { StaleRevision } from "../../../../core/ports/StorageError.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal, failsWith, none, some } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { day, makeOrder, makeOrdered, newShop, retrying, someTime } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import { bothHosts } from "./CommitCases.ts"

const cancellationOf = (shop: string, id: string, until = someTime + day): UnstoredOrder => ({
  ...{ shop, id, until },
  isCancelled: true,
  isEmpty: false,
})

/** The first change of an order with one design. */
const placing = (shop: string, id: string) => {
  const order = makeOrder(shop, id)
  return { shop, designs: [makeOrdered(order, `design of ${id}`, 0)], order, events: [] }
}

/** Reports of orders that are not stored (D50). */
export const unstoredOrderCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.early.kept",
    title:
      "MUST keep reports of an order that is not stored, of its shop alone, on every host: alongside those not ended",
    requirements: ["D50"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const [shop, other] = [yield* newShop, yield* newShop]
      yield* none("before it", yield* store.unstoredOrder(shop, "1"))
      const cancelled = (until: number) => cancellationOf(shop, "1", until)
      const both = (until: number) => ({ ...cancelled(until), isEmpty: true })
      const empty = (until: number) => ({ ...both(until), isCancelled: false })
      for (const [now, report, kept] of [
        [0, cancelled(10), cancelled(10)],
        [1, cancelled(20), cancelled(20)],
        [19, empty(30), both(30)],
        [29, cancelled(40), both(40)],
        // The one before has ended.
        [40, empty(50), empty(50)],
        [49, cancelled(60), both(60)],
        [60, cancelled(70), cancelled(70)],
      ] as const) {
        yield* equal("what is kept", yield* store.keepUnstored(report, now), Option.some(kept))
        for (const host of [store, otherStore]) {
          yield* equal("the cancellation", yield* host.unstoredOrder(shop, "1"), Option.some(kept))
          yield* none("that of another order", yield* host.unstoredOrder(shop, "2"))
          yield* none("that of another shop", yield* host.unstoredOrder(other, "1"))
          yield* none("the order", yield* host.order(shop, "1"))
        }
      }
    }),
  },
  {
    id: "resources.early.stored",
    title: "MUST keep no report of an order that is stored, and say so",
    requirements: ["D50"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      yield* store.commit(placing(shop, "1"))
      yield* none("what is kept", yield* otherStore.keepUnstored(cancellationOf(shop, "1"), someTime))
      yield* none("the cancellation", yield* store.unstoredOrder(shop, "1"))
    }),
  },
  {
    id: "resources.early.commit",
    title: "MUST store a new order only with the report that is kept, and remove that in the same step",
    requirements: ["D50"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const kept = cancellationOf(shop, "1")
      const change = placing(shop, "1")
      const named = { ...change, unstored: kept }
      yield* failsWith("a commit that names none that is kept", "StaleRevision", store.commit(named))
      yield* store.keepUnstored(kept, someTime)
      const others = [
        { ...kept, until: kept.until + 1 },
        { ...kept, isEmpty: true },
        { ...kept, isCancelled: false },
      ]
      for (const stale of [change, ...others.map((unstored) => ({ ...change, unstored }))]) {
        yield* failsWith("a commit that does not name it", "StaleRevision", otherStore.commit(stale))
        yield* none("the order", yield* store.order(shop, "1"))
        yield* equal("the designs", yield* store.designs(shop, ["design of 1"]), [])
        yield* equal("the cancellation", yield* store.unstoredOrder(shop, "1"), Option.some(kept))
      }
      yield* otherStore.commit(named)
      const { designs, order } = yield* some("the order", yield* store.order(shop, "1"))
      yield* equal("the order", { designs, order }, { designs: change.designs, order: change.order })
      yield* none("the cancellation", yield* store.unstoredOrder(shop, "1"))
      yield* store.commit(placing(shop, "2"))
    }),
  },
  {
    id: "resources.early.race",
    rounds: 5,
    title: "MUST let either an order or its cancellation come first if both come at once, never both unseen",
    requirements: ["D50"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const ids = Array.from({ length: 12 }, (_, index) => `order ${index}`)
      const outcomes = yield* Effect.forEach(
        ids,
        (id) =>
          Effect.all(
            [
              retrying(store.commit(placing(shop, id))).pipe(
                Effect.as(true),
                Effect.catchIf(
                  (error) => error instanceof StaleRevision,
                  () => Effect.succeed(false),
                ),
              ),
              retrying(Effect.map(otherStore.keepUnstored(cancellationOf(shop, id), someTime), Option.isSome)),
            ],
            { concurrency: "unbounded" },
          ),
        { concurrency: "unbounded" },
      )
      for (const [index, [isPlaced, isKept]] of outcomes.entries()) {
        yield* equal(`whether one came first (${index})`, isPlaced !== isKept, true)
        const id = ids[index] ?? ""
        yield* equal("whether the order is stored", Option.isSome(yield* store.order(shop, id)), isPlaced)
        yield* equal("whether it is kept", Option.isSome(yield* store.unstoredOrder(shop, id)), isKept)
      }
    }),
  },
  {
    id: "resources.early.transaction",
    title: "MUST keep and remove a cancellation as part of an outer transaction",
    requirements: ["D50", "D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const kept = cancellationOf(shop, "1")
      const keeping = Effect.gen(function* () {
        yield* store.keepUnstored(kept, someTime)
        yield* equal("inside", yield* store.unstoredOrder(shop, "1"), Option.some(kept))
        yield* none("elsewhere", yield* otherStore.unstoredOrder(shop, "1"))
      })
      yield* Effect.flip(transaction.run(Effect.andThen(keeping, Effect.fail("given up"))))
      yield* none("after a rollback", yield* store.unstoredOrder(shop, "1"))
      yield* transaction.run(keeping)
      const placed = store.commit({ ...placing(shop, "1"), unstored: kept })
      yield* Effect.flip(transaction.run(Effect.andThen(placed, Effect.fail("given up"))))
      yield* equal("after a rollback", yield* otherStore.unstoredOrder(shop, "1"), Option.some(kept))
      yield* transaction.run(
        Effect.gen(function* () {
          yield* failsWith("a commit that does not name it", "StaleRevision", store.commit(placing(shop, "1")))
          yield* placed
        }),
      )
      yield* none("after the commit", yield* otherStore.unstoredOrder(shop, "1"))
      yield* some("the order", yield* otherStore.order(shop, "1"))
    }),
  },
  {
    id: "resources.early.prune",
    alone: true,
    ports: [ShopStore, OrderStore, Upkeep],
    title: "MUST drop cancellations that have ended in upkeep, and no others",
    requirements: ["D50"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const upkeep = yield* Upkeep
      const shop = yield* newShop
      // Other cases keep later ones.
      const ends = [1, 1, 1, 1, 2, 2, 2, 2, 3]
      for (const [id, until] of ends.entries()) yield* store.keepUnstored(cancellationOf(shop, `${id}`, until), 0)
      let after: string | null = null
      do {
        after = yield* upkeep.prune({ keep: 1_000, eventsBefore: 0, now: 2, limit: 7, after })
      } while (after !== null)
      const left = yield* Effect.forEach(ends, (_, id) => store.unstoredOrder(shop, `${id}`))
      yield* equal(
        "those that are left",
        left.map(Option.isSome),
        ends.map((until) => until > 2),
      )
    }),
  },
  {
    id: "resources.early.shop",
    title: "MUST drop cancellations with their shop",
    requirements: ["D43", "D50"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shops = yield* ShopStore
      const shop = yield* newShop
      const record = yield* some("the shop", yield* shops.find(shop))
      yield* store.keepUnstored(cancellationOf(shop, "1"), someTime)
      while (!(yield* shops.remove({ shop, now: someTime, limit: 100 })));
      yield* shops.put(record)
      yield* none("the cancellation", yield* store.unstoredOrder(shop, "1"))
    }),
  },
])
