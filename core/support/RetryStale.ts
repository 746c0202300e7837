import { Effect, Schedule } from "effect"
import { Conflict } from "../model/Errors.ts"
import { StaleRevision, StorageError } from "../ports/StorageError.ts"

/** Maximum number of times that a change is retried. */
const times = 7

/** Waits between tries: about 5 ms, doubling, with jitter so that colliding changes don't collide again. */
const waits = Schedule.exponential("5 millis").pipe(Schedule.jittered)

/** How often, and how far apart, a change that lost a race is tried again. */
export const raceWaits = { times, schedule: waits } as const

/** A change lost too many races. */
export const tooManyChanges = (cause: unknown) =>
  new StorageError({ message: "Too many changes at the same time", cause, isRetryable: true })

/** A change within an outer transaction lost a race: the whole transaction may be rolled back and begun again. */
export class LostRace extends Conflict {}

/**
 * Repeats a read-decide-commit effect a few times if another change came first; one of the competing changes always
 * wins. Afterwards it fails with a `StorageError`. Within an outer transaction, which can't read again what it has
 * read, it fails with {@link LostRace} at once.
 */
export const retryStale = <A, E, R>(
  effect: Effect.Effect<A, E | StaleRevision, R>,
): Effect.Effect<A, Exclude<E, StaleRevision> | Conflict | StorageError, R> =>
  effect.pipe(
    Effect.retry({ ...raceWaits, while: (error) => error instanceof StaleRevision && error.canRetry }),
    Effect.catchIf(
      (error): error is E & StaleRevision => error instanceof StaleRevision,
      (stale): Effect.Effect<never, Conflict | StorageError> =>
        stale.canRetry
          ? Effect.fail(tooManyChanges(stale))
          : Effect.fail(
              new LostRace({
                retryable: true,
                message:
                  "Another change was made at the same time: roll back the transaction that this one is part of, and begin it again",
              }),
            ),
    ),
  ) as Effect.Effect<A, Exclude<E, StaleRevision> | Conflict | StorageError, R>
