import { Deferred, Effect, Result } from "effect"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import type { StaleRevision } from "../../../../core/ports/StorageError.ts"
import { equal, exactly, holds, none, some } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { changed, makeDesign, newShop, place, someTime, wholePage } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import { bothHosts, given } from "./CommitCases.ts"

/** Expects a stale commit that says whether it can be retried. */
const isStale = Effect.fnUntraced(function* (canRetry: boolean, commit: ReturnType<OrderStore["Service"]["commit"]>) {
  const error = yield* Effect.flip(commit)
  yield* equal("the failure", error._tag, "StaleRevision")
  if (error._tag === "StaleRevision") yield* equal("whether it can be retried", error.canRetry, canRetry)
})

/** The contract of `OrderStore.commit` in outer transactions. */
export const commitTransactionCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.transaction.kept",
    title: "MUST make changes part of an outer transaction: visible inside it, and elsewhere only after it has ended",
    requirements: ["D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      yield* transaction.run(
        Effect.gen(function* () {
          yield* place(shop, "1001", someTime)
          yield* some("inside", yield* store.order(shop, "1001"))
          yield* none("elsewhere", yield* otherStore.order(shop, "1001"))
          yield* place(shop, "1002", someTime)
        }),
      )
      yield* equal("total elsewhere", (yield* otherStore.readOrders({ shop, ...wholePage })).total, 2)
    }),
  },
  {
    id: "resources.transaction.read",
    title: "MUST read a design within an outer transaction as changed by it, and elsewhere as it was",
    requirements: ["D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const { draft } = yield* given(shop)
      const next = changed(draft)
      yield* transaction.run(
        Effect.gen(function* () {
          yield* store.commit({ shop, designs: [next], order: null, events: [] })
          yield* equal("inside", (yield* some("inside", yield* store.readDesign(shop, "draft"))).wire, next.wire)
          const elsewhere = yield* some("elsewhere", yield* otherStore.readDesign(shop, "draft"))
          yield* equal("elsewhere", elsewhere.wire, draft.wire)
        }),
      )
      yield* equal("afterwards", (yield* some("after", yield* otherStore.readDesign(shop, "draft"))).wire, next.wire)
    }),
  },
  {
    id: "resources.transaction.undone",
    title: "MUST undo changes together with their outer transaction",
    requirements: ["D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const { draft } = yield* given(shop)
      const change = Effect.gen(function* () {
        yield* place(shop, "1002", someTime)
        yield* store.commit({ shop, designs: [changed(draft)], order: null, events: [] })
        return yield* Effect.fail("given up")
      })
      yield* equal("the failure", yield* Effect.flip(transaction.run(change)), "given up")
      for (const host of [store, otherStore]) {
        yield* none("the new order", yield* host.order(shop, "1002"))
        yield* equal("the draft", yield* host.designs(shop, ["draft"]), [draft])
        yield* equal("total", (yield* host.readOrders({ shop, ...wholePage })).total, 1)
      }
    }),
  },
  {
    id: "resources.transaction.stale",
    title:
      "MUST store nothing of a stale change in an outer transaction, mark it as not retryable, and keep that usable",
    requirements: ["D6", "D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const { draft } = yield* given(shop)
      const second = changed(draft)
      yield* transaction.run(
        Effect.gen(function* () {
          const stale = {
            shop,
            designs: [makeDesign(shop, "new"), { ...changed(draft), revision: 1 }],
            order: null,
            events: [],
          }
          yield* isStale(false, store.commit(stale))
          const kept = yield* store.designs(shop, ["new", "draft"])
          yield* equal("the records read again", kept, [draft])
          yield* store.commit({ shop, designs: [second], order: null, events: [] })
        }),
      )
      yield* isStale(true, store.commit({ shop, designs: [second], order: null, events: [] }))
      const found = yield* otherStore.designs(shop, ["new", "draft"])
      yield* equal("what is kept", found, [second])
      yield* holds("it is the second revision", found[0]?.revision === 2)
    }),
  },
  {
    id: "resources.transaction.crossed",
    title: "MUST report a stale change to one of two outer transactions that change the same designs in opposite order",
    requirements: ["D6", "D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const [one, two] = [makeDesign(shop, "one"), makeDesign(shop, "two")]
      yield* store.commit({ shop, designs: [one, two], order: null, events: [] })
      const [here, there] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const commit = (design: typeof one) => store.commit({ shop, designs: [changed(design)], order: null, events: [] })
      const both = yield* Effect.all(
        [
          transaction.run(
            Effect.gen(function* () {
              yield* commit(one)
              yield* Deferred.succeed(here, undefined)
              yield* Deferred.await(there)
              yield* commit(two)
            }),
          ),
          transaction.run(
            Effect.gen(function* () {
              yield* commit(two)
              yield* Deferred.succeed(there, undefined)
              yield* Deferred.await(here)
              yield* commit(one)
            }),
          ),
        ].map((run) => Effect.result(run)),
        { concurrency: 2 },
      )
      const failures = both.filter(Result.isFailure).map(({ failure }) => failure)
      const [failure] = yield* exactly("how many fail", 1, failures)
      yield* isStale(false, Effect.fail(failure as StaleRevision))
      const revisions = (yield* store.designs(shop, ["one", "two"])).map(({ revision }) => revision)
      yield* equal("the revisions", revisions, [2, 2])
    }),
  },
  {
    id: "resources.transaction.together",
    title: "MUST NOT make a new order wait for another order of its shop that an open outer transaction has placed",
    requirements: ["D14", "D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const other = yield* onOtherHost(outerTransaction)
      const shop = yield* newShop
      const totals = Effect.forEach([store, otherStore], (host) =>
        Effect.map(host.readOrders({ shop, ...wholePage }), ({ total }) => total),
      )
      yield* place(shop, "1001", someTime)
      yield* transaction.run(
        Effect.gen(function* () {
          yield* place(shop, "1002", someTime)
          const beside = Effect.andThen(onOtherHost(place(shop, "1003", someTime)), onOtherHost(totals))
          const seen = yield* Effect.timeoutOption(other.run(beside), "10 seconds")
          yield* some("the order of the transaction that must not wait", seen)
          yield* equal("the totals while one is open", yield* totals, [3, 2])
          yield* onOtherHost(place(shop, "1004", someTime))
        }),
      )
      yield* equal("the totals afterwards", yield* totals, [4, 4])
    }),
  },
  {
    id: "resources.without-transaction",
    title: "MUST show a commit on every host as soon as it has returned, since no transaction can hold it back",
    requirements: ["D23"],
    without: "transaction",
    run: Effect.gen(function* () {
      const [, other] = yield* bothHosts
      const shop = yield* newShop
      yield* place(shop, "1", someTime)
      yield* some("the order on the other host", yield* other.order(shop, "1"))
    }),
  },
])
