import { Deferred, Effect, Option } from "effect"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { equal, holds, none, some } from "../Assertion.ts"
import { makeShop, place, someTime, wholePage } from "./Fixtures.ts"
import { OuterTransaction, onOtherHost, type StorageCase } from "./StorageCase.ts"

/** That the harness is what the other cases take it for. */
export const harnessCases: ReadonlyArray<StorageCase> = [
  {
    id: "harness.hosts",
    title: "MUST give two hosts that share one store and nothing else, in which a new shop holds nothing",
    spec: "conformance",
    run: Effect.gen(function* () {
      const shops = yield* ShopStore
      const otherShops = yield* onOtherHost(ShopStore)
      yield* holds("the hosts have a ShopStore each", shops !== otherShops)

      const mine = makeShop()
      const theirs = makeShop()
      yield* none("a shop that was never put", yield* shops.find(mine.id))
      yield* shops.put(mine)
      yield* otherShops.put(theirs)
      yield* equal("the shop of this host on the other", yield* otherShops.find(mine.id), Option.some(mine))
      yield* equal("the shop of the other host on this", yield* shops.find(theirs.id), Option.some(theirs))

      const page = { shop: mine.id, ...wholePage }
      for (const host of [OrderStore, onOtherHost(OrderStore)]) {
        const empty = { orders: [], total: 0, next: null }
        yield* equal("orders of a new shop", yield* (yield* host).readOrders(page), empty)
      }
      yield* equal("tokens of a new shop", yield* (yield* TokenStore).list(mine.id), [])
      yield* place(mine.id, "1", someTime)
      yield* some("an order of this host on the other", yield* (yield* onOtherHost(OrderStore)).order(mine.id, "1"))
    }),
  },
  {
    id: "harness.transaction",
    title: "MUST offer an OuterTransaction that answers what ran in it and fails as it failed",
    spec: "conformance",
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const transaction = yield* outerTransaction
      yield* equal("the answer", yield* transaction.run(Effect.succeed(1)), 1)
      yield* equal("the failure", yield* Effect.flip(transaction.run(Effect.fail("given up"))), "given up")
    }),
  },
]

/** The outer transaction that a host with the capability `transaction` offers. */
export const outerTransaction = Effect.serviceOption(OuterTransaction).pipe(
  Effect.flatMap((offered) => some("OuterTransaction in the layer of the host", offered)),
)

/**
 * Runs the second effect while an outer transaction is open that the first is part of. A store may have it wait for the transaction's end, so that is not
 * put off for long.
 */
export const meanwhile = Effect.fnUntraced(function* <A, E, B, F>(
  inside: Effect.Effect<A, E>,
  outside: Effect.Effect<B, F>,
) {
  const transaction = yield* outerTransaction
  const open = yield* Deferred.make<void>()
  const done = yield* Deferred.make<void>()
  const ending = Effect.timeoutOption(Deferred.await(done), "300 millis")
  yield* Effect.all(
    [
      transaction.run(Effect.andThen(inside, Effect.andThen(Deferred.succeed(open, undefined), ending))),
      Effect.andThen(Deferred.await(open), Effect.ensuring(outside, Deferred.succeed(done, undefined))),
    ],
    { concurrency: 2 },
  )
})
