/** The tables of a schema, and locks on all of them. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { quoted } from "./Places.ts"

/** A table; its partitions belong to it. */
export interface Table {
  readonly name: string
  /** Whether its changes are logged, and can be replicated. */
  readonly logged: boolean
}

/** Migrator's account of the migrations that have run. Each database has its own. */
export const migrationsTable = "migrations"

/** The tables of a schema by name. A missing schema has none. */
export const tablesOf = (
  sql: SqlClient.SqlClient,
  schema: string,
): Effect.Effect<ReadonlyArray<Table>, SqlError.SqlError> =>
  sql<{ name: string; logged: boolean }>`SELECT c.relname::text AS name, NOT EXISTS (
  SELECT FROM pg_catalog.pg_partition_tree(c.oid) t JOIN pg_catalog.pg_class p ON p.oid = t.relid
  WHERE p.relpersistence <> 'p'
) AND c.relpersistence = 'p' AS logged
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ${schema}::text AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`

const limitStatements = (sql: SqlClient.SqlClient, milliseconds: number) =>
  sql`SELECT set_config('statement_timeout', ${String(milliseconds)}, true) AS ends`

/**
 * Runs a transaction that is on disk once it has ended, whatever the server does otherwise: a crash must not undo a
 * stage of a move once another database has been changed after it.
 */
export const durably = <A, E, R>(
  sql: SqlClient.SqlClient,
  transaction: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  sql.withTransaction(Effect.andThen(sql`SELECT set_config('synchronous_commit', 'on', true) AS flushed`, transaction))

/** Whether there is a schema of a name. */
export const hasSchema = (sql: SqlClient.SqlClient, schema: string): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql`SELECT 1 AS found FROM pg_catalog.pg_namespace WHERE nspname = ${schema}::text`,
    (rows) => rows.length > 0,
  )

/**
 * Locks all tables of a schema until the transaction ends.
 *
 * `SHARE UPDATE EXCLUSIVE` keeps neither readers nor writers waiting. It waits for transactions of other commands that
 * close, reopen or open a bucket, and makes autovacuum give way. `EXCLUSIVE` waits for all who have written,
 * `ACCESS EXCLUSIVE` for all who have read, too.
 */
export const lockTables = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  schema: string,
  mode: "SHARE UPDATE EXCLUSIVE" | "EXCLUSIVE" | "ACCESS EXCLUSIVE",
  /** Milliseconds to wait for all of them. */
  wait: number,
): Effect.fn.Return<void, SqlError.SqlError> {
  const tables = yield* tablesOf(sql, schema)
  if (tables.length === 0) return
  // A limit for each lock would add up.
  yield* limitStatements(sql, wait)
  yield* sql.unsafe(`LOCK TABLE ${tables.map(({ name }) => quoted(schema, name)).join(", ")} IN ${mode} MODE`)
  yield* limitStatements(sql, 0)
})

/** The migrations that have run in a schema, as a text to compare. */
export const migrationsIn = (sql: SqlClient.SqlClient, schema: string): Effect.Effect<string, SqlError.SqlError> =>
  Effect.map(
    sql.unsafe<{ id: number; name: string }>(
      `SELECT migration_id AS id, name FROM ${quoted(schema, migrationsTable)} ORDER BY 1`,
    ),
    (rows) => rows.map(({ id, name }) => `${id}_${name}`).join(", "),
  )
