/** Schemas as TypeScript without `effect`, with their descriptions as doc comments. */
import { type Schema, SchemaAST } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import type { Parameter } from "../../../core/model/queries/Query.ts"

type AST = SchemaAST.AST

/** A doc comment of at most 120 columns. */
export const commentOf = (text: string | undefined, indent = ""): string => {
  if (text === undefined) return ""
  const [line = "", ...others] = text.split("\n")
  // Fields of fields are indented further.
  const width = 118 - indent.length
  if (others.length === 0 && line.length + 7 <= width) return `${indent}/** ${line} */\n`
  const lines = [line, ...others].flatMap((each) => wrapped(each, width - 3))
  return `${indent}/**\n${lines.map((each) => `${indent} *${each === "" ? "" : ` ${each}`}\n`).join("")}${indent} */\n`
}

/** The lines of a paragraph. */
const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  if (text.length <= width) return [text]
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/(?<!\{@link) /)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const annotation = (ast: AST, key: string): string | undefined => SchemaAST.resolve(ast)?.[key] as string | undefined

/** The name of a type that users import. */
const nameOf = (ast: AST) => annotation(ast, "typeName") ?? annotation(ast, "identifier")

/** What a schema says of its values: to readers of code, else to all. */
const wordsOf = (ast: AST): string | undefined => {
  const [comment, description] = [annotation(ast, "documentation"), annotation(ast, "description")]
  if (comment !== undefined || description === undefined) return comment
  return description.replaceAll(/(?<![`\w])null(?![`\w])/g, "`null`").replace(/(?<![.!?])$/, ".")
}

const literal = (value: unknown) => (typeof value === "string" ? JSON.stringify(value) : String(value))

/** Collects the types that functions take and give. */
export class PlainTypes {
  /** The names that another module declares, and that were used. */
  readonly imported = new Set<string>()
  readonly #elsewhere: ReadonlySet<string>
  readonly #named = new Map<string, { readonly ast: AST; readonly isInput: boolean }>()
  readonly #literals = new Map<string, string>()
  readonly #written = new Map<string, string>()

