import { Effect, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { MoveError } from "./Places.ts"

/**
 * Keeps other commands from moving a bucket until the scope closes, by a lock of a transaction that stays open in the
 * database of the directory: behind a pooler, sessions hold no locks. The transaction writes nothing, so nothing that
 * waits for older transactions, as the making of a replication slot does, waits for it.
 *
 * Fails if another command has the lock. Returns a check that fails once the lock may be lost.
 */
export const holdLock = Effect.fnUntraced(function* (
  directory: SqlClient.SqlClient,
  schema: string,
): Effect.fn.Return<Effect.Effect<void, MoveError>, MoveError | SqlError.SqlError, Scope.Scope> {
  const connection = yield* directory.reserve
  const within = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
    Effect.provideService(statement, directory.transactionService, [connection, 0])
  // The transaction is gone if its connection is.
  yield* Effect.acquireRelease(within(directory.unsafe("BEGIN")), () =>
    Effect.ignore(within(directory.unsafe("ROLLBACK"))),
  )
  yield* within(directory`SELECT set_config(name, '0', true) AS kept FROM pg_catalog.pg_settings
WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')`)
  const [row] = yield* within(
    directory<{ locked: boolean }>`SELECT pg_try_advisory_xact_lock(
  hashtextextended(${`${schema} move`}, 7361950051)) AS locked`,
  )
  if (row?.locked !== true) {
    return yield* new MoveError({ message: `Another command is moving ${schema} at this moment. Wait until it ends` })
  }
  return Effect.mapError(
    within(directory`SELECT 1 AS held`),
    () =>
      new MoveError({
        message: "The connection that keeps other commands from moving the bucket was lost. Run the command again",
      }),
  )
})
