/** JSON Schemas as Markdown. */
import { tableOf } from "./tableOf.ts"

/** The parts of a JSON Schema that pages show. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
}

/** The address of a named schema. */
export type AddressOfSchema = (name: string) => string

/** The name of a schema that another one refers to. */
export const nameOf = (reference: string): string => reference.split("/").at(-1) ?? reference

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``

/** Checks may stand alongside a schema or, each on its own, below it. */
const merged = ({ allOf = [], ...schema }: JsonSchema): JsonSchema => allOf.map(merged).reduce(mergedPair, schema)

const mergedPair = (one: JsonSchema, other: JsonSchema): JsonSchema => ({ ...other, ...one })

const alternatives = ({ anyOf, oneOf }: JsonSchema): ReadonlyArray<JsonSchema> | undefined => anyOf ?? oneOf

/** The type of values, in words with links to named schemas. */
export const typeOf = (given: JsonSchema, address: AddressOfSchema): string => {
  const schema = merged(given)
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](${address(nameOf(schema.$ref))})`
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(code).join(" or ")
  const several = alternatives(schema)
  if (several !== undefined) return [...new Set(several.map((one) => typeOf(one, address)))].join(" or ")
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {}, address)}`
  if (typeof schema.additionalProperties === "object" && schema.properties === undefined)
    return `object whose values are ${typeOf(schema.additionalProperties, address)}`
  return schema.type ?? "any"
}

/** In words, with the value in place of `?`. */
const limits: ReadonlyArray<readonly [keyof JsonSchema, string]> = [
  ["format", "format ?"],
  ["minimum", "at least ?"],
  ["maximum", "at most ?"],
  ["minLength", "at least ? characters"],
  ["maxLength", "at most ? characters"],
  ["minItems", "at least ? items"],
  ["maxItems", "at most ? items"],
  ["pattern", "pattern ?"],
  ["default", "default ?"],
]

const shown = (value: unknown): string =>
  typeof value === "number"
    ? value.toLocaleString("en")
    : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``

/** The description of a value and its limits. */
export const aboutOf = (given: JsonSchema): string => {
  const schema = merged(given)
  const checks = limits.flatMap(([key, words]) => {
    const value = schema[key]
    return value === undefined ? [] : words.replace("?", () => shown(value))
  })
  const description = schema.description?.trim() ?? ""
  const ended = description === "" || /[.!?]$/.test(description) ? description : `${description}.`
  const bounds = checks.join(", ")
  return [ended, bounds === "" ? "" : `${bounds[0]?.toUpperCase()}${bounds.slice(1)}.`].filter(Boolean).join(" ")
}

/** A row of a table of fields. */
interface Field {
  readonly path: string
  readonly schema: JsonSchema
  readonly required: boolean
}

/** The fields of an object, with the fields of objects in it that have no name of their own. */
const fieldsOf = (given: JsonSchema, parent: string): ReadonlyArray<Field> => {
  const schema = merged(given)
  if (schema.type === "array" && schema.items !== undefined) return fieldsOf(schema.items, `${parent}[]`)
  const parts = alternatives(schema) ?? [schema]
  const fields = parts.map(merged).flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, field]): ReadonlyArray<Field> => {
      const path = parent === "" ? name : `${parent}.${name}`
      const required = part.required?.includes(name) ?? false
      return [{ path, schema: field, required }, ...fieldsOf(field, path)]
    }),
  )
  return fields.filter(({ path }, index) => fields.findIndex((other) => other.path === path) === index)
}

/** A table of the fields of an object; for anything else its type. */
export const schemaTable = (schema: JsonSchema, address: AddressOfSchema): string => {
  const fields = fieldsOf(schema, "")
  if (fields.length === 0) return [`Type: ${typeOf(schema, address)}.`, aboutOf(schema)].filter(Boolean).join(" ")
  const rows = fields.map(({ path, required, schema: field }) => [
    `\`${path}\`${required ? "" : " (optional)"}`,
    typeOf(field, address),
    aboutOf(field),
  ])
  return tableOf(["field", "type", "about"], rows)
}
