import { Effect, Semaphore, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { isRefusal, sqlErrorOf } from "./Failure.ts"
import type { Query, Row } from "./Query.ts"

/** Runs a statement and returns its rows. */
type Run = (text: string, values: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>

const run =
  (query: Query): Run =>
  (text, values) =>
    Effect.tryPromise({ try: async () => query(text, values.map(plain)), catch: sqlErrorOf })

/** Libraries send a list in different ways, and a text in the same. */
const plain = (value: unknown): unknown => (Array.isArray(value) ? `{${value.map(element).join()}}` : value)

const element = (value: unknown): string => `"${String(value).replace(/[\\"]/g, "\\$&")}"`

const connection = (run: Run): SqlConnection.Connection => {
  const execute: SqlConnection.Connection["execute"] = (text, values, transform) =>
    transform === undefined ? run(text, values) : Effect.map(run(text, values), transform)
  const executeValues = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.map(run(text, values), (rows) => rows.map((row) => Object.values(row)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: run,
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (text, values, transform) => Stream.fromIterableEffect(execute(text, values, transform)),
  }
}

/** Connections for single statements that don't wait for each other. */
export const poolConnection = (query: Query): SqlConnection.Connection => connection(run(query))

/** Whether a connection is lost: its first error that says so. */
export interface Loss {
  reason?: SqlError.SqlError
}

/**
 * One connection, for a transaction. It runs one statement at a time, because not every driver accepts several. A
 * statement that has begun is not interrupted, so that the end of the transaction follows it. Nothing is sent over a
 * lost connection: postgres.js would end the process.
 */
export const oneConnection = (query: Query, loss: Loss = {}): SqlConnection.Connection => {
  const turn = Semaphore.makeUnsafe(1)
  const send = run(query)
  const statement: Run = (text, values) =>
    Effect.suspend(() => (loss.reason === undefined ? send(text, values) : Effect.fail(loss.reason))).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (error.reason._tag === "ConnectionError") loss.reason = error
        }),
      ),
      Effect.uninterruptible,
    )
  return connection((text, values) => turn.withPermit(statement(text, values)))
}

/** A connection that is reserved for a transaction of ours. */
export const reservedConnection = (query: Query) => {
  let isOpen = false
  const connection = oneConnection(async (text, values) => {
    if (text === "BEGIN") isOpen = true
    const ends = text === "COMMIT" || text === "ROLLBACK"
    try {
      const rows = await query(text, values)
      if (ends) isOpen = false
      return rows
    } catch (error) {
      // A COMMIT that the server refuses ends the transaction too.
      if (text === "COMMIT" && isRefusal(error)) isOpen = false
      throw error
    }
  })
  return {
    connection,
    /** Whether nobody else may use the connection: it is lost, or in the middle of a transaction. */
    isBroken: () => isOpen,
  }
}
