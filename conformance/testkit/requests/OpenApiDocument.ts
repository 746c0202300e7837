/** Reads an OpenAPI document, and checks JSON against its schemas. */
import type { Json } from "../hosts/TestHost.ts"

export interface Document {
  readonly openapi: string
  readonly info: Json
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly securitySchemes: Readonly<Record<string, Json>>
  }
  readonly security?: ReadonlyArray<Json>
}

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: ReadonlyArray<string>
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }
  readonly parameters?: ReadonlyArray<Json>
  readonly security?: ReadonlyArray<Json>
  readonly responses: Readonly<
    Record<
      string,
      { readonly description?: string; readonly content?: Readonly<Record<string, { readonly schema: Json }>> }
    >
  >
}

/** A document with its shared responses inlined. */
export const resolved = (json: unknown): Document => {
  const document = json as Document & { readonly components: { readonly responses?: Readonly<Record<string, Json>> } }
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace)
    if (typeof value !== "object" || value === null) return value
    const name = /^#\/components\/responses\/(\w+)$/.exec(String((value as Json)["$ref"] ?? ""))?.[1]
    if (name !== undefined) return document.components.responses?.[name]
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inPlace(item)]))
  }
  return { ...document, paths: inPlace(document.paths) as Document["paths"] }
}

/** Checks the part of JSON Schema that our documents use. Returns the problems. */
export const misfits = (root: Document, schema: Json, value: unknown, path = "$"): ReadonlyArray<string> => {
  const ref = schema["$ref"]
  if (typeof ref === "string") {
    const target = ref
      .split("/")
      .slice(1)
      .reduce<unknown>((at, key) => (at as Json)?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], root)
    return target === undefined ? [`${path}: ${ref} is not there`] : misfits(root, target as Json, value, path)
  }
  const problems: Array<string> = []
  const fits = (part: Json) => misfits(root, part, value, path).length === 0
  if (Array.isArray(schema["anyOf"]) && !schema["anyOf"].some(fits)) problems.push(`${path}: fits none of anyOf`)
  if (Array.isArray(schema["oneOf"]) && schema["oneOf"].filter(fits).length !== 1)
    problems.push(`${path}: not one of oneOf`)
  if (Array.isArray(schema["allOf"]))
    for (const part of schema["allOf"]) problems.push(...misfits(root, part, value, path))
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(value)) problems.push(`${path}: not in enum`)
  if ("const" in schema && schema["const"] !== value) problems.push(`${path}: not the constant`)
  const types = schema["type"] === undefined ? undefined : [schema["type"]].flat()
  if (types !== undefined && !types.some((type) => isOf(String(type), value))) {
    return [...problems, `${path}: ${JSON.stringify(value)} is not ${types}`]
  }
  if (
    typeof value === "string" &&
    typeof schema["pattern"] === "string" &&
    !new RegExp(schema["pattern"], "u").test(value)
  ) {
    problems.push(`${path}: does not match ${schema["pattern"]}`)
  }
  if (Array.isArray(value)) {
    const items = schema["items"]
    if (typeof items === "object" && items !== null) {
      for (const [index, item] of value.entries())
        problems.push(...misfits(root, items as Json, item, `${path}[${index}]`))
    }
  } else if (typeof value === "object" && value !== null) {
    const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Json>>
    for (const name of (schema["required"] ?? []) as ReadonlyArray<string>) {
      if (!Object.hasOwn(value, name)) problems.push(`${path}: lacks ${name}`)
    }
    for (const [name, item] of Object.entries(value)) {
      const of = Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"]
      if (of === false) problems.push(`${path}: has ${name}, which it may not`)
      else if (typeof of === "object" && of !== null)
        problems.push(...misfits(root, of as Json, item, `${path}.${name}`))
    }
  }
  return problems
}

const isOf = (type: string, value: unknown): boolean => {
  switch (type) {
    case "null":
      return value === null
    case "array":
      return Array.isArray(value)
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
