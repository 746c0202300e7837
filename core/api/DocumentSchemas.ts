/** JSON Schemas rewritten for generators of clients. They accept the same JSON. */
import type { Json } from "../model/json/Json.ts"

/** Changes an object of a document. The objects inside it are changed already. */
type Change = (node: Json) => Json

/** Changes every object of a JSON value, the innermost first. */
export const mapObjects = (value: unknown, change: Change): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (typeof value !== "object" || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapObjects(item, change)])))
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Makes `[A, ...A[]]` a list with a minimum length: generators turn a prefix into a tuple of fixed length. */
const withoutPrefix: Change = (node) => {
  const { prefixItems, ...rest } = node
  return Array.isArray(prefixItems) && prefixItems.every((item) => isSame(item, rest["items"])) ? rest : node
}

/** Adds a schema of items to an empty list, because generators expect one. */
const emptyList: Change = (node) =>
  node["type"] === "array" && node["items"] === false ? { ...node, items: {}, maxItems: 0 } : node

/** Removes properties that no value fits, if other properties are forbidden anyway. */
const withoutImpossible: Change = (node) => {
  if (node["additionalProperties"] !== false || typeof node["properties"] !== "object") return node
  const properties = Object.entries(node["properties"] as Json).filter(([, schema]) => !isSame(schema, { not: {} }))
  return { ...node, properties: Object.fromEntries(properties) }
}

/** Gives integers 64 bits, which other languages need for the safe integers of JavaScript. */
const wideInteger: Change = (node) => {
  if (node["type"] !== "integer") return node
  const { maximum, minimum, ...rest } = node
  return {
    ...rest,
    format: "int64",
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  }
}

/** Removes repeated alternatives. */
const distinct: Change = (node) => {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf)) return node
  const different = anyOf.filter((item, index) => anyOf.findIndex((other) => isSame(item, other)) === index)
  return different.length === 1 && Object.keys(rest).length === 0
    ? (different[0] as Json)
    : { ...rest, anyOf: different }
}

const simpler: Change = (node) =>
  [withoutPrefix, emptyList, withoutImpossible, wideInteger, distinct].reduce(
    (changed, change) => change(changed),
    node,
  )

const schemaRef = "#/components/schemas/"

/** Gives errors of the same form one name. Other schemas keep theirs. */
const nameOf = (name: string, schema: Json): string => {
  const own = /^designwire_(\w+)Encoded$/.exec(name)?.[1]
  if (own === undefined) return name
  const fields = Object.keys((schema["properties"] ?? {}) as Json).join()
  return errorBodies[fields] ?? own
}

const errorBodies: Readonly<Record<string, string>> = {
  message: "ErrorBody",
  "message,retryable": "ErrorBody",
  "message,problems": "InputErrorBody",
  "message,conflict,retryable": "ConflictBody",
}

/** Adds to an error that it says whether the same request may succeed later. A proxy's answer says it by its status. */
const withRetryable: Change = (schema) => ({
  ...schema,
  properties: {
    ...(schema["properties"] as Json),
    retryable: { type: "boolean", description: "Whether the same request may succeed later" },
  },
  required: ((schema["required"] ?? []) as ReadonlyArray<string>).filter((name) => name !== "retryable"),
})

/** The schema whose values are stored as they were written, with unknown properties. */
const asWritten = "Definition"

/** The names of a schema and of all schemas that it refers to. */
const withParts = (schemas: Readonly<Record<string, Json>>, name: string, found = new Set<string>()): Set<string> => {
  if (found.has(name) || schemas[name] === undefined) return found
  found.add(name)
  mapObjects(schemas[name], (node) => {
    const ref = node["$ref"]
    if (typeof ref === "string") withParts(schemas, ref.slice(schemaRef.length), found)
    return node
  })
  return found
}

/** Allows further properties. */
const opened: Change = (node) => {
  const { additionalProperties, ...rest } = node
  return additionalProperties === false ? rest : node
}

/**
 * A document with simpler schemas, and with one schema for all errors of the same form, which say whether they are
 * `retryable` if the API's errors do.
 */
export const withSimplerSchemas = (document: Json, retryable = false): Json => {
  const components = document["components"] as { readonly schemas: Readonly<Record<string, Json>> }
  const names = new Map(Object.entries(components.schemas).map(([name, schema]) => [name, nameOf(name, schema)]))
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [names.get(name) ?? name, schema])
  const renamed = mapObjects(
    { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } },
    (node) => {
      const ref = node["$ref"]
      if (typeof ref !== "string" || !ref.startsWith(schemaRef)) return node
      const name = ref.slice(schemaRef.length)
      return { ...node, $ref: schemaRef + (names.get(name) ?? name) }
    },
  )
  const simple = mapObjects(renamed, simpler) as typeof document & { readonly components: typeof components }
  const open = withParts(simple.components.schemas, asWritten)
  const all = Object.entries(simple.components.schemas).map(([name, schema]) => [
    name,
    open.has(name)
      ? mapObjects(schema, opened)
      : retryable && Object.values(errorBodies).includes(name)
        ? withRetryable(schema)
        : schema,
  ])
  return { ...simple, components: { ...simple.components, schemas: Object.fromEntries(all) } }
}
