import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { StorageError } from "designwire/ports"
import { Effect } from "effect"

/** Records are stored as JSON alongside their indexed columns. Texts compare bytewise, which is by code point. */
const schema = `
CREATE TABLE IF NOT EXISTS shops (id TEXT PRIMARY KEY, record TEXT);
CREATE TABLE IF NOT EXISTS tokens (
  shop TEXT, id TEXT, digest TEXT UNIQUE, created_at INTEGER, record TEXT, PRIMARY KEY (shop, id)
);
`

/** SQLite's error while another process writes: a retry may succeed. */
const busy = [5, 6]

/**
 * A connection to a file. Statements are synchronous, so the statements of one effect are not interleaved with others
 * of this process.
 */
export class Database {
  readonly #sqlite: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#sqlite = new DatabaseSync(path)
    // A commit survives a crash of the process; a crash of the machine may lose only the last commits.
    this.#sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    this.#sqlite.exec(schema)
  }

  close(): void {
    this.#sqlite.close()
  }

  /** The first row, typed by the caller according to the schema. */
  first<A>(sql: string, ...values: ReadonlyArray<SQLInputValue>): A | undefined {
    return this.#prepare(sql).get(...values) as A | undefined
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: ReadonlyArray<SQLInputValue>): number {
    return Number(this.#prepare(sql).run(...values).changes)
  }

  /** The records in rows of JSON. */
  records<A>(sql: string, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<A> {
    const rows: ReadonlyArray<unknown> = this.#prepare(sql).all(...values)
    return rows.map((row) => JSON.parse((row as { readonly record: string }).record) as A)
  }

  record<A>(sql: string, ...values: ReadonlyArray<SQLInputValue>): A | undefined {
    return this.records<A>(sql, ...values)[0]
  }

  /** Runs the statements atomically. */
  attempt<A>(what: string, run: () => A): Effect.Effect<A, StorageError> {
    return Effect.try({
      try: () => {
        this.#sqlite.exec("BEGIN IMMEDIATE")
        try {
          const answer = run()
          this.#sqlite.exec("COMMIT")
          return answer
        } finally {
          if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK")
        }
      },
      catch: (cause) => {
        const code = cause instanceof Error && "errcode" in cause ? Number(cause.errcode) & 0xff : -1
        const reason = cause instanceof Error ? cause.message : String(cause)
        return new StorageError({ message: `${what}: ${reason}`, cause, isRetryable: busy.includes(code) })
      },
    })
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const prepared = this.#sqlite.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}
