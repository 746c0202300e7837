import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import { StorageError } from "../../../core/ports/StorageError.ts"
import { countError } from "./ErrorMetrics.ts"
import { reported } from "./Outcome.ts"
import { adviceFor, wordsOf } from "./Reason.ts"

/** Fails with the ports' error for a failure of the driver, and counts it: the one place that decides. */
export const storageError =
  (operation: string) =>
  (error: SqlError.SqlError): Effect.Effect<never, StorageError> => {
    const advice = adviceFor(error)
    const failure = new StorageError({
      message: `${advice === undefined ? "" : `${advice}. `}${operation}: ${wordsOf(error)}`,
      cause: error,
      isRetryable: error.isRetryable,
    })
    return Effect.andThen(countError(error), Effect.fail(failure))
  }

/**
 * A lost connection within a transaction arrives as a defect, because the failing rollback has no other way to report
 * it. It makes a defect of the first failure as well. Here it is a failure like any other.
 */
export const withoutDefects = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchCause(effect, (cause): Effect.Effect<never, E | SqlError.SqlError> => {
    const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
    const lost = defects.find(SqlError.isSqlError)
    return lost === undefined ? Effect.failCause(cause) : Effect.fail(lost)
  })

/** Maps the failures of an operation with {@link storageError}, except those that are the ports' errors already. */
export const mapped =
  (operation: string) =>
  <A, R>(effect: Effect.Effect<A, SqlError.SqlError | StorageError, R>): Effect.Effect<A, StorageError, R> =>
    Effect.catch(reported(withoutDefects(effect)), (error) =>
      error._tag === "StorageError" ? Effect.fail(error) : storageError(operation)(error),
    )
