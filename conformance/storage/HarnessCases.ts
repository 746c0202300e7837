import { Effect } from "effect"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { equal, holds } from "../Assertion.ts"
import { outerTransaction } from "./OuterTransactions.ts"
import { calling, OtherStore, onOtherHost, type StorageCase } from "./StorageCase.ts"
import { witnesses } from "./Witnesses.ts"

/** That the harness is what the other cases take it for. */
export const harnessCases: ReadonlyArray<StorageCase> = [
  ...witnesses.flatMap(({ id, leave, ports, service, title }) =>
    calling(...ports)([
      {
        id: `harness.hosts.${id}`,
        title: `MUST give two hosts that share one store and nothing else: both see ${title}`,
        requirements: [],
        run: Effect.gen(function* () {
          yield* holds(
            "the layer makes ports for each host, instead of giving the same to both (Layer.sync, not Layer.succeed)",
            (yield* service) !== (yield* onOtherHost(service)),
          )
          const [mine, theirs] = [yield* leave, yield* onOtherHost(leave)]
          yield* equal("what this host left, on the other", yield* onOtherHost(mine), true)
          yield* equal("what the other host left, on this", yield* theirs, true)
        }),
      },
      {
        id: `harness.stores.${id}`,
        title: `MUST open a store that shares nothing with another: neither shows ${title} of the other`,
        requirements: [],
        run: Effect.gen(function* () {
          const other = yield* yield* OtherStore
          const [mine, theirs] = [yield* leave, yield* Effect.provideContext(leave, other)]
          yield* equal("what this store holds, in this", yield* mine, true)
          yield* equal("what this store holds, in the other", yield* Effect.provideContext(mine, other), false)
          yield* equal("what the other store holds, in this", yield* theirs, false)
        }),
      },
    ]),
  ),
  ...calling(ShopStore)([
    {
      id: "harness.transaction",
      title: "MUST offer an OuterTransaction that answers what ran in it and fails as it failed",
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
