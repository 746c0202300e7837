import { Context, Effect } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"

/** Whether a call is made within an outer transaction: of `sql.withTransaction`, or one that {@link join} leads into. */
export const inTransaction = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  Effect.withFiber((fiber) =>
    Effect.succeed(Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined),
  )

/**
 * Whether statements outside of transactions may share connections, so that one may wait behind another. Default: true. Where it is false, each has a connection
 * for itself while it runs.
 */
export const SharedConnections = Context.Reference<boolean>("designwire/sql/SharedConnections", {
  defaultValue: () => true,
})

/**
 * Makes what runs statements, outside of transactions, on a connection that nothing else uses meanwhile: if they wait for a lock or take long, nothing waits behind
 * them. Whoever interrupts them waits until the one at work has ended.
 */
export const makeAlone = (sql: SqlClient.SqlClient) =>
  Effect.map(SharedConnections, (shared) => <A, E, R>(statements: Effect.Effect<A, E, R>) => {
    // Pools of others can't cancel them.
    if (!shared) return Effect.uninterruptible(statements)
    return Effect.scoped(
      Effect.flatMap(sql.reserve, (connection) =>
        Effect.provideService(statements, sql.transactionService, [connection, 0]),
      ),
    )
  })

/** A transaction that somebody else has begun and will end, and a savepoint in it. */
export interface OuterTransaction {
  readonly connection: SqlConnection.Connection
  readonly set: Effect.Effect<void, SqlError.SqlError>
  readonly release: Effect.Effect<void, SqlError.SqlError>
  readonly rollBack: Effect.Effect<void, SqlError.SqlError>
}

const Outer = Context.Reference<OuterTransaction | undefined>("designwire/sql/OuterTransaction", {
  defaultValue: () => undefined,
})

const outer = Effect.flatMap(Outer, (found) =>
  found === undefined ? Effect.die(new Error("No outer transaction")) : Effect.succeed(found),
)

/** Transactions of a client that begin with a savepoint in an outer one. */
const makeSavepoints = (sql: SqlClient.SqlClient) =>
  SqlClient.makeWithTransaction({
    transactionService: sql.transactionService,
    spanAttributes: [],
    acquireConnection: () => Effect.map(outer, ({ connection }) => connection),
    begin: () => Effect.flatMap(outer, ({ set }) => set),
    commit: () => Effect.flatMap(outer, ({ release }) => release),
    rollback: () => Effect.flatMap(outer, ({ rollBack }) => rollBack),
    savepoint: (connection, id) => control(connection, `SAVEPOINT designwire_${id}`),
    releaseSavepoint: (connection, id) => control(connection, `RELEASE SAVEPOINT designwire_${id}`),
    rollbackSavepoint: (connection, id) => control(connection, `ROLLBACK TO SAVEPOINT designwire_${id}`),
  })

const control = (connection: SqlConnection.Connection, statement: string) =>
  Effect.asVoid(connection.executeUnprepared(statement, [], undefined))

// By the service that both a client and what is derived of it have: nested transactions find the one around them through it.
const savepointsOf = new WeakMap<object, ReturnType<typeof makeSavepoints>>()

const savepoints = (sql: SqlClient.SqlClient) => {
  const known = savepointsOf.get(sql.transactionService)
  if (known !== undefined) return known
  const made = makeSavepoints(sql)
  savepointsOf.set(sql.transactionService, made)
  return made
}

/** Runs an effect in a transaction that somebody else has begun and will end: a savepoint is set before it, and released, or rolled back where it fails. */
export const join =
  (sql: SqlClient.SqlClient, transaction: OuterTransaction) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.updateContext(
      savepoints(sql)(effect),
      (context: Context.Context<R>) =>
        Context.omit(sql.transactionService)(context).pipe(Context.add(Outer, transaction)) as Context.Context<R>,
    )

/** Whether a call is made within a transaction that {@link join} leads into. */
export const isJoined = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  Effect.withFiber((fiber) => {
    const connection = Context.getOrUndefined(fiber.context, sql.transactionService)?.[0]
    return Effect.succeed(connection !== undefined && connection === fiber.getRef(Outer)?.connection)
  })

/** A client that can be led into transactions of others. Nothing is done there after the commit: nobody tells when it comes. */
export const joinable = (sql: SqlClient.SqlClient): SqlClient.SqlClient => {
  const statement = (...parameters: Parameters<SqlClient.SqlClient>) => sql(...parameters)
  const client = Object.assign(statement, sql, {
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(isJoined(sql), (joined) => (joined ? savepoints(sql)(effect) : sql.withTransaction(effect))),
    afterCommit: <R>(effect: Effect.Effect<void, never, R>) =>
      Effect.flatMap(isJoined(sql), (joined) => (joined ? Effect.void : sql.afterCommit(effect))),
  }) as SqlClient.SqlClient
  return Object.assign(client, { safe: client, withoutTransforms: () => joinable(sql.withoutTransforms()) })
}
