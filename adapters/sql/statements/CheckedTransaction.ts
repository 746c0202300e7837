/**
 * Transactions that never report a failed COMMIT as success, over any client.
 *
 * `@effect/sql-pg` repeats a prepared statement that fails with SQLSTATE 0A000, such as the COMMIT at which a deferred
 * trigger fails: the second COMMIT finds no transaction, and succeeds. COMMIT is therefore not prepared here.
 * `conformance/testkit/drivers/FailedCommit.test.ts` fails once that is mended.
 */
import { Cause, Context, Effect, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { storing } from "./Outcome.ts"
import { defaultConnectionWait, defaultLockWait, inTime, type Waits } from "./Waits.ts"

/** The connection of a transaction. It notes whether a statement failed. */
class WatchedConnection implements SqlConnection.Connection {
  /** Whether a statement failed since the transaction began, or since it rolled back to a savepoint. */
  hasFailed = false
  /** Whether a statement was interrupted in that time: the server may have carried it out, or refused it. */
  isUncertain = false
  readonly execute: SqlConnection.Connection["execute"]
  readonly executeRaw: SqlConnection.Connection["executeRaw"]
  readonly executeStream: SqlConnection.Connection["executeStream"]
  readonly executeUnprepared: SqlConnection.Connection["executeUnprepared"]
  readonly executeValues: SqlConnection.Connection["executeValues"]
  readonly executeValuesUnprepared: SqlConnection.Connection["executeValuesUnprepared"]

  constructor(base: SqlConnection.Connection) {
    const note = (cause: Cause.Cause<unknown>) =>
      Effect.sync(() => {
        if (Cause.hasInterruptsOnly(cause)) this.isUncertain = true
        else this.hasFailed = true
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

const commit = (connection: WatchedConnection) => {
  const undo = Effect.suspend(() => Effect.andThen(control(connection, "ROLLBACK"), Effect.fail(aborted())))
  if (connection.hasFailed) return undo
  const committed = Effect.asVoid(storing(connection.executeUnprepared("COMMIT", [], undefined)))
  if (!connection.isUncertain) return committed
  // Only an aborted transaction refuses this statement.
  return Effect.matchEffect(connection.executeUnprepared("SELECT 1", [], undefined), {
    onFailure: () => undo,
    onSuccess: () => committed,
  })
}

/** Background work that has connections of its own, so that nothing else waits behind its statements. */
export type Lane = "dispatch" | "upkeep"

/** How to reserve a connection of each lane. Without one, the work uses the connections of everything else. */
type Lanes = ReadonlyMap<Lane, SqlClient.SqlClient["reserve"]>

/** The connection that a lane of a client has reserved for the current work. */
export const InLane = Context.Reference<
  | {
      readonly client: SqlClient.SqlClient["transactionService"]
      readonly connection: SqlConnection.Connection
    }
  | undefined
>("designwire/sql/InLane", { defaultValue: () => undefined })

/** The ways of a client to reserve a connection and to begin a transaction. */
interface Transactions extends Pick<SqlClient.SqlClient, "reserve" | "withTransaction"> {
  readonly lanes: Lanes
  /** Milliseconds that a transaction waits for a lock. */
  readonly lockWait: number
  /** Reserves a connection for a long read. Default: `reserve`. */
  readonly reserveRead: SqlClient.SqlClient["reserve"]
}

/** The connection of the current lane, or else one that is reserved. */
const reserveHere = (sql: SqlClient.SqlClient, reserve: SqlClient.SqlClient["reserve"]) =>
  Effect.flatMap(InLane, (lane) =>
    lane?.client === sql.transactionService ? Effect.succeed(lane.connection) : reserve,
  )

const make = (
  sql: SqlClient.SqlClient,
  reserve: SqlClient.SqlClient["reserve"],
  lockWait: number,
): Transactions["withTransaction"] =>
  SqlClient.makeWithTransaction<SqlClient.TransactionConnection, SqlConnection.Connection>({
    transactionService: sql.transactionService,
    spanAttributes: [["db.system.name", "postgresql"]],
    acquireConnection: (restore) =>
      Effect.map(restore(reserveHere(sql, reserve)), (connection) => new WatchedConnection(connection)),
    begin: (connection, statement) =>
      statement !== undefined
        ? control(connection, statement)
        : Effect.andThen(
            control(connection, "BEGIN"),
            // A transaction that fails to begin is not rolled back otherwise: the pool would get its connection within
            // it.
            Effect.onError(control(connection, `SELECT set_config('lock_timeout', '${lockWait}', true) AS waits`), () =>
              Effect.ignore(control(connection, "ROLLBACK")),
            ),
          ),
    commit: (connection) => commit(connection as WatchedConnection),
    rollback: (connection) => control(connection, "ROLLBACK"),
    savepoint: (connection, id) => control(connection, `SAVEPOINT designwire_${id}`),
    releaseSavepoint: (connection, id) => control(connection, `RELEASE SAVEPOINT designwire_${id}`),
    rollbackSavepoint: (connection, id) =>
      Effect.tap(control(connection, `ROLLBACK TO SAVEPOINT designwire_${id}`), () =>
        Effect.sync(() => {
          Object.assign(connection, { hasFailed: false, isUncertain: false })
        }),
      ),
  })

/** How transactions wait, and get their connections. */
export interface TransactionOptions extends Waits {
  /** Default: as the client has it. */
  readonly reserve?: SqlClient.SqlClient["reserve"]
  readonly reserveRead?: SqlClient.SqlClient["reserve"]
  readonly lanes?: Lanes
}

const made = new WeakMap<SqlClient.SqlClient["transactionService"], Transactions>()

/**
 * The one `withTransaction` of a client and its copies, in which nested transactions are savepoints, and its `reserve`.
 * The first call, from the client's layer, says how long they wait. A transaction that is begun by the statement of
 * `BeginTransaction` waits for locks as long as the session does.
 */
export const checkedTransactions = (
  sql: SqlClient.SqlClient,
  {
    connectionWait = defaultConnectionWait,
    lockWait = defaultLockWait,
    lanes = new Map(),
    reserve: connection = sql.reserve,
    reserveRead = connection,
  }: TransactionOptions = {},
): Transactions => {
  const known = made.get(sql.transactionService)
  if (known !== undefined) return known
  const timed = inTime(connectionWait)
  const reserve = timed(connection)
  const transactions = {
    lockWait,
    reserve,
    reserveRead: timed(reserveRead),
    lanes: new Map([...lanes].map(([lane, reserve]) => [lane, timed(reserve)])),
    withTransaction: make(sql, reserve, lockWait),
  }
  made.set(sql.transactionService, transactions)
  return transactions
}

/** Whether a connection belongs to a transaction of {@link checkedTransactions}. */
export const isChecked = (connection: SqlConnection.Connection): boolean => connection instanceof WatchedConnection
