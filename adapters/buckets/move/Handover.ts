/** What replication leaves out: sequences, and the rows of unlogged tables. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { closedSchema, type NamedPlace, quoted } from "./Places.ts"
import { tablesOf } from "./Tables.ts"

/** More than a server may have given out without its log saying so. */
const margin = 1_000

/** Rows to a statement. */
const batch = 1_000

/** Hands over what the closed source has, within a transaction at the target. */
export const handOver = Effect.fnUntraced(function* (
  source: NamedPlace,
  target: NamedPlace,
  schema: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  const from = closedSchema(schema)
  for (const name of yield* sequencesOf(source.sql, from)) {
    const [row] = yield* source.sql.unsafe<{ last: string }>(
      `SELECT last_value::text AS last FROM ${quoted(from, name)}`,
    )
    // The last value counts as given out.
    yield* target.sql.unsafe(
      `SELECT setval('${quoted(schema, name)}', greatest(last_value, $1::text::bigint + ${margin}))::text AS last
FROM ${quoted(schema, name)}`,
      [row?.last],
    )
  }
  for (const { logged, name } of yield* tablesOf(source.sql, from)) {
    if (!logged) yield* copyRows(source.sql, quoted(from, name), target.sql, quoted(schema, name))
  }
})

const sequencesOf = (sql: SqlClient.SqlClient, schema: string) =>
  Effect.map(
    sql<{ name: string }>`SELECT c.relname::text AS name
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ${schema}::text AND c.relkind = 'S' ORDER BY 1`,
    (rows) => rows.map(({ name }) => name),
  )

/** Replaces the rows of a table by all rows of another one, which nothing changes meanwhile. */
const copyRows = Effect.fnUntraced(function* (
  source: SqlClient.SqlClient,
  from: string,
  target: SqlClient.SqlClient,
  to: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  yield* target.unsafe(`TRUNCATE ${to}`)
  for (let offset = 0; ; offset += batch) {
    // Partitions have rows with the same ctid.
    const [page] = yield* source.unsafe<{ rows: string | null; count: number }>(
      `SELECT json_agg(r)::text AS rows, count(*)::int4 AS count
FROM (SELECT * FROM ${from} ORDER BY tableoid, ctid OFFSET ${offset} LIMIT ${batch}) r`,
    )
    if (page === undefined || page.rows === null) return
    yield* target.unsafe(`INSERT INTO ${to} SELECT * FROM json_populate_recordset(NULL::${to}, $1::text::json)`, [
      page.rows,
    ])
    if (page.count < batch) return
  }
})
