/** The rows of a database, and a script that adds them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The tables of the schema, but for the account of migrations, which their script writes. */
const tables = Effect.map(
  SqlClient.SqlClient.use(
    (sql) =>
      sql<{ name: string }>`SELECT relname AS name FROM pg_class
WHERE relnamespace = 'designwire'::regnamespace AND relkind = 'r' AND relname <> 'migrations' ORDER BY 1`,
  ),
  (rows) => rows.map(({ name }) => name),
)

/** A row, each value as text. */
type Row = Readonly<Record<string, string | null>>

/** The rows of every table, by the table's name. */
export const rowsOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found: Record<string, ReadonlyArray<Row>> = {}
  for (const name of yield* tables) {
    const columns = yield* sql<{ name: string }>`SELECT attname AS name FROM pg_attribute
WHERE attrelid = ${`designwire.${name}`}::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`
    const texts = columns.map((column) => `${column.name}::text`).join(", ")
    found[name] = yield* sql.unsafe<Row>(
      `SELECT ${texts} FROM designwire.${name} ORDER BY ${columns.map((_, at) => at + 1)}`,
    )
  }
  return found
})

const literal = (value: string | null): string => (value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`)

/** A script that adds the rows, and sets the sequence to where it is. */
export const rowsScript = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const inserts = Object.entries(yield* rowsOf).flatMap(([table, rows]) =>
    rows.map((row) => {
      const values = Object.values(row).map(literal).join(", ")
      return `INSERT INTO designwire.${table} (${Object.keys(row).join(", ")}) VALUES (${values});`
    }),
  )
  const [last] = yield* sql<{ position: string }>`SELECT last_value::text AS position FROM designwire.feed_positions`
  return [...inserts, `SELECT setval('designwire.feed_positions', ${last?.position});`, ""].join("\n")
})
