/**
 * The transaction at the target that makes the shop's rows: nobody sees any of them before the shop has moved, and
 * nothing is left if the command is killed.
 */
import { Effect, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { MoveError, type NamedPlace } from "../move/Places.ts"

/** An open transaction at the target. */
export interface Arrival {
  /** Runs a statement in it. Other statements run outside of it, also on the same client. */
  readonly run: <Row extends object>(
    statement: string,
    parameters?: ReadonlyArray<unknown>,
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  readonly commit: Effect.Effect<void, SqlError.SqlError>
}

/**
 * Begins the transaction, which is rolled back when the scope closes before it is committed. Fails if another command's
 * transaction for the shop is still open.
 */
export const beginArrival = Effect.fnUntraced(function* (
  { name, sql }: NamedPlace,
  shop: string,
): Effect.fn.Return<Arrival, MoveError | SqlError.SqlError, Scope.Scope> {
  const connection = yield* sql.reserve
  const within = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
    Effect.provideService(statement, sql.transactionService, [connection, 0])
  yield* Effect.acquireRelease(within(sql.unsafe("BEGIN")), () => Effect.ignore(within(sql.unsafe("ROLLBACK"))))
  yield* within(settings(sql))
  const [row] = yield* within(sql<{ locked: boolean }>`SELECT pg_try_advisory_xact_lock(
  hashtextextended(${`designwire shop ${shop}`}, 7361950052)) AS locked`)
  if (row?.locked !== true) {
    return yield* new MoveError({
      message: `A transaction in ${name} of a command that was ended still stores ${shop}. Try again in a minute`,
    })
  }
  return {
    run: <Row extends object>(statement: string, parameters?: ReadonlyArray<unknown>) =>
      within(sql.unsafe<Row>(statement, parameters)),
    commit: Effect.asVoid(within(sql.unsafe("COMMIT"))),
  }
})

/** The transaction may be open for long, and is on disk once it has ended. */
const settings = (sql: SqlClient.SqlClient) =>
  Effect.andThen(
    sql`SELECT set_config(name, '0', true) AS kept FROM pg_catalog.pg_settings
WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout', 'statement_timeout')`,
    sql`SELECT set_config('synchronous_commit', 'on', true) AS flushed`,
  )
