/**
 * Tables, each described once: the fields of its records with the types of their columns. Select lists, the rows of a
 * statement and the values of an insert follow from it.
 */
import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { type Fixed, fixed } from "./Fixed.ts"
import { milliseconds, rowsNamed } from "./Rows.ts"

/** A record's value in a column of a type. */
interface Values {
  readonly text: string
  readonly int4: number
  /** Integers up to 2^53 − 1. */
  readonly int8: number
  readonly bool: boolean
  readonly timestamptz: Instant
  readonly jsonb: object
  readonly "text[]": ReadonlyArray<string>
}

type Type = keyof Values

type Fields = Readonly<Record<string, Type>>

/** A record of a table, as statements take it. */
type Written<F extends Fields> = { readonly [Field in keyof F]: Values[F[Field]] | null }

/**
 * How columns are read. Drivers disagree about instants, large integers, lists and JSON, but all read numbers and texts
 * alike.
 */
const reads: Readonly<Partial<Record<Type, (column: string) => unknown>>> = {
  int8: (column) => `${column}::float8`,
  timestamptz: milliseconds,
  jsonb: (column) => `${column}::text`,
  "text[]": (column) => `array_to_string(${column}, ',')`,
}

/** Columns by the names of fields, as far as they were asked for: a table has few. */
const columns = new Map<string, string>()

/** The column of a field: `created_at` of `createdAt`. */
const columnOf = (field: string): string => {
  const known = columns.get(field)
  if (known !== undefined) return known
  const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columns.set(field, column)
  return column
}

/** An expression under the name of a field. */
export const as = (expression: unknown, field: string): Fixed => fixed(`${expression} AS "${field}"`)

/** The part of a select list that reads fields of a table alias, each under its name or one of `names`. */
export const select = (alias: string, fields: Fields, names: Readonly<Record<string, string>> = {}): Fixed =>
  fixed(
    Object.entries(fields)
      .map(([field, type]) => {
        const column = `${alias}.${columnOf(field)}`
        return as(reads[type]?.(column) ?? column, names[field] ?? field)
      })
      .join(", "),
  )

/** The columns of fields, separated by commas, of an alias if there is one. */
export const columnsOf = (fields: Fields, alias?: string): Fixed =>
  fixed(
    Object.keys(fields)
      .map((field) => (alias === undefined ? columnOf(field) : `${alias}.${columnOf(field)}`))
      .join(", "),
  )

/** Records as the rows of a statement, as {@link rows} gives them. */
export const rowsOf = <const F extends Readonly<Record<string, Exclude<Type, "text[]">>>>(
  alias: string,
  fields: F,
  records: ReadonlyArray<Written<F>>,
): Statement.Fragment => rowsNamed(alias, fields, records, columnOf)

/** The values of a record in the order of its columns. */
export const valuesOf = <const F extends Fields>(
  sql: SqlClient.SqlClient,
  fields: F,
  record: Written<F>,
): Statement.Fragment =>
  sql.csv(Object.entries(fields).map(([field, type]) => valueOf(sql, type, record[field] ?? null)))

const valueOf = (sql: SqlClient.SqlClient, type: Type, value: Values[Type] | null): Statement.Fragment => {
  const cast = fixed(type)
  if (type === "timestamptz") return sql`${value === null ? null : format(value as Instant)}::${cast}`
  if (type === "jsonb") return sql`${value === null ? null : JSON.stringify(value)}::text::${cast}`
  // Drivers send numbers of any size alike as floating point.
  if (type === "int8") return sql`${value}::float8::${cast}`
  return sql`${value}::${cast}`
}
