import { Effect, Schedule } from "effect"
import { Conflict } from "../model/Errors.ts"
import { StaleRevision, StorageError } from "../ports/StorageError.ts"

/** How often at most a change is decided anew. */
const times = 7

/** The waits between tries: about 5 milliseconds, and each time twice as long; never quite the same, so that changes that met don't meet again. */
const waits = Schedule.exponential("5 millis").pipe(Schedule.jittered)

/**
 * Makes a read-decide-commit effect again where another change came between, a few times; of changes that compete for a record one always wins. After
 * them it fails with a `StorageError`. Within an outer transaction, which can't read again what it has read, it fails with `Conflict` at once.
 */
export const retryStale = <A, E, R>(
  effect: Effect.Effect<A, E | StaleRevision, R>,
): Effect.Effect<A, Exclude<E, StaleRevision> | Conflict | StorageError, R> =>
  effect.pipe(
    Effect.retry({ times, schedule: waits, while: (error) => error instanceof StaleRevision && error.canRetry }),
    Effect.catchIf(
      (error): error is E & StaleRevision => error instanceof StaleRevision,
      (stale): Effect.Effect<never, Conflict | StorageError> =>
        stale.canRetry
          ? Effect.fail(
              new StorageError({ message: "Too many changes at the same time", cause: stale, isRetryable: true }),
            )
          : Effect.fail(
              new Conflict({
                message:
                  "Another change was made at the same time: roll back the transaction that this one is part of, and begin it again",
              }),
            ),
    ),
  ) as Effect.Effect<A, Exclude<E, StaleRevision> | Conflict | StorageError, R>
