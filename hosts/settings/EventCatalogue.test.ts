import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { Design } from "../../core/model/catalog/Design.ts"
import { EventKind } from "../../core/model/events/Event.ts"
import { Order } from "../../core/model/orders/Order.ts"
import { documentOf, exampleOf, fieldsOf, type JsonSchema } from "./EventCatalogue.ts"
import { english } from "./texts/English.ts"

const shop = { id: "acme", ...shopInput }

describe("The event catalogue", () => {
  it("MUST have examples that match the schemas of the REST API (§6)", () => {
    for (const kind of EventKind.literals) {
      const { data, event } = JSON.parse(exampleOf(shop, kind))
      expect(event).toBe(kind)
      if (data.design !== undefined) expect(Schema.decodeUnknownSync(Design)(data.design)).toEqual(data.design)
      if (data.order !== undefined) expect(Schema.decodeUnknownSync(Order)(data.order)).toEqual(data.order)
    }
  })

  it("MUST say what every field means", () => {
    for (const kind of EventKind.literals) {
      expect(fieldsOf(kind, english.events).filter(({ description }) => description === "")).toEqual([])
    }
  })

  it("MUST have complete schemas with every field of the examples (§2.5)", () => {
    for (const kind of EventKind.literals) {
      const text = documentOf(kind)
      const { $defs, ...schema } = JSON.parse(text) as JsonSchema & { readonly $defs: Record<string, unknown> }
      for (const [, name = ""] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) expect($defs).toHaveProperty(name)
      expect(text).not.toContain("#/components")
      expect(schema.properties?.["event"]).toMatchObject({ const: kind })
      const paths = new Set(fieldsOf(kind, english.events).map(({ path }) => path))
      const expectNamed = (parent: string, value: unknown): void => {
        if (Array.isArray(value)) for (const item of value) expectNamed(`${parent}[]`, item)
        else if (typeof value === "object" && value !== null && !/\.(selection|images)$/.test(parent)) {
          for (const [name, field] of Object.entries(value)) {
            const path = parent === "" ? name : `${parent}.${name}`
            expect([...paths]).toContain(path)
            expectNamed(path, field)
          }
        }
      }
      expectNamed("", JSON.parse(exampleOf(shop, kind)))
    }
  })
})
