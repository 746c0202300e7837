/** The module with the types of the functions of `createDesignwire`, as operations say them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SchemaAST } from "effect"
import * as Operations from "../../../core/operations/index.ts"
import { idsOf, type Noun, type Operation } from "../../../core/operations/Operation.ts"
import { plainTypes } from "../../../core/operations/types.ts"
import { commentOf, PlainTypes } from "./PlainTypes.ts"

const root = join(import.meta.dirname, "../../..")

/** Where the module is. */
export const file = join(root, "hosts/embed/Functions.ts")

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

/** The text of the module, before it is formatted. */
export const functions = (): string => {
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
