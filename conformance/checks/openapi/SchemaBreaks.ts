/** Finds changes of a JSON Schema that break programs written against the previous one. */
import type { Json } from "../../../core/model/json/Json.ts"
import { type Document, resolve } from "./Operations.ts"

/**
 * The writer of the JSON: programs (`input`: accepted values must stay accepted) or the service (`output`: guaranteed
 * values must stay guaranteed).
 */
export type Direction = "input" | "output"

/** Limits that allow less if lowered, and limits that allow less if raised. */
const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const
const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const
const exact = ["pattern", "format", "multipleOf", "uniqueItems"] as const

const typesOf = (schema: Json): ReadonlyArray<string> =>
  schema["type"] === undefined ? [] : ([schema["type"]].flat() as ReadonlyArray<unknown>).map(String)

const valuesOf = (schema: Json): ReadonlyArray<unknown> | undefined =>
  "const" in schema ? [schema["const"]] : (schema["enum"] as ReadonlyArray<unknown> | undefined)

const alternativesOf = (schema: Json): ReadonlyArray<Json> =>
  (schema["anyOf"] ?? schema["oneOf"] ?? [schema]) as ReadonlyArray<Json>

const propertiesOf = (schema: Json) => (schema["properties"] ?? {}) as Readonly<Record<string, Json>>

const requiredOf = (schema: Json) => (schema["required"] ?? []) as ReadonlyArray<string>

/** Compares schemas of two documents. */
export const makeSchemaBreaks = (before: Document, after: Document) => {
  const accepted = (direction: Direction, was: Json, is: Json): ReadonlyArray<string> => {
    const problems: Array<string> = []
    const [typesBefore, typesAfter] = [typesOf(was), typesOf(is)]
    const narrowed = typesBefore.filter((type) => typesAfter.length > 0 && !typesAfter.includes(type))
    const widened = typesAfter.filter((type) => typesBefore.length > 0 && !typesBefore.includes(type))
    if (direction === "input" && narrowed.length > 0) problems.push(`no longer takes ${narrowed.join(", ")}`)
    if (direction === "output" && widened.length > 0) problems.push(`may be ${widened.join(", ")} now`)
    if (direction === "output" && typesBefore.length > 0 && typesAfter.length === 0)
      problems.push("may be of any type now")
    const [valuesBefore, valuesAfter] = [valuesOf(was), valuesOf(is)]
    if (direction === "input" && valuesAfter !== undefined) {
      const gone = valuesBefore?.filter((value) => !valuesAfter.includes(value))
      if (gone === undefined) problems.push(`takes only ${valuesAfter.join(", ")} now`)
      else if (gone.length > 0) problems.push(`no longer takes ${gone.join(", ")}`)
    }
    if (direction === "output") {
      if (valuesBefore !== undefined && valuesAfter === undefined) problems.push("may have any value now")
      return problems
    }
    for (const limit of upper) {
      if (Number(is[limit] ?? Number.POSITIVE_INFINITY) < Number(was[limit] ?? Number.POSITIVE_INFINITY))
        problems.push(`${limit} is ${is[limit]}, and was ${was[limit] ?? "none"}`)
    }
    for (const limit of lower) {
      if (Number(is[limit] ?? Number.NEGATIVE_INFINITY) > Number(was[limit] ?? Number.NEGATIVE_INFINITY))
        problems.push(`${limit} is ${is[limit]}, and was ${was[limit] ?? "none"}`)
    }
    for (const rule of exact) {
      if (is[rule] !== undefined && is[rule] !== was[rule])
        problems.push(`${rule} is ${is[rule]}, and was ${was[rule] ?? "none"}`)
    }
    return problems
  }

  const compare = (
    direction: Direction,
    was: Json,
    is: Json,
    path: string,
    seen: ReadonlySet<string>,
  ): ReadonlyArray<string> => {
    const pair = `${was["$ref"]} ${is["$ref"]}`
    if (was["$ref"] !== undefined && seen.has(pair)) return []
    const within = was["$ref"] === undefined ? seen : new Set([...seen, pair])
    const left = alternativesOf(resolve(before, was))
    const right = alternativesOf(resolve(after, is))
    if (left.length > 1 || right.length > 1) {
      // Each variant accepted before, or possible now, needs a counterpart on the other side.
      const [all, others] = direction === "input" ? [left, right] : [right, left]
      return all.flatMap((one) => {
        const fits = others.some((other) => {
          const [old, now] = direction === "input" ? [one, other] : [other, one]
          return compare(direction, old, now, path, within).length === 0
        })
        const what = direction === "input" ? "no longer takes" : "may be something else now:"
        return fits ? [] : [`${path} ${what} ${JSON.stringify(one).slice(0, 120)}`]
      })
    }
    const old = resolve(before, left[0] ?? {})
    const now = resolve(after, right[0] ?? {})
    const problems = accepted(direction, old, now).map((problem) => `${path} ${problem}`)
    const [oldProperties, properties] = [propertiesOf(old), propertiesOf(now)]
    for (const [name, property] of Object.entries(oldProperties)) {
      const there = properties[name]
      if (there !== undefined) problems.push(...compare(direction, property, there, `${path}.${name}`, within))
      else if (direction === "output" || now["additionalProperties"] === false) problems.push(`${path}.${name} is gone`)
    }
    const [needed, needs] = [requiredOf(old), requiredOf(now)]
    if (direction === "output") {
      for (const name of needed)
        if (name in properties && !needs.includes(name)) problems.push(`${path}.${name} may be left out now`)
    } else {
      for (const name of needs) if (!needed.includes(name)) problems.push(`${path}.${name} is required now`)
      if (
        now["additionalProperties"] === false &&
        old["additionalProperties"] !== false &&
        typesOf(old).includes("object")
      )
        problems.push(`${path} no longer takes further properties`)
    }
    for (const inner of ["items", "additionalProperties"] as const) {
      const [was, is] = [old[inner], now[inner]]
      if (typeof was === "object" && was !== null && typeof is === "object" && is !== null)
        problems.push(...compare(direction, was as Json, is as Json, `${path}[]`, within))
    }
    return problems
  }

  return (direction: Direction, was: Json, is: Json, path: string): ReadonlyArray<string> =>
    compare(direction, was, is, path, new Set())
}
