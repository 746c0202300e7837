/** Helpers for cases of outer transactions. */
import { Deferred, Effect } from "effect"
import { some } from "../../Assertion.ts"
import { OuterTransaction } from "../StorageCase.ts"

/** The outer transaction that a host with the capability `transaction` offers. */
export const outerTransaction = Effect.serviceOption(OuterTransaction).pipe(
  Effect.flatMap((offered) => some("OuterTransaction in the layer of the host", offered)),
)

/**
 * Runs the second effect while the outer transaction of the first is open. A store may make it wait for the end of the
 * transaction, which therefore comes soon.
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
