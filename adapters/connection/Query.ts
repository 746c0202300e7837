/** A row by its columns' names. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Runs one statement on a connection of the embedder's: text with `$1` …, and its values, which are texts, numbers, booleans and nulls. Answers the rows,
 * none where the statement answers none.
 *
 * What it fails with has the database's SQLSTATE as its `code`, or has it in the `cause` of its `cause` …, as the errors of `pg` and postgres.js do.
 */
export type Query = {
  (text: string, values: ReadonlyArray<unknown>): PromiseLike<ReadonlyArray<Row>>
  /**
   * Sets a savepoint for what `run` does, releases it afterwards, and rolls back to it where `run` fails, whose failure it then fails with. Only for
   * libraries that must know of savepoints; for the others it is done with SQL.
   */
  readonly savepoint?: (run: (query: Query) => Promise<void>) => Promise<void>
}

/** A connection of a pool, for one transaction. */
export interface Reserved {
  readonly query: Query
  /** Gives the connection back; `broken`: it may be in the middle of a transaction, or lost, and must not be lent again. */
  readonly release: (broken: boolean) => void
}

/** What is heard over a connection that listens. */
export interface Listener {
  readonly heard: (channel: string, payload: string) => void
  /** The connection is lost: nothing will be heard any more. */
  readonly lost: (reason: unknown) => void
}

/** A pool of connections of the embedder's. */
export interface OwnPool {
  /** Runs a statement on any connection, outside of transactions. */
  readonly query: Query
  readonly reserve: () => Promise<Reserved>
  /** Listens to channels for as long as it is not stopped by what it answers. Left out where the pool can't. */
  readonly listen?: (channels: ReadonlyArray<string>, listener: Listener) => Promise<() => void | Promise<void>>
}

const known = new WeakMap<object, Query>()

/** The one query of a connection or transaction: calls that come in over the same one wait for each other. */
export const queryOf = <C extends object>(connection: C, make: (connection: C) => Query): Query => {
  const before = known.get(connection)
  if (before !== undefined) return before
  const query = make(connection)
  known.set(connection, query)
  return query
}
