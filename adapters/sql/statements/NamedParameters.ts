import type { SqlClient, Statement } from "effect/sql"

/**
 * A statement with named parameters, as its file `.sql` has it: `@now` becomes a number, the same one wherever it
 * stands. Returns the statement for values.
 */
export const withParameters = <const Names extends string>(
  text: string,
  names: ReadonlyArray<Names>,
): (<Row extends object>(
  sql: SqlClient.SqlClient,
  values: Readonly<Record<Names, unknown>>,
) => Statement.Statement<Row>) => {
  const numbered = text.replace(/@(\w+)/g, (_, name: Names) => {
    const index = names.indexOf(name)
    if (index < 0) throw new Error(`The statement has a parameter that has no value: @${name}`)
    return `$${index + 1}`
  })
  return (sql, values) =>
    sql.unsafe(
      numbered,
      names.map((name) => values[name]),
    )
}
