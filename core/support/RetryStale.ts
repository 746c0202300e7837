import { Effect } from "effect"
import { StaleRevision, StorageError } from "../ports/StorageError.ts"

/**
 * Makes a read-decide-commit effect again as often as another change came between, up to a bound; of changes that compete for
 * a record one always wins, so that the bound is met only under absurd contention.
 */
export const retryStale = <A, E, R>(
  effect: Effect.Effect<A, E | StaleRevision, R>,
): Effect.Effect<A, Exclude<E, StaleRevision> | StorageError, R> =>
  effect.pipe(
    Effect.retry({ times: 100, while: (error) => error instanceof StaleRevision }),
    Effect.catchIf(
      (error): error is E & StaleRevision => error instanceof StaleRevision,
      (cause) =>
        Effect.fail(new StorageError({ message: "Too many changes at the same time", cause, isRetryable: true })),
    ),
  ) as Effect.Effect<A, Exclude<E, StaleRevision> | StorageError, R>
