/** The OpenAPI documents of both APIs: examples, links, and simplified schemas with equal meaning. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { withSimplerSchemas } from "../../../core/api/DocumentSchemas.ts"
import restExamples from "../../../core/api/examples.json" with { type: "json" }
import type { Json } from "../../../core/model/json/Json.ts"
import manageExamples from "../../../hosts/manage/examples.json" with { type: "json" }
import { documents } from "./Documents.ts"
import { jsonOf, operationsOf, parametersOf, responsesOf } from "./Operations.ts"
import { makeExamples, withoutExample } from "./Sample.ts"
import { makeValidator } from "./Validator.ts"

const names = ["rest", "manage"] as const
const examples = { rest: restExamples, manage: manageExamples }

describe("Examples of the OpenAPI documents", () => {
  it.live("MUST match the current responses of the APIs (after a change: npm run openapi)", () =>
    Effect.gen(function* () {
      expect(yield* makeExamples).toEqual(examples)
    }),
  )

  for (const name of names) {
    it(`MUST cover every successful response with a body, and match its schema: ${name}`, () => {
      expect(withoutExample(name, examples[name]).filter((answer) => / 2\d\d$/.test(answer))).toEqual([])
      const document = documents[name]
      const misfits = makeValidator(document)
      let checked = 0
      const fits = (what: string, json: Json | undefined) => {
        if (json?.["example"] === undefined) return
        checked++
        expect([what, misfits(json["schema"] as Json, json["example"])]).toEqual([what, []])
        // The check itself can fail.
        expect([what, misfits(json["schema"] as Json, 1).length > 0]).toEqual([what, true])
      }
      for (const operation of operationsOf(document)) {
        const body = operation.spec["requestBody"] as Json | undefined
        if (body !== undefined) fits(`${operation.id} request`, jsonOf(body))
        for (const [status, response] of Object.entries(responsesOf(document, operation)))
          fits(`${operation.id} ${status}`, jsonOf(response))
      }
      for (const [event, { post }] of Object.entries(document.webhooks ?? {})) {
        const json = jsonOf(post["requestBody"] as Json)
        expect([event, json?.["example"] !== undefined]).toEqual([event, true])
        fits(event, json)
      }
      expect(checked).toBeGreaterThan(20)
    })
  }
})

/** Every property of a document's schemas whose name indicates an instant, with its path. */
const instantsOf = (value: unknown, path = ""): ReadonlyArray<readonly [path: string, schema: Json]> => {
  if (typeof value !== "object" || value === null) return []
  const { properties } = value as { readonly properties?: Readonly<Record<string, Json>> }
  const here = Object.entries(properties ?? {}).filter(([name]) => /At$|^(at|until|since)$/.test(name))
  return [
    ...here.map(([name, schema]) => [`${path}/${name}`, schema] as const),
    ...Object.entries(value).flatMap(([key, inner]) => instantsOf(inner, `${path}/${key}`)),
  ]
}

describe("Schemas of the OpenAPI documents", () => {
  it.each(names)("MUST give every instant the format date-time: %s", (name) => {
    const instants = instantsOf(documents[name])
    expect(instants.length).toBeGreaterThan(5)
    const without = instants.filter(([, schema]) => !JSON.stringify(schema).includes('"format":"date-time"'))
    expect(without.map(([path]) => path)).toEqual([])
  })
})

describe("Webhooks of the REST API's document", () => {
  it("MUST have the headers of deliveries", () => {
    const webhooks = Object.entries(documents.rest.webhooks ?? {})
    expect(webhooks.map(([event]) => event)).toEqual(Object.keys(restExamples.webhooks))
    for (const [event, { post }] of webhooks) {
      const described = (post["parameters"] as ReadonlyArray<Json>).map(({ name, required }) => ({ name, required }))
      const sent = Object.keys(restExamples.webhooks[event as "ping"].headers)
      const own = sent.filter((name) => !["Content-Type", "User-Agent"].includes(name))
      const names = described.map(({ name }) => name)
      expect([event, own.filter((name) => !names.includes(name))]).toEqual([event, []])
      const always = described.filter(({ required }) => required).map(({ name }) => name)
      expect([event, always.filter((name) => !own.includes(String(name)))]).toEqual([event, []])
      expect(always.length).toBeGreaterThan(3)
    }
  })
})

