import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"

/** Column types, and the record's type for each. */
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
 * Records as the rows of a statement: `FROM ${rows(sql, { id: "text", at: "timestamptz" }, records)} AS r`, with column
 * names and types after the alias.
 *
 * They are sent as one JSON text: every driver sends a text alike, including nulls and booleans, byte for byte.
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
 * A condition that is always true, on a text column without nulls. It makes the planner expect one row, and therefore
 * look up related rows by key, even in a plan made while the tables were empty.
 */
export const hintFew = (column: string): string => `${column} = coalesce(${column}, '')`

/**
 * {@link hintFew}, but only for the generic plan. A custom plan then never looks cheaper; otherwise Postgres would plan
 * the statement each time, and planning a large statement takes several times as long as running it.
 */
export const hintFewInGenericPlan = (sql: SqlClient.SqlClient, column: string): Statement.Fragment =>
  sql`(${sql.literal(hintFew(column))} OR ${0}::int4 = 0)`

const time = (instant: unknown): string | null => (typeof instant === "number" ? format(instant) : null)

/** Reads a column of instants as milliseconds: drivers disagree about timestamps, but all read a number alike. */
export const milliseconds = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`
