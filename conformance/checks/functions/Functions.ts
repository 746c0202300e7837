/** The modules with plain types, made from operations and their queries: of functions, and of the queries of lists. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SchemaAST } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import {
  auditQuery,
  draftsQuery,
  eventsQuery,
  exportQuery,
  inboxQuery,
  logQuery,
  ordersQuery,
  shopsQuery,
} from "../../../core/model/queries/Queries.ts"
import type { Parameter, Query } from "../../../core/model/queries/Query.ts"
import * as Operations from "../../../core/operations/index.ts"
import { idsOf, type Noun, type Operation } from "../../../core/operations/Operation.ts"
import { plainTypes } from "./Known.ts"
import { commentOf, PlainTypes } from "./PlainTypes.ts"

const root = join(import.meta.dirname, "../../..")

/** The types of the resources, which `designwire/client` and `/receiver` have, too. */
const resources = readFileSync(join(root, "core/model/Resources.ts"), "utf8")
const elsewhere = [...resources.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name)

const capital = (name: string) => name[0]?.toUpperCase() + name.slice(1)

/** The type of a function's result: of what the address answers, unless the operation says it. */
const resultOf = (types: PlainTypes, { gives, http }: Operation): string => {
  if (gives !== undefined) return types.text(gives.ast)
  const answers = [...(http?.success ?? [])].map(({ ast }) => ast)
  const values = answers.map((ast) => {
    if (SchemaAST.isVoid(ast)) return answers.length === 1 ? "void" : "undefined"
    const [only, ...others] = ast._tag === "Objects" ? ast.propertySignatures : []
    const isList = only?.name === "data" && others.length === 0
    return types.text(isList ? only.type : ast)
  })
  return [...new Set(values)].join(" | ")
}

/** The parameters of a function. */
const parametersOf = (types: PlainTypes, noun: string, name: string, operation: Operation): ReadonlyArray<string> => {
  const { http, ids = {}, input, method, query = {}, takes } = operation
  const given = idsOf(operation).map((id) => `${id}: ${ids[id]?.type ?? "string"}`)
  const body = takes ?? [...(http?.payload.values() ?? [])][0]?.schemas[0]
  if (input === "query") {
    const words = `The query of {@link ${noun}.${name}}.`
    given.push(`query?: ${types.query(`${noun}Query`, words, query)}`)
  } else if (input === "fields") {
    const fields = Object.entries(query).map(
      ([field, { schema }]) => `readonly ${field}?: ${types.parameter(schema)} | undefined`,
    )
    given.push(`input?: { ${fields.join("; ")} }`)
  } else if (input !== undefined && body !== undefined) {
    given.push(`input${input === "optional body" ? "?" : ""}: ${types.text(body.ast, true)}`)
  }
  return method === "changes" ? [...given, "options?: InTransaction"] : given
}

/** The interface of a noun's functions, if it has any. */
const interfaceOf = (types: PlainTypes, { comment, description, id, operations }: Noun): string => {
  const functions = Object.entries(operations).filter(([, { method }]) => method !== undefined)
  if (functions.length === 0) return ""
  const members = functions.map(([name, operation]) => {
    const parameters = parametersOf(types, capital(id), name, operation).join(", ")
    const words = commentOf(operation.comment, "  ")
    return `${words}  readonly ${name}: (${parameters}) => Promise<${resultOf(types, operation)}>\n`
  })
  return `${commentOf(comment ?? description)}export interface ${capital(id)} {\n${members.join("")}}\n`
}

/** The functions of `createDesignwire`. */
const functions = (): string => {
  const types = new PlainTypes(elsewhere, plainTypes)
  const nouns = Object.values(Operations) as ReadonlyArray<unknown> as ReadonlyArray<Noun>
  const sorted = nouns.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const interfaces = sorted.map((noun) => interfaceOf(types, noun)).filter((text) => text !== "")
  const declarations = types.declarations()
  const head = `/**
 * The functions of {@link Designwire} on shops, orders and the like, with their inputs and results as plain types.
 * Timestamps are ISO 8601 with an offset, money is in minor units (cents) of the shop's currency. Optional fields of an
 * input may also be \`undefined\`.
 *
 * Made from core/operations by \`npm run functions\`: change those.
 */
import type { ${[...types.imported].toSorted().join(", ")} } from "../../core/model/Resources.ts"
import type { InTransaction } from "./InTransaction.ts"
`
  return [head, ...interfaces, ...declarations].join("\n")
}

const queries = {
  Orders: ["Query parameters of `GET /orders`.", ordersQuery],
  Events: ["Query parameters of `GET /events`.", eventsQuery],
  Inbox: ["Query parameters of a list of platforms' events (D57).", inboxQuery],
  Drafts: ["Query parameters of a list of drafts (D86).", draftsQuery],
  Audit: ["Query parameters of a list of changes (D59).", auditQuery],
  Log: ["Query parameters of a delivery log.", logQuery],
  Shops: ["Query parameters of the list of shops.", shopsQuery],
  Export: ["What to export of a shop (D75).", exportQuery],
} satisfies Readonly<Record<string, readonly [string, Query]>>

/** The queries that use cases take: as URLs have them. */
const inputs = (): string => {
  const types = new PlainTypes([], [])
  for (const [name, [words, query]] of Object.entries<readonly [string, Query]>(queries)) {
    const strings = Object.fromEntries(
      Object.entries(query).map(([field, { schema, ...rest }]) => [field, { ...rest, schema: withoutEnums(schema) }]),
    )
    const also = ({ schema }: Pick<Parameter, "schema">) =>
      schema["type"] === "integer" || schema["type"] === "array" ? " | string" : ""
    const comment = "limit" in query ? `${words} Numbers may be text, as in a URL.` : words
    types.query(`${name}Input`, comment, strings, also)
  }
  const head = `/** The queries of lists, as use cases take them. Made from Queries.ts by \`npm run functions\`: change that. */\n`
  return [head, ...types.declarations()].join("\n")
}

const withoutEnums = ({ enum: _values, items, ...rest }: Json): Json =>
  items === undefined ? rest : { ...rest, items: withoutEnums(items as Json) }

/** The queries of the client, and the names of their parameters. */
const clientQueries = (): string => {
  const types = new PlainTypes(
    elsewhere,
    plainTypes.filter(({ ast }) => SchemaAST.resolveIdentifier(ast) === "EndpointKind"),
  )
  const also = ({ schema }: Pick<Parameter, "schema">) => (schema["format"] === "date-time" ? " | Date" : "")
  types.query("OrdersQuery", "The orders to list.", ordersQuery, also)
  types.query("EventsQuery", "The part of the event feed to read.", eventsQuery)
  const names = { ordersParameters: ordersQuery, eventsParameters: eventsQuery }
  const lists = Object.entries(names).map(
    ([name, query]) => `export const ${name} = ${JSON.stringify(Object.keys(query).toSorted())} as const\n`,
  )
  const head = `/** The queries of lists. Made from core/model/queries by \`npm run functions\`: change those. */\n`
  const declarations = types.declarations()
  const imports = `import type { ${[...types.imported].join(", ")} } from "../../core/model/Resources.ts"\n`
  return [head + imports, ...declarations, ...lists].join("\n")
}

/** The text of each module by its path, before it is formatted. */
export const modules = (): Readonly<Record<string, string>> => ({
  [join(root, "hosts/embed/Functions.ts")]: functions(),
  [join(root, "core/model/queries/Inputs.ts")]: inputs(),
  [join(root, "hosts/client/Queries.ts")]: clientQueries(),
})
