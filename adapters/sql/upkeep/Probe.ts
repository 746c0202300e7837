import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { StorageError } from "../../../core/ports/StorageError.ts"

/** Indexed columns of the tables that every kind of read and change looks into. */
const columns = [
  ["shops", "id"],
  ["tokens", "digest"],
  ["customizers", "shop"],
  ["designs", "shop"],
  ["orders", "shop"],
  ["events", "shop"],
] as const

/** More numbers than the least working memory holds: the server writes them to a file of its own, and removes it. */
const numbers = 8_000

const nothing = (sql: SqlClient.SqlClient): ReadonlyArray<Statement.Fragment> =>
  columns.map(([table, column]) => sql.literal(`EXISTS (SELECT 1 FROM designwire.${table} WHERE ${column} = '')`))

/**
 * Runs `Upkeep.probe`: finds nothing in each table, and has the server write a file. Servers of providers take no
 * changes any more before their disk is full.
 */
export const probe = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError | StorageError> =>
  Effect.flatMap(
    sql<{ readonly: boolean }>`WITH memory AS MATERIALIZED (SELECT set_config('work_mem', '64kB', true) AS size)
SELECT current_setting('transaction_read_only')::bool AS readonly,
  (SELECT count(*)::int4 FROM memory CROSS JOIN LATERAL generate_series(1, ${sql.literal(String(numbers))} + length(size) * 0) n) AS written,
  ${sql.or(nothing(sql))} AS found`,
    ([row]) => (row?.readonly === true ? takesNoChanges : Effect.void),
  )

const takesNoChanges = new StorageError({
  message: "The database is read-only: its disk may be full, or it may be a standby",
  cause: undefined,
  isRetryable: true,
})
