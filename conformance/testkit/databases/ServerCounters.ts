/** Counters of the server's work. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const counted = Effect.fnUntraced(function* (counter: string, from: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush() IS NULL AS flushed`
  const [row] = yield* sql.unsafe<{ count: number }>(`SELECT ${counter}::float8 AS count FROM ${from}`)
  return row?.count ?? Number.NaN
})

/** Rows of a table read so far without an index. */
export const rowsRead = (table: string) => counted("seq_tup_read", `pg_stat_user_tables WHERE relname = '${table}'`)

/** Entries of an index read so far. */
export const entriesRead = (index: string) =>
  counted("idx_tup_read", `pg_stat_user_indexes WHERE indexrelname = '${index}'`)