describe("Answers of the OpenAPI documents", () => {
  it.each(names)("MUST name 304 for what is answered with an ETag, and for nothing else: %s", (name) => {
    const document = documents[name]
    for (const operation of operationsOf(document)) {
      const responses = responsesOf(document, operation)
      const hasTag = "ETag" in ((responses["200"]?.["headers"] ?? {}) as Json)
      expect([operation.id, "304" in responses]).toEqual([operation.id, hasTag])
    }
  })
})

/** The target of a JSON pointer. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((found, key) => (found as Json | undefined)?.[key], value)

describe("Links of the REST API's document", () => {
  it("MUST lead from an order to its designs and from a design to its customizer, by values in the responses", () => {
    const operations = operationsOf(documents.rest)
    const found = operations.flatMap((operation) => {
      const ok = responsesOf(documents.rest, operation)["200"] ?? {}
      return Object.entries((ok["links"] ?? {}) as Readonly<Record<string, Json>>).map(([name, link]) => {
        const target = operations.find(({ id }) => id === link["operationId"])
        const [[parameter = "", expression = ""] = []] = Object.entries(link["parameters"] as Record<string, string>)
        expect(target && parametersOf(target).map((one) => one["name"])).toContain(parameter)
        const value = at(jsonOf(ok)?.["example"], expression.replace("$response.body#", ""))
        expect([operation.id, name, typeof value]).toEqual([operation.id, name, expect.stringMatching(/string|number/)])
        return `${operation.id} → ${link["operationId"]}`
      })
    })
    expect(found).toEqual(
      expect.arrayContaining(["listOrders → readOrder", "readOrder → readDesign", "readDesign → readCustomizer"]),
    )
  })
})

describe("Schemas for generators of clients", () => {
  const simpler = (schema: Json): unknown =>
    (withSimplerSchemas({ components: { schemas: { A: schema } } })["components"] as { schemas: Json }).schemas["A"]

  it("MUST express a list of at least one without a tuple, and keep a tuple", () => {
    const item = { type: "string" }
    expect(simpler({ type: "array", prefixItems: [item], items: item, minItems: 1 })).toEqual({
      type: "array",
      items: item,
      minItems: 1,
    })
    const tuple = { type: "array", prefixItems: [item, { type: "boolean" }], items: item }
    expect(simpler(tuple)).toEqual(tuple)
  })

  it("MUST omit impossible properties only if no other properties are allowed", () => {
    const schema = { type: "object", properties: { a: { type: "string" }, b: { not: {} } }, required: ["a"] }
    expect(simpler({ ...schema, additionalProperties: false })).toEqual({
      ...schema,
      properties: { a: { type: "string" } },
      additionalProperties: false,
    })
    expect(simpler(schema)).toEqual(schema)
  })

  it("MUST keep the limits of integers except JavaScript's own", () => {
    const safe = { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
    expect(simpler(safe)).toEqual({ type: "integer", format: "int64" })
    expect(simpler({ ...safe, minimum: 0 })).toEqual({ type: "integer", format: "int64", minimum: 0 })
    expect(simpler({ type: "integer", maximum: 100 })).toEqual({ type: "integer", format: "int64", maximum: 100 })
  })

  it("MUST name errors of the same form once", () => {
    const error = { type: "object", properties: { message: { type: "string" } }, required: ["message"] }
    const document = withSimplerSchemas({
      paths: {
        anyOf: ["Conflict", "DesignFrozen"].map((name) => ({ $ref: `#/components/schemas/designwire_${name}Encoded` })),
      },
      components: {
        schemas: { designwire_ConflictEncoded: error, designwire_DesignFrozenEncoded: error, Order: error },
      },
    })
    expect(document).toEqual({
      paths: { $ref: "#/components/schemas/ErrorBody" },
      components: { schemas: { ErrorBody: error, Order: error } },
    })
  })
})
