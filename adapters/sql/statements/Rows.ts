import { type SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { fixed } from "./Fixed.ts"

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
 * Records as the rows of a statement: `FROM ${rows("r", { id: "text", at: "timestamptz" }, records)}`, with the
 * columns by their names.
 *
 * Each column is sent as the text of an array: every driver sends a text alike, byte for byte, and Postgres reads an
 * array in a fraction of the time that it takes for JSON.
 */
export const rows = <const C extends Columns>(
  alias: string,
  columns: C,
  records: ReadonlyArray<RecordOf<C>>,
): Statement.Fragment => rowsNamed(alias, columns, records, (name) => name)

/** {@link rows} of records whose fields have other names than their columns. */
export const rowsNamed = (
  alias: string,
  columns: Columns,
  records: ReadonlyArray<Readonly<Record<string, unknown>>>,
  columnOf: (field: string) => string,
): Statement.Fragment => {
  const names = Object.keys(columns)
  // As segments: every record of every order passes here, and a statement for each column costs several times as much.
  const segments = names.flatMap((name, index) => {
    const type = columns[name]
    const elements = records.map((record) => {
      const value = record[name]
      return type === "timestamptz" && typeof value === "number" ? format(value) : value
    })
    const before = index === 0 ? "unnest(" : ", "
    return [Statement.literal(before), Statement.parameter(arrayOf(elements)), Statement.literal(`::text::${type}[]`)]
  })
  return Statement.fragment([...segments, Statement.literal(`) AS ${alias} (${names.map(columnOf).join(", ")})`)])
}

/** An array as Postgres reads it from a text. */
export const arrayOf = (values: ReadonlyArray<unknown>): string => `{${values.map(element).join()}}`

const element = (value: unknown): string => {
  if (value === null || value === undefined) return "NULL"
  if (typeof value === "boolean" || typeof value === "number") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  // Quotes and backslashes are escaped as in JSON, which is quicker, but other characters stand for themselves.
  return escapedInJson.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : JSON.stringify(text)
}

const escapedInJson = /[\p{Cc}\p{Cs}]/u

/**
 * A condition that is always true, on a text column without nulls. It makes the planner expect one row, and therefore
 * look up related rows by key, even in a plan made while the tables were empty.
 */
export const hintFew = (column: string) => fixed(`${column} = coalesce(${column}, '')`)

/**
 * The keys of rows to look up: `FROM ${keys(sql, ids)} JOIN designwire.designs d ON d.id = k.key`. With `= ANY(ids)`
 * Postgres would plan the statement for each number of ids, which takes longer than running it.
 */
export const keys = (sql: SqlClient.SqlClient, values: ReadonlyArray<string>): Statement.Fragment =>
  sql`(SELECT DISTINCT u.key FROM unnest(${values}::text[]) AS u (key) WHERE ${hintFew("u.key")}) AS k`

/**
 * {@link hintFew}, but only for the generic plan. A custom plan then never looks cheaper; otherwise Postgres would plan
 * the statement each time, and planning a large statement takes several times as long as running it.
 */
export const hintFewInGenericPlan = (sql: SqlClient.SqlClient, column: string): Statement.Fragment =>
  sql`(${hintFew(column)} OR ${0}::int4 = 0)`

/** Reads a column of instants as milliseconds: drivers disagree about timestamps, but all read a number alike. */
export const milliseconds = (column: string) => fixed(`(extract(epoch FROM ${column}) * 1000)::float8`)

/**
 * The first of the rows of a statement, and as many of the next ones as have at most so many bytes together by their
 * column `bytes`: texts of other rows are not read.
 */
export const fitting = (
  sql: SqlClient.SqlClient,
  found: Statement.Fragment,
  order: Statement.Fragment,
  bytes: number | undefined,
): Statement.Fragment =>
  bytes === undefined
    ? found
    : sql`SELECT m.* FROM (
  SELECT f.*, row_number() OVER listed AS nth, sum(f.bytes) OVER listed AS reached FROM (${found}) f
  WINDOW listed AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
) m WHERE m.nth = 1 OR m.reached <= ${bytes}::int4`