  /** `elsewhere` are the names that another module declares; `known` are schemas that have a name, or are extended. */
  constructor(elsewhere: Iterable<string>, known: ReadonlyArray<Schema.Top>) {
    this.#elsewhere = new Set(elsewhere)
    for (const { ast } of known) {
      const name = nameOf(ast) ?? ""
      if (ast._tag === "Union") this.#literals.set(literalsOf(ast).join(), name)
      if (!this.#elsewhere.has(name)) this.#named.set(name, { ast, isInput: false })
    }
  }

  /** The declarations of all named types that were used, or are known. */
  declarations(): ReadonlyArray<string> {
    // Declaring a type may use others: the map grows during the loop.
    for (const [name, { ast, isInput }] of this.#named) this.#written.set(name, this.#declared(name, ast, isInput))
    return [...this.#written.values()]
  }

  /** The type of a schema's values. Optional fields of an `isInput` may also be `undefined`. */
  text(ast: AST, isInput = false): string {
    const name = nameOf(ast) ?? (ast._tag === "Union" ? this.#literals.get(literalsOf(ast).join()) : undefined)
    if (name === undefined) return this.#anonymous(ast)
    if (this.#elsewhere.has(name)) this.imported.add(name)
    else if (!this.#named.has(name)) this.#named.set(name, { ast, isInput })
    return name
  }

  #anonymous(ast: AST): string {
    switch (ast._tag) {
      case "String":
      case "Number":
      case "Boolean":
      case "Unknown":
      case "Null":
      case "Undefined":
        return ast._tag.toLowerCase()
      case "Literal":
        return literal(ast.literal)
      case "Union":
        return ast.types.map((member) => this.text(member)).join(" | ")
      case "Arrays":
        return `ReadonlyArray<${ast.rest.map((item) => this.text(item)).join(" | ")}>`
      case "Objects":
        return this.#object(ast)
      default:
        throw new Error(`No plain type is known for ${ast._tag}`)
    }
  }

  #object(ast: SchemaAST.Objects): string {
    const [index] = ast.indexSignatures
    if (index !== undefined) return `Readonly<Record<${this.text(index.parameter)}, ${this.text(index.type)}>>`
    const base = this.#base(ast)
    const own = this.#fields(ast, base).map((field) => this.#field(field))
    const fields = `{\n${own.join("")}}`
    return base === undefined ? fields : `${base} & ${fields}`
  }

  /** The fields that an object has alongside those of its base. */
  #fields(ast: SchemaAST.Objects, base: string | undefined) {
    const inherited = base === undefined ? [] : shapesOf(this.#named.get(base)?.ast)
    const texts = shapesOf(ast)
    return ast.propertySignatures.filter((_, index) => !inherited.includes(texts[index] as string))
  }

  /** The declaration of a field. An input has usual values; a change leaves others as they are. */
  #field({ name, type }: SchemaAST.PropertySignature, { isInput = false, isChange = false } = {}): string {
    const words = isChange ? wordsOf(type)?.replace(/ ?Default: .*$/, "") : wordsOf(type)
    const isOptional = SchemaAST.isOptional(type)
    const undefinedToo = isOptional && isInput ? " | undefined" : ""
    const comment = commentOf(words || undefined, "  ")
    return `${comment}  readonly ${String(name)}${isOptional ? "?" : ""}: ${this.text(type)}${undefinedToo}\n`
  }

  /** The largest named object whose fields an object has, too. */
  #base(ast: SchemaAST.Objects, name?: string): string | undefined {
    const own = new Set(shapesOf(ast))
    const found = [...this.#named]
      .map(([other, { ast }]) => ({ other, fields: shapesOf(ast) }))
      .filter(({ fields, other }) => other !== name && fields.length > 1 && fields.length < own.size)
      .filter(({ fields }) => fields.every((field) => own.has(field)))
    return found.toSorted((one, other) => other.fields.length - one.fields.length)[0]?.other
  }

  #declared(name: string, ast: AST, isInput: boolean): string {
    const comment = commentOf(wordsOf(ast))
    if (ast._tag !== "Objects") return `${comment}export type ${name} = ${this.#anonymous(ast)}\n`
    const [index] = ast.indexSignatures
    if (index !== undefined) {
      const entry = `  readonly [name: ${this.text(index.parameter)}]: ${this.text(index.type)}\n`
      return `${comment}export interface ${name} {\n${entry}}\n`
    }
    const base = this.#base(ast, name)
    const isChange = name.endsWith("Update")
    const fields = this.#fields(ast, base).map((field) => this.#field(field, { isInput, isChange }))
    const heritage = base === undefined ? "" : ` extends ${base}`
    return `${comment}export interface ${name}${heritage} {\n${fields.join("")}}\n`
  }

  /** Declares a type of the parameters of a query, and returns its name. `also` are further types of a parameter. */
  query(name: string, comment: string, query: Readonly<Record<string, Documented>>, also: Also = () => ""): string {
    const fields = Object.entries(query).map(([field, parameter]) => {
      const words = commentOf(parameterWords(parameter), "  ")
      return `${words}  readonly ${field}?: ${this.parameter(parameter.schema)}${also(parameter)} | undefined\n`
    })
    this.#written.set(name, `${commentOf(comment)}export interface ${name} {\n${fields.join("")}}\n`)
    return name
  }

  /** The type of a parameter's values. */
  parameter({ enum: values, items, type }: Json): string {
    if (type === "array") return `ReadonlyArray<${this.parameter(items as Json)}>`
    if (type === "integer") return "number"
    if (!Array.isArray(values)) return "string"
    const texts = values.map(literal)
    const name = this.#literals.get(texts.join())
    if (name !== undefined && this.#elsewhere.has(name)) this.imported.add(name)
    return name ?? texts.join(" | ")
  }
}

type Documented = Pick<Parameter, "comment" | "description" | "schema">

type Also = (parameter: Documented) => string

/** What a parameter does, with the limits and the default that its schema has. */
const parameterWords = ({ comment, description, schema }: Documented): string => {
  if (comment !== undefined) return comment
  const { default: byDefault, maximum, minimum } = schema
  const limits = minimum === undefined ? "" : `, ${minimum} to ${maximum}`
  const sentence = `${description}${limits}`.replace(/\.?$/, ".")
  return byDefault === undefined ? sentence : `${sentence} Default: ${byDefault}.`
}

const literalsOf = (ast: SchemaAST.Union): ReadonlyArray<string> =>
  ast.types.map((member) => (member._tag === "Literal" ? literal(member.literal) : member._tag))

/** What tells a field from others: `toCodecJson` makes other schemas of the same fields. */
const shapesOf = (ast: AST | undefined): ReadonlyArray<string> =>
  ast?._tag === "Objects" ? ast.propertySignatures.map(({ name, type }) => `${String(name)}: ${shapeOf(type)}`) : []

const shapeOf = (ast: AST): string => {
  const parts =
    ast._tag === "Union"
      ? ast.types.map(shapeOf)
      : ast._tag === "Arrays"
        ? ast.rest.map(shapeOf)
        : ast._tag === "Literal"
          ? [literal(ast.literal)]
          : shapesOf(ast)
  return `${wordsOf(ast)} ${ast._tag}(${parts.join()})`
}
