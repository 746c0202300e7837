/** The bodies of deliveries by kind of event: their schemas, from the OpenAPI document, and examples. */
import { OpenApi } from "effect/http-api"
import { contractAt } from "../../core/api/Contract.ts"
import { webhookDocs } from "../../core/api/WebhookDocs.ts"
import { type Design, wire as designWire } from "../../core/model/catalog/Design.ts"
import { designData, EventKind, eventOf, orderData, pingData } from "../../core/model/events/Event.ts"
import { wire as orderWire, wireHead } from "../../core/model/orders/Order.ts"
import type { Shop } from "../../core/model/shops/Shop.ts"
import type { Texts } from "./texts/Language.ts"

/** The parts of a JSON Schema that the app shows. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
}

const definitions = OpenApi.fromApi(contractAt("/api/v1")).components.schemas as Readonly<Record<string, JsonSchema>>

const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : (definitions[schema.$ref.split("/").at(-1) ?? ""] ?? schema)

/** The schema of the body. */
const schemaOf = (kind: EventKind): JsonSchema =>
  webhookDocs[kind].post.requestBody.content["application/json"].schema as JsonSchema

/** A complete JSON Schema of the body. */
export const documentOf = (kind: EventKind): string => {
  const { Customizer: _, Event: __, EventPage: ___, OrderPage: ____, ...used } = definitions
  const text = JSON.stringify(
    { $schema: "https://json-schema.org/draft/2020-12/schema", ...schemaOf(kind), $defs: used },
    undefined,
    2,
  )
  return text.replaceAll("#/components/schemas/", "#/$defs/")
}

/** A field of the body. */
export interface Field {
  /** `data.design.price.lines[].amount` */
  readonly path: string
  readonly type: string
  readonly description: string
}

/** The words for types. */
type Words = Pick<Texts["events"], "listOf" | "or">

const typeOf = (schema: JsonSchema, words: Words): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(words.or)
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((one) => typeOf(resolved(one), words)))].join(words.or)
  if (schema.type === "array") return words.listOf(typeOf(resolved(schema.items ?? {}), words))
  return schema.type ?? "any"
}

/** The description of a schema. If the schema has a check, its description may be alongside that. */
const descriptionOf = ({ allOf = [], description }: JsonSchema): string =>
  description ?? allOf.map(descriptionOf).find((found) => found !== "") ?? ""

/** All fields below a path, in their order. */
const fieldsBelow = (parent: string, given: JsonSchema, words: Words): ReadonlyArray<Field> => {
  const schema = resolved(given)
  const parts = (schema.anyOf ?? [schema]).map(resolved)
  const seen = new Set<string>()
  return parts.flatMap((part): ReadonlyArray<Field> => {
    if (part.items !== undefined) return fieldsBelow(`${parent}[]`, part.items, words)
    return Object.entries(part.properties ?? {}).flatMap(([name, field]) => {
      const path = parent === "" ? name : `${parent}.${name}`
      if (seen.has(path)) return []
      seen.add(path)
      const description = descriptionOf(resolved(field))
      return [{ path, type: typeOf(resolved(field), words), description }, ...fieldsBelow(path, field, words)]
    })
  })
}

/** All fields of the body. */
export const fieldsOf = (kind: EventKind, words: Words): ReadonlyArray<Field> => fieldsBelow("", schemaOf(kind), words)

/** The kind before this one whose body has the same fields, but for the name of the event. */
export const kindWithFieldsOf = (kind: EventKind, words: Words): EventKind | undefined => {
  const described = (each: EventKind) => JSON.stringify(fieldsOf(each, words).filter(({ path }) => path !== "event"))
  const before = EventKind.literals.slice(0, EventKind.literals.indexOf(kind))
  return before.find((each) => described(each) === described(kind))
}

const at = Date.parse("2026-10-05T14:48:00Z")

/** A design that a buyer could have made. */
const exampleDesign = ({ currency, imageBase }: Shop, status: Design["status"]): Design => ({
  id: "dsn_8f3k2m",
  status,
  customizer: { id: 101, title: "Engraved ring", version: 3 },
  order: status === "draft" ? null : { id: "5510000003562", name: "#1027", lineItemId: "14110000000260" },
  selection: { metal: "gold", engraving: { text: "For ever" } },
  summary: [
    { key: "Metal", value: "Gold" },
    { key: "Engraving", value: "For ever" },
  ],
  productionData: [
    { key: "metal", value: "AU-585", ref: { questionId: "metal", answerId: "gold" } },
    { key: "engraving", value: "For ever" },
  ],
  price: {
    base: 12_900,
    lines: [{ q: "metal", a: "gold", amount: 8000, variantId: null }],
    rounding: 0,
    total: 20_900,
    currency,
  },
  images: { front: `${imageBase}/designs/dsn_8f3k2m/front.png` },
  thumbnail: `${imageBase}/designs/dsn_8f3k2m/front_thumb.png`,
  createdAt: "2026-10-05T14:40:00.000+00:00",
  orderedAt: status === "draft" ? null : "2026-10-05T14:48:00.000+00:00",
})

const exampleWire = (shop: Shop, status: Design["status"]): string => designWire(exampleDesign(shop, status), ["front"])

const dataOf = (shop: Shop, kind: EventKind): string => {
  switch (kind) {
    case "design.ordered":
      return designData(exampleWire(shop, "ordered"))
    case "design.created":
      return designData(exampleWire(shop, "draft"))
    case "design.cancelled":
      return designData(exampleWire(shop, "cancelled"))
    case "order.cancelled": {
      const head = wireHead({
        id: "5510000003562",
        name: "#1027",
        status: "cancelled",
        currency: shop.currency,
        total: 20_900,
        orderedAt: "2026-10-05T14:48:00.000+00:00",
      })
      return orderData(orderWire({ head }, [{ wire: exampleWire(shop, "cancelled") }]))
    }
    case "ping":
      return pingData("A test of this webhook endpoint")
  }
}

/** An example of the body, for a store. */
export const exampleOf = (shop: Shop, kind: EventKind): string =>
  eventOf(shop, {
    id: "evt_2h9Z3R02m9VinIj2bkLulq",
    event: kind,
    data: dataOf(shop, kind),
    now: at,
    test: kind === "ping",
  }).body
