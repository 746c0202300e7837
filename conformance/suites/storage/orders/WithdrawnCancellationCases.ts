import { Effect, Option } from "effect"
import type { UnstoredOrder } from "../../../../core/model/orders/Order.ts"
import { AuditStore } from "../../../../core/ports/AuditStore.ts"
import { Inbox } from "../../../../core/ports/Inbox.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, none } from "../../Assertion.ts"
import { makeEntry, queryOf } from "../audit/Entries.ts"
import { calling } from "../StorageCase.ts"
import { day, makeInboxItem, newShop, place, someTime } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import { bothHosts } from "./CommitCases.ts"

const reportOf = (shop: string, fields: Partial<UnstoredOrder> = {}): UnstoredOrder => ({
  ...{ shop, id: "1", isCancelled: true, isEmpty: false, until: someTime + day },
  ...fields,
})

const withdrawalOf = (shop: string) => ({
  ...{ shop, id: "1", reason: "taken back", now: someTime },
  audit: makeEntry(shop),
})

const entriesIn = (shop: string) =>
  Effect.flatMap(AuditStore, (audit) => Effect.map(audit.list(queryOf(shop)), (entries) => entries.length))

/** Kept cancellations of orders that have not come, taken back (D50). */
export const withdrawnCancellationCases = calling(
  ShopStore,
  OrderStore,
  AuditStore,
)([
  {
    id: "resources.early.withdrawn",
    title: "MUST take back the cancellation of an order that is not stored, once, with an entry, and nothing else",
    requirements: ["D50", "D59"],
    run: Effect.gen(function* () {
      const [store, other] = yield* bothHosts
      const [shop, beside] = [yield* newShop, yield* newShop]
      for (const each of [shop, beside]) yield* store.keepUnstored(reportOf(each), someTime)
      yield* store.keepUnstored(reportOf(shop, { id: "2" }), someTime)
      const first = withdrawalOf(shop)
      yield* equal("the first time", yield* other.withdrawCancellation(first), true)
      yield* none("the report", yield* store.unstoredOrder(shop, "1"))
      yield* equal("the second time", yield* other.withdrawCancellation(withdrawalOf(shop)), false)
      yield* equal("the number of entries", yield* entriesIn(shop), 1)
      yield* equal("another order", yield* other.unstoredOrder(shop, "2"), Option.some(reportOf(shop, { id: "2" })))
      yield* equal("another shop", yield* other.unstoredOrder(beside, "1"), Option.some(reportOf(beside)))
    }),
  },
  {
    id: "resources.early.withdrawn.others",
    title:
      "MUST keep that an order came empty, and count neither a cancellation that has ended nor one of a stored order",
    requirements: ["D50"],
    run: Effect.gen(function* () {
      const [store, other] = yield* bothHosts
      const [shop, ended, empty, stored] = [yield* newShop, yield* newShop, yield* newShop, yield* newShop]
      const both = reportOf(shop, { isEmpty: true })
      yield* store.keepUnstored(both, someTime)
      yield* equal("of an empty order", yield* other.withdrawCancellation(withdrawalOf(shop)), true)
      yield* equal("its report", yield* store.unstoredOrder(shop, "1"), Option.some({ ...both, isCancelled: false }))
      yield* store.keepUnstored(reportOf(ended, { until: someTime }), someTime - day)
      yield* equal("one that has ended", yield* other.withdrawCancellation(withdrawalOf(ended)), false)
      yield* store.keepUnstored(reportOf(empty, { isCancelled: false, isEmpty: true }), someTime)
      yield* equal("none", yield* other.withdrawCancellation(withdrawalOf(empty)), false)
      yield* place(stored, "1", someTime)
      yield* equal("of a stored order", yield* other.withdrawCancellation(withdrawalOf(stored)), false)
      yield* equal("entries", yield* Effect.forEach([ended, empty, stored], entriesIn), [0, 0, 0])
    }),
  },
  {
    id: "resources.early.withdrawn.inbox",
    ports: [ShopStore, OrderStore, AuditStore, Inbox],
    title: "MUST ignore the applied cancellations of platforms of the order, and no other event",
    requirements: ["D50", "D57"],
    run: Effect.gen(function* () {
      const [store, other] = yield* bothHosts
      const inbox = yield* Inbox
      const shop = yield* newShop
      const cancelling = { change: "cancel", state: "applied" } as const
      const items = [
        makeInboxItem(shop, cancelling),
        makeInboxItem(shop, { ...cancelling, source: "woocommerce" }),
        makeInboxItem(shop, { ...cancelling, orderId: "2" }),
        makeInboxItem(shop, { ...cancelling, state: "failed" }),
        makeInboxItem(shop, { state: "applied" }),
      ]
      for (const item of items) yield* inbox.put(item)
      yield* equal("the first time", yield* other.withdrawCancellation(withdrawalOf(shop)), true)
      const after = yield* Effect.forEach(items, ({ id }) => inbox.find(shop, id))
      yield* equal(
        "the events",
        after.map((found) => Option.getOrUndefined(found)).map((found) => [found?.state, found?.reason]),
        [
          ["ignored", "taken back"],
          ["ignored", "taken back"],
          ["applied", null],
          ["failed", null],
          ["applied", null],
        ],
      )
      const progress = yield* inbox.apply(shop, items[3]?.id ?? "", (_, { isCancelled }) =>
        Effect.succeed({ state: "failed", reason: String(isCancelled), designId: null }),
      )
      yield* equal("whether it is cancelled", Option.getOrUndefined(progress)?.reason, "false")
      yield* equal("the second time", yield* store.withdrawCancellation(withdrawalOf(shop)), false)
      yield* equal("the number of entries", yield* entriesIn(shop), 1)
    }),
  },
  {
    id: "resources.early.withdrawn.transaction",
    needs: ["transaction"],
    title: "MUST take back a cancellation as part of an outer transaction",
    requirements: ["D50", "D23"],
    run: Effect.gen(function* () {
      const [store, other] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      yield* store.keepUnstored(reportOf(shop), someTime)
      const withdrawing = store.withdrawCancellation(withdrawalOf(shop))
      yield* Effect.flip(transaction.run(Effect.andThen(withdrawing, Effect.fail("given up"))))
      yield* equal("after a rollback", yield* other.unstoredOrder(shop, "1"), Option.some(reportOf(shop)))
      yield* transaction.run(withdrawing)
      yield* none("after the commit", yield* other.unstoredOrder(shop, "1"))
    }),
  },
  {
    id: "resources.lines",
    title:
      "MUST store the lines of an order with its change, replace them with a later one, and tell of no other order",
    requirements: ["D81"],
    run: Effect.gen(function* () {
      const [store, other] = yield* bothHosts
      const [shop, beside] = [yield* newShop, yield* newShop]
      const line = { lineItemId: "11", designId: "d1", quantity: 3, copyOf: null }
      const first = { order: "1", parent: null, lines: [line] }
      const placed = yield* place(shop, "1", someTime)
      yield* none("at first", yield* other.orderLines(shop, "1"))
      const again = (revision: number) => ({ ...placed, revision })
      yield* store.commit({ shop, designs: [], order: again(2), events: [], lines: first })
      yield* equal("stored", yield* other.orderLines(shop, "1"), Option.some(first))
      const then = {
        order: "1",
        parent: "9",
        lines: [
          { ...line, quantity: 0 },
          { ...line, lineItemId: "12" },
        ],
      }
      yield* store.commit({ shop, designs: [], order: again(3), events: [], lines: then })
      yield* equal("replaced", yield* other.orderLines(shop, "1"), Option.some(then))
      const stale = store.commit({ shop, designs: [], order: again(3), events: [], lines: first })
      yield* equal("stale", (yield* Effect.flip(stale))._tag, "StaleRevision")
      yield* equal("after a stale change", yield* other.orderLines(shop, "1"), Option.some(then))
      yield* none("another order", yield* other.orderLines(shop, "2"))
      yield* none("another shop", yield* other.orderLines(beside, "1"))
      yield* equal("of several orders", yield* other.linesOf(shop, ["2", "1", "1"]), [then])
      yield* equal("of several in another shop", yield* other.linesOf(beside, ["1"]), [])
      yield* equal("of none", yield* other.linesOf(shop, []), [])
    }),
  },
])
