/** Words for the refusals of a schema: the form that it wants, with an example if it has one, and the value given. */
import { Schema, SchemaAST, type SchemaIssue } from "effect"
import { describe, type Json, own } from "./json/Json.ts"
import { unknownField } from "./Nearest.ts"
import { join } from "./Problem.ts"

/** A problem with its words not yet made: an input may have many more than are listed. */
export interface FoundProblem {
  readonly path: string
  readonly message: () => string
  /** The field is missing. */
  readonly isMissing: boolean
  /** The field does not exist (D48). */
  readonly isUnknown: boolean
}

interface Place {
  readonly path: string
  /** The last key of the path. */
  readonly key: string
  readonly value: unknown
  readonly ast: SchemaAST.AST
  /** The value may hold secrets or texts of buyers: it is not repeated. */
  readonly isPrivate: boolean
}

const annotationsOf = (ast: SchemaAST.AST) => Schema.resolveAnnotations(Schema.make(ast))

/** Whether messages must not repeat a value, which has secrets: the annotation of its schema, or of one of several. */
const isUnrepeated = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) ? ast.types.some(isUnrepeated) : annotationsOf(ast)?.["unrepeated"] === true

/** The form of a schema's values, which completes "must be …": the words of its last check, or of its type. */
export const formOf = (ast: SchemaAST.AST): string => {
  const expected = annotationsOf(ast)?.["expected"]
  if (typeof expected === "string") return expected
  if (SchemaAST.isLiteral(ast)) return JSON.stringify(ast.literal)
  if (SchemaAST.isUnion(ast)) return either(ast.types.map(formOf))
  return forms[ast._tag] ?? "a value"
}

const forms: Readonly<Record<string, string>> = {
  Objects: "an object",
  Arrays: "a list",
  String: "a string",
  Number: "a number",
  Boolean: "true or false",
  Null: "null",
}

const either = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`

/**
 * The problems that decoding a value with a schema has found. `name` begins the paths of a value that is an argument of
 * its own. A private value is not repeated in any message.
 */
export const problemsIn = (
  issue: SchemaIssue.Issue,
  {
    isPrivate = false,
    name = "",
    schema,
    value,
  }: {
    readonly schema: Schema.Constraint
    readonly value: unknown
    readonly name?: string
    readonly isPrivate?: boolean
  },
): ReadonlyArray<FoundProblem> => walk(issue, { path: name, key: name, value, ast: schema.ast, isPrivate })

/** Issues are nested as deep as the schema, whatever the depth of the value. */
const walk = (issue: SchemaIssue.Issue, place: Place): ReadonlyArray<FoundProblem> => {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, issue.path.reduce<Place>(within, place))
    case "Composite":
      return parts(issue.issues).flatMap((each) => walk(each, { ...place, ast: issue.ast }))
    case "AnyOf":
      return issue.issues.length > 0 ? issue.issues.flatMap((each) => walk(each, place)) : [wrong(place)]
    case "MissingKey":
      return [{ ...found(place, () => `is missing; it must be ${formOf(place.ast)}`), isMissing: true }]
    case "UnexpectedKey": {
      const fields = SchemaAST.isObjects(issue.ast) ? issue.ast.propertySignatures.map(({ name }) => String(name)) : []
      return [{ ...found(place, () => unknownField(place.key, fields)), isUnknown: true }]
    }
    case "Filter":
      return [wrong(place, sentenceOf(issue.issue))]
    default:
      return [wrong(place)]
  }
}

/** Of several checks that a value fails, the first has said enough. */
const parts = (issues: ReadonlyArray<SchemaIssue.Issue>): ReadonlyArray<SchemaIssue.Issue> => {
  const first = issues.findIndex(({ _tag }) => _tag === "Filter")
  return issues.filter(({ _tag }, index) => _tag !== "Filter" || index === first)
}

/** The words of a check that says more than what its schema must be. */
const sentenceOf = (issue: SchemaIssue.Issue): string | undefined => {
  const message = issue._tag === "InvalidValue" ? issue.annotations?.["message"] : undefined
  return typeof message === "string" ? message : undefined
}

const found = ({ path }: Place, message: () => string): FoundProblem => ({
  path,
  message,
  isMissing: false,
  isUnknown: false,
})

const wrong = (place: Place, sentence?: string): FoundProblem =>
  found(place, () => sentence ?? `must be ${formOf(place.ast)}${but(place)}`)

/** The value that was given; of a private one the kind, if that is what is wrong. */
const but = ({ ast, isPrivate, value }: Place): string => {
  if (!isPrivate && !isUnrepeated(ast)) return `, not ${shown(value)}`
  return typeof value === "string" ? "" : `, not ${kindOf(value)}`
}

/** A short list of names is shown whole. */
const shown = (value: unknown): string => {
  const isShort = Array.isArray(value) && value.length > 0 && value.length <= 5
  return isShort && value.every((each) => typeof each === "string" && each.length <= 40)
    ? JSON.stringify(value)
    : describe(value)
}

const kindOf = (value: unknown): string => (typeof value === "number" ? "a number" : describe(value))

const within = ({ ast, isPrivate, path, value }: Place, key: PropertyKey): Place => ({
  path: join(path, typeof key === "number" ? key : String(key)),
  key: String(key),
  value: typeof value === "object" && value !== null ? own(value as Json, String(key)) : undefined,
  ast: childOf(ast, key) ?? SchemaAST.unknown,
  isPrivate: isPrivate || isUnrepeated(ast),
})

/** The schema of a field, or of an item of a list. */
const childOf = (ast: SchemaAST.AST, key: PropertyKey): SchemaAST.AST | undefined => {
  if (SchemaAST.isArrays(ast)) return ast.elements[Number(key)] ?? ast.rest[0]
  if (!SchemaAST.isObjects(ast)) return undefined
  return ast.propertySignatures.find(({ name }) => name === key)?.type ?? ast.indexSignatures[0]?.type
}
