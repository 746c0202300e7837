/** Transactions of the stores: their own, an outer `sql.withTransaction`, or an embedder's that a call has joined. */
import { Context, Effect, type Fiber } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { checkedTransactions, InLane, isChecked, type Lane, type TransactionOptions } from "./CheckedTransaction.ts"
import { reported } from "./Outcome.ts"
import { uncached } from "./Uncached.ts"

/** Whether a call runs within an outer transaction: a `sql.withTransaction` around it, or a {@link Joined} one. */
export const inTransaction = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  Effect.withFiber((fiber) =>
    Effect.succeed(Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined),
  )

/**
 * Whether statements outside of transactions may share a connection, so that one may queue behind another.
 * Default: true. If false, each statement has a connection to itself while it runs.
 */
export const SharedConnections = Context.Reference<boolean>("designwire/sql/SharedConnections", {
  defaultValue: () => true,
})

/**
 * Returns a function that runs statements outside of transactions on a connection that nothing else uses meanwhile:
 * nothing queues behind them if they wait for a lock or take long. Interrupting them waits for the current statement.
 */
export const onOwnConnection = (sql: SqlClient.SqlClient) =>
  Effect.map(SharedConnections, (shared) => <A, E, R>(statements: Effect.Effect<A, E, R>) => {
    // A statement over an embedder's pool can't be cancelled.
    if (!shared) return Effect.uninterruptible(statements)
    return onConnectionOf(sql, sql.reserve, statements)
  })

/**
 * Like {@link onOwnConnection}, for reads: connections are left for them while changes wait for locks.
 */
export const readAlone = (sql: SqlClient.SqlClient) =>
  Effect.map(SharedConnections, (shared) => <A, E, R>(statements: Effect.Effect<A, E, R>) => {
    if (!shared) return Effect.uninterruptible(statements)
    return onConnectionOf(sql, checkedTransactions(sql).reserveRead, statements)
  })

/**
 * Returns a function that runs background work on a connection of its lane, transactions included: requests wait for
 * none of it. Within an outer transaction it runs there.
 */
export const inLane = (sql: SqlClient.SqlClient, lane: Lane) => {
  const reserve = checkedTransactions(sql).lanes.get(lane)
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    reserve === undefined
      ? work
      : Effect.flatMap(inTransaction(sql), (within) => {
          if (within) return work
          const noted = Effect.withFiber<A, E, R>((fiber) => {
            const connection = currentConnection(sql, fiber)
            const client = sql.transactionService
            return Effect.provideService(work, InLane, connection === undefined ? undefined : { client, connection })
          })
          return onConnectionOf(sql, reserve, noted)
        })
}

const onConnectionOf = <A, E, R>(
  sql: SqlClient.SqlClient,
  reserve: SqlClient.SqlClient["reserve"],
  statements: Effect.Effect<A, E, R>,
) =>
  Effect.scoped(
    Effect.flatMap(reserve, (connection) => Effect.provideService(statements, sql.transactionService, [connection, 0])),
  )

/** An embedder's transaction, as the call that has joined it sees it. */
export interface JoinedTransaction {
  /** Identifies the transaction: it is the same for every call in it. */
  readonly id: object
  readonly connection: SqlConnection.Connection
  /** Runs an effect between a savepoint and its release. */
  readonly withTransaction: SqlClient.SqlClient["withTransaction"]
}

/** The embedder's transaction that the current call has joined. `designwire/connection` provides it. */
export const Joined = Context.Reference<JoinedTransaction | undefined>("designwire/sql/Joined", {
  defaultValue: () => undefined,
})

/** The connection that statements of this client run on, if it is reserved for them. */
const currentConnection = (sql: SqlClient.SqlClient, fiber: Fiber.Fiber<unknown, unknown>) =>
  Context.getOrUndefined(fiber.context, sql.transactionService)?.[0]

