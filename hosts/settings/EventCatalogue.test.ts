import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { shopSettings } from "../../conformance/worlds/TestHost.ts"
import { Design } from "../../core/model/Design.ts"
import { EventKind } from "../../core/model/Event.ts"
import { Order } from "../../core/model/Order.ts"
import { documentOf, exampleOf, fieldsOf, type JsonSchema } from "./EventCatalogue.ts"

const shop = { id: "acme", ...shopSettings }

describe("The event catalogue", () => {
  it("MUST have examples that are what the REST API's schemas say (§6)", () => {
    for (const kind of EventKind.literals) {
      const { data, event } = JSON.parse(exampleOf(shop, kind))
      expect(event).toBe(kind)
      if (data.design !== undefined) expect(Schema.decodeUnknownSync(Design)(data.design)).toEqual(data.design)
      if (data.order !== undefined) expect(Schema.decodeUnknownSync(Order)(data.order)).toEqual(data.order)
    }
  })

  it("MUST have schemas that stand by themselves, and name every field of their examples (§2.5)", () => {
    for (const kind of EventKind.literals) {
      const text = documentOf(kind)
      const { $defs, ...schema } = JSON.parse(text) as JsonSchema & { readonly $defs: Record<string, unknown> }
      for (const [, name = ""] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) expect($defs).toHaveProperty(name)
      expect(text).not.toContain("#/components")
      expect(schema.properties?.["event"]).toEqual({ const: kind })
      const paths = new Set(fieldsOf(kind).map(({ path }) => path))
      const named = (place: string, value: unknown): void => {
        if (Array.isArray(value)) for (const item of value) named(`${place}[]`, item)
        else if (typeof value === "object" && value !== null && !/\.(selection|images)$/.test(place)) {
          for (const [name, field] of Object.entries(value)) {
            const path = place === "" ? name : `${place}.${name}`
            expect([...paths]).toContain(path)
            named(path, field)
          }
        }
      }
      named("", JSON.parse(exampleOf(shop, kind)))
    }
  })
})
