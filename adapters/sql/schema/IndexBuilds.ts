/** Indexes of tables that hosts write, which take minutes to build in a large one. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { inTransaction, onOwnConnection } from "../statements/Transaction.ts"

const index = /^CREATE INDEX IF NOT EXISTS (\w+) ON /

/** Whether a migration makes indexes and nothing else, so that they can be built before it. */
export const makesIndexes = (statements: ReadonlyArray<string>): boolean =>
  statements.length > 0 && statements.every((statement) => index.test(statement))

/**
 * Builds the indexes of a migration, which then finds them. Nothing waits for a build; it waits for transactions that
 * are open. An index that a killed build has left unfinished is built again.
 */
export const buildIndexes = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  statements: ReadonlyArray<string>,
): Effect.fn.Return<void, SqlError.SqlError> {
  // Nobody else sees the tables that a transaction makes.
  if (yield* inTransaction(sql)) return
  const apart = yield* onOwnConnection(sql)
  for (const statement of statements) yield* apart(build(sql, statement))
})

const build = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  statement: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  const name = `designwire.${index.exec(statement)?.[1]}`
  const [found] = yield* sql.unsafe<{ isUsable: boolean }>(`SELECT i.indisvalid OR EXISTS (
  SELECT FROM pg_catalog.pg_stat_progress_create_index p
  WHERE p.datname = current_database() AND p.index_relid = i.indexrelid
) AS "isUsable" FROM pg_catalog.pg_index i WHERE i.indexrelid = to_regclass('${name}')`)
  // The migration waits for an index that another command builds.
  if (found?.isUsable === true) return
  if (found !== undefined) yield* sql.unsafe(`DROP INDEX CONCURRENTLY ${name}`)
  yield* sql.unsafe(statement.replace("INDEX IF NOT EXISTS", "INDEX CONCURRENTLY"))
})
