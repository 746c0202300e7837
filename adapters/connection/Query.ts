import { noConnection } from "../sql/statements/Waits.ts"
import { isRefusal } from "./Failure.ts"

/** A row: values by column name. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Runs one statement on a connection of the embedder's: a text with `$1` …, and values that are texts, numbers,
 * booleans and nulls. Returns the rows, or an empty list if the statement returns none.
 *
 * A failure must have the database's SQLSTATE as its `code`, or as the `code` of its `cause`, or of the cause's
 * `cause`, and so on, like errors of `pg` and postgres.js.
 */
export type Query = {
  (text: string, values: ReadonlyArray<unknown>): PromiseLike<ReadonlyArray<Row>>
  /**
   * Sets a savepoint, calls `run`, and releases the savepoint; if `run` fails, rolls back to the savepoint and fails
   * with the same failure. Only for libraries that must know of savepoints: for the others, SQL does it.
   */
  readonly savepoint?: (run: (query: Query) => Promise<void>) => Promise<void>
}

/** A connection of a pool, for one transaction. */
export interface Reserved {
  readonly query: Query
  /**
   * Gives the connection back. If `broken`, it may be lost or in the middle of a transaction, and must not be lent
   * again.
   */
  readonly release: (broken: boolean) => void
}

/** Receives the messages of a connection that listens. */
export interface Listener {
  readonly heard: (channel: string, payload: string) => void
  /** The connection is lost: no more messages will come. */
  readonly lost: (reason: unknown) => void
}

/** The embedder's pool of connections. */
export interface OwnPool {
  /**
   * Runs a statement on any connection, outside of transactions. Fails if it gets no connection within `wait`
   * milliseconds; a pool that waits longer makes callers wait longer.
   */
  readonly query: (text: string, values: ReadonlyArray<unknown>, wait: number) => PromiseLike<ReadonlyArray<Row>>
  readonly reserve: () => Promise<Reserved>
  /** Listens to channels, until the returned function is called. Leave it out if the pool can't listen. */
  readonly listen?: (channels: ReadonlyArray<string>, listener: Listener) => Promise<() => void | Promise<void>>
}

const known = new WeakMap<object, Query>()

/** The one query of a connection or transaction: calls over the same query take turns. */
export const queryOf = <C extends object>(connection: C, make: (connection: C) => Query): Query => {
  const before = known.get(connection)
  if (before !== undefined) return before
  const query = make(connection)
  known.set(connection, query)
  return query
}

/** {@link OwnPool.query} of a pool that lends connections. */
export const queryReserved =
  (reserve: OwnPool["reserve"]): OwnPool["query"] =>
  async (text, values, wait) => {
    const { query, release } = await reservedInTime(reserve, wait)
    try {
      const rows = await query(text, values)
      release(false)
      return rows
    } catch (error) {
      release(!isRefusal(error))
      throw error
    }
  }

/** A connection that comes too late is given back. */
const reservedInTime = (reserve: OwnPool["reserve"], wait: number): Promise<Reserved> =>
  new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(noConnection(wait))
    }, wait)
    reserve()
      .then((reserved) => (isLate ? reserved.release(false) : resolve(reserved)))
      .catch(reject)
      .finally(() => clearTimeout(timer))
  })
