/** The tables of fields in the guide to definitions, made from the schema of a definition. */
import { Schema, SchemaAST } from "effect"
import { Definition } from "../../core/model/catalog/Definition.ts"
import { paddedTable } from "./PaddedTable.ts"

const annotation = (ast: SchemaAST.AST, key: "description" | "expected" | "identifier" | "message"): string => {
  const found = Schema.resolveAnnotations(Schema.make(ast))?.[key]
  return typeof found === "string" ? found : ""
}

/** The schemas right within a schema. */
const parts = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isObjects(ast)) return ast.propertySignatures.map(({ type }) => type)
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest]
  return SchemaAST.isUnion(ast) ? ast.types : []
}

/** Every object of a definition that has a name, by its name. */
const named = (ast: SchemaAST.AST, found = new Map<string, SchemaAST.Objects>()): typeof found => {
  const name = annotation(ast, "identifier")
  if (SchemaAST.isObjects(ast) && name !== "") found.set(name, ast)
  for (const part of parts(ast)) named(part, found)
  return found
}

interface Field {
  readonly key: string
  readonly kind: string
  readonly needed: string
  readonly form: string
  readonly meaning: string
}

const formOf = (type: SchemaAST.AST): string =>
  annotation(type, "expected") || (SchemaAST.isLiteral(type) ? `\`${JSON.stringify(type.literal)}\`` : "")

/** Objects with a table of their own. The fields of others stand below the field that has them. */
const apart = ["Step", "Answer", "Rule"]

const withinOf = (type: SchemaAST.AST): SchemaAST.Objects | undefined => {
  const item = SchemaAST.isArrays(type) ? type.rest[0] : undefined
  return item !== undefined && SchemaAST.isObjects(item) && !apart.includes(annotation(item, "identifier"))
    ? item
    : undefined
}

/** The fields that an object may have. Fields that only other kinds of question have bring the message of a refusal. */
const fieldsOf = (object: SchemaAST.Objects, kind: string, before = ""): ReadonlyArray<Field> =>
  object.propertySignatures
    .filter(({ type }) => annotation(type, "message") === "")
    .flatMap((property) => {
      const key = `${before}${String(property.name)}`
      const needed = SchemaAST.isOptional(property.type) ? "" : "yes"
      const within = withinOf(property.type)
      return [
        { key, kind, needed, form: formOf(property.type), meaning: annotation(property.type, "description") },
        ...(within === undefined ? [] : fieldsOf(within, kind, `${key}[].`)),
      ]
    })

const isAlike = (one: Field, other: Field): boolean =>
  one.key === other.key && one.needed === other.needed && one.meaning === other.meaning

/** The fields of several kinds, each once, with the kinds that have it and all its forms. */
const merged = (fields: ReadonlyArray<Field>, kinds: number): ReadonlyArray<Field> =>
  fields
    .filter((field, index) => fields.findIndex((other) => isAlike(field, other)) === index)
    .map((field) => {
      const having = fields.filter((other) => isAlike(field, other))
      const kind = having.length === kinds ? "all" : having.map((other) => other.kind).join(", ")
      return { ...field, kind, form: [...new Set(having.map(({ form }) => form))].join(", ") }
    })

const rowOf = ({ form, key, meaning, needed }: Field): ReadonlyArray<string> => [`\`${key}\``, needed, form, meaning]

const kinds = ["single", "multiple", "text", "upload"]

const questionTable = (objects: ReadonlyMap<string, SchemaAST.Objects>): string => {
  const fields = kinds.flatMap((kind) => {
    const object = objects.get(`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}Question`)
    return object === undefined ? [] : fieldsOf(object, kind)
  })
  return paddedTable([
    ["field", "kinds", "needed", "form", "meaning"],
    ...merged(fields, kinds.length).map((field) => {
      const [key = "", ...rest] = rowOf(field)
      return [key, field.kind, ...rest]
    }),
  ])
}

/** The table below each heading of the guide. */
export const definitionTables = (): ReadonlyMap<string, string> => {
  const objects = named(Definition.ast)
  const table = (name: string) => {
    const object = objects.get(name)
    if (object === undefined) throw new Error(`A definition has no ${name}`)
    return paddedTable([["field", "needed", "form", "meaning"], ...fieldsOf(object, "").map(rowOf)])
  }
  return new Map([
    ["A step", table("Step")],
    ["A question", questionTable(objects)],
    ["An answer", table("Answer")],
    ["A rule", table("Rule")],
  ])
}

/** The guide with these tables in the place of those that it has. */
export const withDefinitionTables = (guide: string): string => {
  let text = guide
  for (const [heading, table] of definitionTables()) {
    const below = new RegExp(`(?<=^##+ ${heading}\\n(?:(?!#).*\\n)*?)\\| field .*\\n(\\|.*\\n)+`, "m")
    text = text.replace(below, () => `${table}\n`)
  }
  return text
}
