import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { StorageError } from "../../core/ports/StorageError.ts"

/** Turns the driver's failures into the ports': the one place where that is decided. */
export const storageError =
  (operation: string) =>
  (error: SqlError.SqlError): StorageError =>
    new StorageError({
      message: `${operation}: ${error.reason.message ?? error.reason._tag}`,
      cause: error,
      isRetryable: error.isRetryable,
    })

/** Maps the failures of an operation with {@link storageError}. */
export const mapped =
  (operation: string) =>
  <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, StorageError, R> =>
    Effect.mapError(effect, storageError(operation))
