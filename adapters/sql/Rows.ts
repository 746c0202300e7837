import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../core/model/Instant.ts"

/** The types of columns, and what a record has for each. */
interface Types {
  readonly text: string
  readonly int4: number
  /** Integers up to 2^53 − 1. */
  readonly int8: number
  readonly bool: boolean
  readonly timestamptz: Instant
  readonly jsonb: object
}

type Columns = Readonly<Record<string, keyof Types>>

type RecordOf<C extends Columns> = { readonly [Name in keyof C]: Types[C[Name]] | null }

/**
 * Records as the rows of a statement: `FROM ${rows(sql, { id: "text", at: "timestamptz" }, records)} AS r`, with the columns' names and types behind the alias.
 *
 * They travel as one JSON text: every driver sends a text alike, nulls and booleans included, and to the byte.
 */
export const rows = <const C extends Columns>(
  sql: SqlClient.SqlClient,
  alias: string,
  columns: C,
  records: ReadonlyArray<RecordOf<C>>,
): Statement.Fragment => {
  const instants = Object.keys(columns).filter((name) => columns[name] === "timestamptz")
  const written =
    instants.length === 0
      ? records
      : records.map((record) => ({
          ...record,
          ...Object.fromEntries(instants.map((name) => [name, time(record[name])])),
        }))
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return sql`json_to_recordset(${JSON.stringify(written)}::text::json) AS ${sql.literal(`${alias} (${types.join(", ")})`)}`
}

/**
 * A condition that is always true, on a text column without nulls. It makes the planner expect one row, and so look up what belongs to each row by its key, also by a
 * plan that was made while the tables were empty.
 */
export const expectFew = (column: string): string => `${column} = coalesce(${column}, '')`

/**
 * {@link expectFew}, but only for the plan that is made without the parameters and kept. One made with them then never looks cheaper than that: where it does,
 * Postgres plans anew each time, and planning a statement with many parts takes several times as long as running it.
 */
export const expectFewOnceKept = (sql: SqlClient.SqlClient, column: string): Statement.Fragment =>
  sql`(${sql.literal(expectFew(column))} OR ${0}::int4 = 0)`

const time = (instant: unknown): string | null => (typeof instant === "number" ? format(instant) : null)

/** Reads a column of instants as milliseconds: drivers make different things of a timestamp, and all read a number alike. */
export const milliseconds = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`