/** The joined transaction, if statements of this client run in it: other clients, and reserved connections, don't. */
const joinedBy = (sql: SqlClient.SqlClient): Effect.Effect<JoinedTransaction | undefined> =>
  Effect.withFiber((fiber) => {
    const joined = fiber.getRef(Joined)
    return Effect.succeed(currentConnection(sql, fiber) === joined?.connection ? joined : undefined)
  })

/** The connection of the current transaction, if it is {@link undividedTransaction}. */
const Undivided = Context.Reference<SqlConnection.Connection | undefined>("designwire/sql/Undivided", {
  defaultValue: () => undefined,
})

/** Whether statements of this client run in {@link undividedTransaction}. */
export const isUndivided = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  Effect.withFiber((fiber) => {
    const connection = fiber.getRef(Undivided)
    return Effect.succeed(connection !== undefined && connection === currentConnection(sql, fiber))
  })

/**
 * A transaction of our own that has to fail once a statement in it has: it needs no savepoints. Its first statement
 * sets how long it waits for locks, so that no statement has to.
 */
export const undividedTransaction = <A, E, R>(sql: SqlClient.SqlClient, statements: Effect.Effect<A, E, R>) =>
  Effect.withFiber<A, E | SqlError.SqlError, R>((fiber) => {
    const { BeginTransaction } = SqlClient
    const begun = fiber.getRef(BeginTransaction)
    const marked = Effect.withFiber<A, E, R>((within) =>
      statements.pipe(
        Effect.provideService(Undivided, currentConnection(sql, within)),
        Effect.provideService(BeginTransaction, begun),
      ),
    )
    return Effect.provideService(sql.withTransaction(marked), BeginTransaction, begun ?? "BEGIN")
  })

/** Begins a transaction, or sets a savepoint in the current one, by the means of whatever began that. */
const transactionOf = (
  sql: SqlClient.SqlClient,
  ours: SqlClient.SqlClient["withTransaction"],
): Effect.Effect<SqlClient.SqlClient["withTransaction"]> =>
  Effect.withFiber((fiber) => {
    const connection = currentConnection(sql, fiber)
    const joined = fiber.getRef(Joined)
    if (connection === undefined || isChecked(connection)) return Effect.succeed(ours)
    // It takes the connection of the lane.
    if (connection === fiber.getRef(InLane)?.connection) return Effect.succeed(asOutermost(sql, ours))
    return Effect.succeed((connection === joined?.connection ? joined : sql).withTransaction)
  })

/** Begins a transaction on a connection that is reserved, rather than a savepoint. */
const asOutermost =
  (sql: SqlClient.SqlClient, ours: SqlClient.SqlClient["withTransaction"]): SqlClient.SqlClient["withTransaction"] =>
  (effect) =>
    Effect.updateContext(ours(effect), (context) => Context.omit(sql.transactionService)(context) as typeof context)

/** Whether the statements of a call run in a transaction that an embedder will commit. */
export const isJoined = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  Effect.map(joinedBy(sql), (joined) => joined !== undefined)

/**
 * A client whose transactions are savepoints within a {@link Joined} one. There `afterCommit` does nothing: only the
 * embedder learns of the commit. Its own transactions report every failed COMMIT, and wait for connections and locks as
 * `options` say.
 */
export const joinable = <Client extends SqlClient.SqlClient>(sql: Client, options?: TransactionOptions): Client => {
  const { reserve, withTransaction } = checkedTransactions(uncached(sql), options)
  const statement = (...parameters: Parameters<SqlClient.SqlClient>) => sql(...parameters)
  const client = Object.assign(statement, sql, {
    reserve,
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      reported(Effect.flatMap(transactionOf(sql, withTransaction), (within) => within(effect))),
    afterCommit: <R>(effect: Effect.Effect<void, never, R>) =>
      Effect.flatMap(joinedBy(sql), (joined) => (joined === undefined ? sql.afterCommit(effect) : Effect.void)),
  }) as Client
  return Object.assign(client, { safe: client, withoutTransforms: () => joinable(sql.withoutTransforms()) })
}
