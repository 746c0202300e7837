/**
 * Transactions that never report a failed COMMIT as success, over any client.
 *
 * `@effect/sql-pg` repeats a prepared statement that fails with SQLSTATE 0A000, such as the COMMIT at which a deferred
 * trigger fails: the second COMMIT finds no transaction, and succeeds. COMMIT is therefore not prepared here.
 * `conformance/testkit/drivers/FailedCommit.test.ts` fails once that is mended.
 */
import { Effect, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"

/** The connection of a transaction. It notes whether a statement failed or was interrupted. */
class WatchedConnection implements SqlConnection.Connection {
  /** Whether a statement did not succeed since the transaction began, or since it rolled back to a savepoint. */
  hasFailed = false
  readonly execute: SqlConnection.Connection["execute"]
  readonly executeRaw: SqlConnection.Connection["executeRaw"]
  readonly executeStream: SqlConnection.Connection["executeStream"]
  readonly executeUnprepared: SqlConnection.Connection["executeUnprepared"]
  readonly executeValues: SqlConnection.Connection["executeValues"]
  readonly executeValuesUnprepared: SqlConnection.Connection["executeValuesUnprepared"]

  constructor(base: SqlConnection.Connection) {
    const note = () =>
      Effect.sync(() => {
        this.hasFailed = true
      })
    const watched = <A, E>(statement: Effect.Effect<A, E>) => Effect.onError(statement, note)
    this.execute = (text, values, transform) => watched(base.execute(text, values, transform))
    this.executeRaw = (text, values) => watched(base.executeRaw(text, values))
    this.executeStream = (text, values, transform) => Stream.onError(base.executeStream(text, values, transform), note)
    this.executeUnprepared = (text, values, transform) => watched(base.executeUnprepared(text, values, transform))
    this.executeValues = (text, values) => watched(base.executeValues(text, values))
    this.executeValuesUnprepared = (text, values) => watched(base.executeValuesUnprepared(text, values))
  }
}

const control = (connection: SqlConnection.Connection, statement: string) =>
  Effect.asVoid(connection.execute(statement, [], undefined))

/** The server answers a COMMIT of an aborted transaction with ROLLBACK, and no error. */
const aborted = () =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: new Error("The transaction was rolled back, because a statement in it failed"),
      message: "The transaction was not committed",
      operation: "commit",
    }),
  })

const commit = (connection: WatchedConnection) =>
  connection.hasFailed
    ? Effect.andThen(control(connection, "ROLLBACK"), Effect.fail(aborted()))
    : Effect.asVoid(connection.executeUnprepared("COMMIT", [], undefined))

type WithTransaction = SqlClient.SqlClient["withTransaction"]

const make = (sql: SqlClient.SqlClient): WithTransaction =>
  SqlClient.makeWithTransaction<SqlClient.TransactionConnection, SqlConnection.Connection>({
    transactionService: sql.transactionService,
    spanAttributes: [["db.system.name", "postgresql"]],
    acquireConnection: (restore) => Effect.map(restore(sql.reserve), (connection) => new WatchedConnection(connection)),
    begin: (connection, statement = "BEGIN") => control(connection, statement),
    commit: (connection) => commit(connection as WatchedConnection),
    rollback: (connection) => control(connection, "ROLLBACK"),
    savepoint: (connection, id) => control(connection, `SAVEPOINT designwire_${id}`),
    releaseSavepoint: (connection, id) => control(connection, `RELEASE SAVEPOINT designwire_${id}`),
    rollbackSavepoint: (connection, id) =>
      Effect.tap(control(connection, `ROLLBACK TO SAVEPOINT designwire_${id}`), () =>
        Effect.sync(() => {
          ;(connection as WatchedConnection).hasFailed = false
        }),
      ),
  })

const made = new WeakMap<SqlClient.SqlClient["transactionService"], WithTransaction>()

/** The one `withTransaction` of a client and its copies. Nested transactions are savepoints. */
export const checkedTransaction = (sql: SqlClient.SqlClient): WithTransaction => {
  const known = made.get(sql.transactionService)
  if (known !== undefined) return known
  const withTransaction = make(sql)
  made.set(sql.transactionService, withTransaction)
  return withTransaction
}

/** Whether a connection is that of a {@link checkedTransaction}. */
export const isChecked = (connection: SqlConnection.Connection): boolean => connection instanceof WatchedConnection
