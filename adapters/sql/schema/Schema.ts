/**
 * The schema of the tables. All SQL is written for the schema `designwire`; another name is inserted when a statement's
 * text is taken from the source. So the SQL reads as it runs, parameters are never touched, and the default costs
 * nothing.
 */
import { Context, Result } from "effect"
import type { SqlClient } from "effect/sql"
import { renamed } from "../statements/Fixed.ts"

/** Name of the schema. Default: `designwire`. */
export const SchemaName = Context.Reference<string>("designwire/sql/SchemaName", { defaultValue: () => "designwire" })

const expected =
  "the name of a schema: 1 to 48 lower-case letters, digits and underscores, " +
  "a letter or underscore first, not beginning with pg_"

/** Parses the name of a schema; fails with the accepted form. */
export const parseSchemaName = (text: string): Result.Result<string, string> =>
  /^(?!pg_)[a-z_][a-z0-9_]{0,47}$/.test(text) ? Result.succeed(text) : Result.fail(expected)

/**
 * Inserts the name of a schema into SQL written for the schema `designwire`, and into database-wide names such as
 * channels: `designwire.orders` and `designwire_deliveries`. Throws for an invalid name.
 */
export const inSchema = (schema: string): ((text: string) => string) => {
  if (schema === "designwire") return (text) => text
  const name = Result.getOrThrowWith(parseSchemaName(schema), (reason) => new Error(`The schema must be ${reason}`))
  // A name that has been inserted already stays.
  const own = name.startsWith("designwire") ? `(?!${name.slice("designwire".length)}(?![a-z0-9]))` : ""
  const names = new RegExp(`\\bdesignwire${own}([._])`, "g")
  return (text) => text.replace(names, (_, mark) => (mark === "." ? `"${name}".` : `${name}_`))
}

/** An SQL expression for the number of a lock shared by the hosts of one schema. */
export const lockIn = (schema: string, number: number): string =>
  schema === "designwire" ? String(number) : `hashtextextended('${inSchema(schema)("designwire_")}', ${number})`

/** A client whose callers' statements go to a schema, unlike those built with the original client. */
export const clientIn = (sql: SqlClient.SqlClient, schema: string): SqlClient.SqlClient => {
  if (schema === "designwire") return sql
  const named = inSchema(schema)
  const templates = new WeakMap<TemplateStringsArray, TemplateStringsArray>()
  const template = (strings: TemplateStringsArray): TemplateStringsArray => {
    const known = templates.get(strings)
    if (known !== undefined) return known
    const texts = strings.map(named)
    const made = Object.assign(texts, { raw: texts })
    templates.set(strings, made)
    return made
  }
  const statement = (strings: string | TemplateStringsArray, ...values: ReadonlyArray<unknown>) =>
    typeof strings === "string" ? sql(strings) : sql(template(strings), ...values.map((each) => renamed(each, named)))
  const client = Object.assign(statement, sql, {
    unsafe: (text: string, values?: ReadonlyArray<unknown>) => sql.unsafe(named(text), values),
    literal: (text: string) => sql.literal(named(text)),
  }) as SqlClient.SqlClient
  return Object.assign(client, { safe: client, withoutTransforms: () => clientIn(sql.withoutTransforms(), schema) })
}
