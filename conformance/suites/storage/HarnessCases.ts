import { Effect } from "effect"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import { equal, holds } from "../Assertion.ts"
import { calling, OtherStore, onOtherHost, type StorageCase } from "./StorageCase.ts"
import { outerTransaction } from "./support/OuterTransactions.ts"
import { witnesses } from "./support/Witnesses.ts"

/** Checks that the harness is what the other cases assume. */
export const harnessCases: ReadonlyArray<StorageCase> = [
  ...witnesses.flatMap(({ id, leave, ports, service, title }) =>
    calling(...ports)([
      {
        id: `harness.hosts.${id}`,
        title: `MUST open two hosts that share only one store: both see ${title}`,
        requirements: [],
        run: Effect.gen(function* () {
          yield* holds(
            "the layer makes ports for each host, instead of giving the same to both (Layer.sync, not Layer.succeed)",
            (yield* service) !== (yield* onOtherHost(service)),
          )
          const [mine, theirs] = [yield* leave, yield* onOtherHost(leave)]
          yield* equal("this host's record, on the other host", yield* onOtherHost(mine), true)
          yield* equal("the other host's record, on this host", yield* theirs, true)
        }),
      },
      {
        id: `harness.stores.${id}`,
        title: `MUST open a store that shares nothing with another one: neither shows ${title} of the other`,
        requirements: [],
        run: Effect.gen(function* () {
          const other = yield* yield* OtherStore
          const [mine, theirs] = [yield* leave, yield* Effect.provideContext(leave, other)]
          yield* equal("this store's record, in this store", yield* mine, true)
          yield* equal("this store's record, in the other store", yield* Effect.provideContext(mine, other), false)
          yield* equal("the other store's record, in this store", yield* theirs, false)
        }),
      },
    ]),
  ),
  ...calling(ShopStore)([
    {
      id: "harness.transaction",
      title: "MUST offer an OuterTransaction that returns the result of its effect and fails with its failure",
      requirements: [],
      needs: ["transaction"],
      run: Effect.gen(function* () {
        const transaction = yield* outerTransaction
        yield* equal("the answer", yield* transaction.run(Effect.succeed(1)), 1)
        yield* equal("the failure", yield* Effect.flip(transaction.run(Effect.fail("given up"))), "given up")
      }),
    },
  ]),
]
