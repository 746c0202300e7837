/** Random JSON for a schema: matching, and almost matching. */
import type { Json } from "../../../core/model/json/Json.ts"
import { type Document, resolve } from "./Operations.ts"

/** Draws from a source of random numbers. */
export interface Draw {
  readonly chance: (share: number) => boolean
  readonly one: <A>(all: ReadonlyArray<A>) => A
  readonly upTo: (limit: number) => number
}

export const makeDraw = (next: () => number): Draw => ({
  chance: (share) => next() < share,
  one: (all) => all[Math.floor(next() * all.length)] as never,
  upTo: (limit) => Math.floor(next() * limit),
})

/** Texts that are easily misinterpreted. */
export const oddTexts: ReadonlyArray<string> = [
  ...[
    "",
    " ",
    "0",
    "-1",
    "1e3",
    "null",
    "true",
    "[]",
    "{}",
    "__proto__",
    "constructor",
    "é",
    "😀",
    "\ud800",
    "\0",
    "\n",
  ],
  ...["a/b", "../..", "%2F", "%", "'; DROP TABLE shops; --", "<script>", "2026-10-05", "2026-10-05T14:48:00Z", "EUR"],
  ...["https://erp.example.com/hooks", "http://127.0.0.1/", "gid://shop/Product/1", "x".repeat(256), "x".repeat(3000)],
]

const oddNumbers = [0, -0, -1, 1, 0.5, 1e21, -1e-7, 2 ** 31, 2 ** 53, -(2 ** 53), 253402300800000]

const oddValues: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { "": "" },
  ...oddNumbers,
  ...oddTexts,
]

/** Generates values for the schemas of a document. A few of them do not match. */
export const makeRandomJson = (document: Document, { chance, one, upTo }: Draw) => {
  const text = (schema: Json): string => {
    const { format, maxLength, minLength } = schema as { format?: string; maxLength?: number; minLength?: number }
    if (format === "date-time")
      return one(["2026-10-05T14:48:00Z", "2026-11-20T12:00:00.123+02:00", "0001-01-01T00:00:00Z"])
    if (chance(0.5)) return one(oddTexts)
    return "abc-1".repeat(60).slice(0, Math.max(minLength ?? 0, upTo(Math.min(maxLength ?? 300, 300))))
  }
  const number = (schema: Json): number => {
    const { exclusiveMinimum, maximum, minimum } = schema as {
      exclusiveMinimum?: number
      maximum?: number
      minimum?: number
    }
    if (chance(0.2)) return one(oddNumbers)
    const least = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1)
    return least + upTo(Math.min(maximum ?? 20_000, 20_000) - least + 1)
  }
  const object = (schema: Json, depth: number): Json => {
    const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Json>>
    const required = (schema["required"] ?? []) as ReadonlyArray<string>
    const made = Object.entries(properties)
      .filter(([name]) => (required.includes(name) ? !chance(0.03) : chance(0.5)))
      .map(([name, property]) => [name, value(property, depth + 1)] as const)
    const extra =
      chance(0.05) || (Object.keys(properties).length === 0 && chance(0.7))
        ? [[one(oddTexts), one(oddValues)] as const]
        : []
    return Object.fromEntries([...made, ...extra])
  }
  const value = (schema: Json, depth = 0): unknown => {
    if (chance(0.04) || depth > 12) return one(oddValues)
    const known = resolve(document, schema)
    if ("const" in known) return known["const"]
    if (Array.isArray(known["enum"])) return one(known["enum"])
    const some = (known["anyOf"] ?? known["oneOf"]) as ReadonlyArray<Json> | undefined
    if (some !== undefined) return value(one(some), depth)
    switch (Array.isArray(known["type"]) ? one(known["type"]) : known["type"]) {
      case "string":
        return text(known)
      case "integer":
      case "number":
        return number(known)
      case "boolean":
        return chance(0.5)
      case "null":
        return null
      case "array": {
        const items = (known["items"] ?? {}) as Json
        const least = (known["minItems"] as number | undefined) ?? 0
        const most = Math.min((known["maxItems"] as number | undefined) ?? 4, 4)
        return Array.from({ length: least + upTo(Math.max(1, most - least + 1)) }, () => value(items, depth + 1))
      }
      case "object":
        return object(known, depth)
      default:
        return one(oddValues)
    }
  }
  /** Another value of almost the same form. */
  const changed = (original: unknown): unknown => {
    if (chance(0.1)) return one(oddValues)
    if (Array.isArray(original)) {
      if (original.length === 0 || chance(0.2)) return [...original, one(oddValues)]
      const at = upTo(original.length)
      return original.flatMap((item, index) => (index !== at ? [item] : chance(0.2) ? [] : [changed(item)]))
    }
    if (typeof original === "object" && original !== null) {
      const entries = Object.entries(original)
      if (entries.length === 0 || chance(0.1)) return { ...original, [one(oddTexts)]: one(oddValues) }
      const at = upTo(entries.length)
      return Object.fromEntries(
        entries.flatMap(([name, item], index) =>
          index !== at ? [[name, item] as const] : chance(0.2) ? [] : [[name, changed(item)] as const],
        ),
      )
    }
    return one(oddValues)
  }
  return { value: (schema: Json) => value(schema), changed }
}
