import { Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { numberOf } from "./KnownMigrations.ts"

/** The table with the account of the migrations that have run, as Effect's `Migrator` makes it. */
export const createAccount = `CREATE TABLE IF NOT EXISTS designwire.migrations (
  migration_id integer PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL
)`

/** Enters a migration into the account, with the older migration that hosts must know to continue alongside it. */
export const entry = (name: string, compatibleWith?: number): string => {
  const [id, text = ""] = name.split(/_(.*)/s)
  // Before the twelfth the account has no such column.
  return compatibleWith === undefined || compatibleWith >= Number(id)
    ? `INSERT INTO designwire.migrations (migration_id, name) VALUES (${id}, '${text}')`
    : `INSERT INTO designwire.migrations (migration_id, name, compatible_with) VALUES (${id}, '${text}', ${compatibleWith})`
}

/**
 * Runs the migrations that the account lacks, and enters them there. Runs within the current transaction. Fails with a
 * `MigrationError` of the kind `Locked` if a table stays in use by others.
 *
 * Effect's `Migrator` locks the account until the transaction ends: the probes of hosts read it meanwhile.
 */
export const runMigrations = Effect.fnUntraced(function* (
  migrations: Readonly<Record<string, ReadonlyArray<string>>>,
  compatibleWith: Readonly<Record<string, number>> = {},
): Effect.fn.Return<ReadonlyArray<string>, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(createAccount)
  const done = yield* sql<{ id: number }>`SELECT migration_id AS id FROM designwire.migrations`
  const ids = new Set(done.map(({ id }) => id))
  const missing = Object.keys(migrations).filter((name) => !ids.has(numberOf(name)))
  for (const name of missing) {
    yield* Effect.forEach(
      [entry(name, compatibleWith[name]), ...(migrations[name] ?? [])],
      (statement) => sql.unsafe(statement),
      { discard: true },
    ).pipe(Effect.mapError(failed(name)), Effect.withSpan(`Migration ${name}`))
  }
  return missing
})

/** The error of a migration whose statement failed. */
export const failed = (name: string) => (cause: SqlError.SqlError) =>
  inUse.has(cause.reason._tag)
    ? new Migrator.MigrationError({
        kind: "Locked",
        message: `The migration ${name} waits: other transactions keep a table in use that it changes`,
      })
    : new Migrator.MigrationError({ cause, kind: "Failed", message: `The migration ${name} failed` })

const inUse = new Set(["LockTimeoutError", "DeadlockError"])
