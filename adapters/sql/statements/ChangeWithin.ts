/** Changes that the caller of a store gives it, to be carried out in a transaction of the store. */
import { type Cause, Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import type { StorageError } from "../../../core/ports/StorageError.ts"
import { storageError, withoutDefects } from "./Errors.ts"

/** Marks the caller's change among the statements of a transaction. */
export type Marking<E> = <A, R>(change: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Runs a transaction with a change of the caller's. If the change fails, the transaction is rolled back and fails with
 * the failure of the change, even if the rollback fails too.
 */
export const changeWithin = <A, E, R>(
  sql: SqlClient.SqlClient,
  operation: string,
  statements: (marked: Marking<E>) => Effect.Effect<A, E | SqlError.SqlError | StorageError, R>,
  transaction: SqlClient.SqlClient["withTransaction"] = sql.withTransaction,
): Effect.Effect<A, E | StorageError, R> =>
  Effect.suspend(() => {
    let failure: Cause.Cause<E> | undefined
    const marked: Marking<E> = (change) =>
      Effect.onError(change, (cause) =>
        Effect.sync(() => {
          failure = cause
        }),
      )
    return withoutDefects(transaction(statements(marked))).pipe(
      Effect.catch((error) =>
        SqlError.isSqlError(error) ? storageError(operation)(error) : Effect.fail(error as E | StorageError),
      ),
      // A rollback that fails, too, makes a defect of it.
      Effect.catchCause((cause) => Effect.failCause(failure ?? (cause as Cause.Cause<E | StorageError>))),
    )
  })
