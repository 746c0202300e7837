/**
 * Checks a value against a schema and reports everything that is wrong with it, each problem with its path, in words
 * from the schema's annotations: `expected` completes "must be …", `message` is the whole sentence.
 *
 * Effect's own decoder either stops at the first problem or collects all of them, and for a union says only that no
 * member fits. This check explains the problem within the intended variant, and builds no more problems than are
 * listed.
 */
import { Schema, SchemaAST } from "effect"
import { memoize } from "effect/Function"
import { describe, isPlainObject, type Json, own } from "../../model/json/Json.ts"
import { join, type ProblemReport } from "../../model/Problem.ts"

/** Reports the problems of the value at a path. Recurses as deep as the value is nested. */
export type ShapeCheck = (report: ProblemReport, path: string, value: unknown) => void

/**
 * Makes the check of a schema built from structs, lists and unions of structs; any other schema is judged as a whole.
 * The structs of a union must differ in a literal under a common key, or in the keys that they have.
 */
export const shapeCheck = (schema: Schema.Constraint): ShapeCheck => compile(schema.ast)

const compile = memoize((ast: SchemaAST.AST): ShapeCheck => {
  if (annotation(ast, "message") !== undefined) return wholeCheck(ast)
  switch (ast._tag) {
    case "Objects":
      return objectCheck(ast, allFields(ast))
    case "Arrays":
      return listCheck(ast)
    case "Union":
      return ast.types.every(SchemaAST.isObjects) ? objectCheck(ast, variantOf(ast.types)) : wholeCheck(ast)
    case "Suspend":
      return (report, path, value) => compile(ast.thunk())(report, path, value)
    default:
      return wholeCheck(ast)
  }
})

const annotation = (ast: SchemaAST.AST, key: "expected" | "message"): string | undefined =>
  Schema.resolveAnnotations(Schema.make(ast))?.[key]

const expectedOf = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isSuspend(ast)) return expectedOf(ast.thunk())
  const expected = annotation(ast, "expected")
  if (expected === undefined) throw new Error(`A schema of kind ${ast._tag} lacks the annotation "expected"`)
  return expected
}

const wholeCheck = (ast: SchemaAST.AST): ShapeCheck => {
  const message = annotation(ast, "message")
  const expected = message === undefined ? expectedOf(ast) : ""
  const accepts = Schema.is(Schema.make(ast))
  return (report, path, value) => {
    if (!accepts(value)) report.add(path, () => message ?? `must be ${expected}, not ${describe(value)}`)
  }
}

const listCheck = (ast: SchemaAST.Arrays): ShapeCheck => {
  const expected = expectedOf(ast)
  const [item = SchemaAST.unknown] = ast.rest
  const check = compile(item)
  const hasRightLength = (value: ReadonlyArray<unknown>): boolean =>
    value.length >= ast.elements.length && (ast.checks ?? []).every((each) => passes(each, value, ast))
  return (report, path, value) => {
    if (!Array.isArray(value)) {
      report.add(path, () => `must be ${expected}, not ${describe(value)}`)
      return
    }
    if (!hasRightLength(value)) {
      report.add(
        path,
        () => `must be ${expected}, not ${value.length === 0 ? "an empty list" : `one of ${value.length}`}`,
      )
    }
    for (const [index, each] of value.entries()) check(report, join(path, index), each)
  }
}

const passes = (check: SchemaAST.Check<unknown>, value: unknown, ast: SchemaAST.AST): boolean =>
  check._tag === "Filter"
    ? check.run(value, ast, {}) === undefined
    : check.checks.every((each) => passes(each, value, ast))

type ObjectCheck = (report: ProblemReport, path: string, object: Json) => void

const objectCheck = (ast: SchemaAST.AST, checkObject: ObjectCheck): ShapeCheck => {
  const expected = expectedOf(ast)
  return (report, path, value) => {
    if (isPlainObject(value)) checkObject(report, path, value)
    else report.add(path, () => `must be ${expected}, not ${describe(value)}`)
  }
}

interface Field {
  readonly key: string
  /** A description of the required value; `undefined` if the key is optional. */
  readonly required: string | undefined
  readonly check: ShapeCheck
}

const fieldOf = ({ name, type }: SchemaAST.PropertySignature): Field => ({
  key: String(name),
  required: SchemaAST.isOptional(type) ? undefined : expectedOf(type),
  check: compile(type),
})

const checkFields = (report: ProblemReport, path: string, object: Json, fields: ReadonlyArray<Field>): void => {
  for (const { check, key, required } of fields) {
    const value = own(object, key)
    if (value !== undefined) check(report, within(path, key), value)
    else if (required !== undefined) report.add(within(path, key), () => `is missing; it must be ${required}`)
  }
}

/** `join` for keys of a schema, which are plain names. */
const within = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

const allFields = (ast: SchemaAST.Objects): ObjectCheck => {
  const fields = ast.propertySignatures.map(fieldOf)
  return (report, path, object) => checkFields(report, path, object, fields)
}

type Variants = ReadonlyArray<SchemaAST.Objects>

const variantOf = (variants: Variants): ObjectCheck => {
  const tag = variants[0]?.propertySignatures.find(({ name }) =>
    variants.every((variant) => typeOf(variant, name)?._tag === "Literal"),
  )
  return tag === undefined ? byKeys(variants) : byTag(variants, String(tag.name))
}

const typeOf = (variant: SchemaAST.Objects, key: PropertyKey): SchemaAST.AST | undefined =>
  variant.propertySignatures.find(({ name }) => name === key)?.type

/**
 * Finds the variant by the literal under `tag`. If no variant matches, the fields that all variants share are checked.
 */
const byTag = (variants: Variants, tag: string): ObjectCheck => {
  const fields = new Map<unknown, ReadonlyArray<Field>>()
  for (const variant of variants) {
    const type = typeOf(variant, tag)
    const others = variant.propertySignatures.filter(({ name }) => name !== tag)
    if (type?._tag === "Literal") fields.set(type.literal, others.map(fieldOf))
  }
  const expected = either([...fields.keys()].map((literal) => JSON.stringify(literal)))
  const tagField: Field = {
    key: tag,
    required: expected,
    check: (report, path, value) => report.add(path, () => `must be ${expected}, not ${describe(value)}`),
  }
  const shared = (variants[0]?.propertySignatures ?? []).flatMap((property) => {
    if (property.name === tag) return [tagField]
    return variants.every((variant) => typeOf(variant, property.name) === property.type) ? [fieldOf(property)] : []
  })
  return (report, path, object) => checkFields(report, path, object, fields.get(own(object, tag)) ?? shared)
}

/** Finds the variant whose keys are exactly the present keys. */
const byKeys = (variants: Variants): ObjectCheck => {
  const forms = variants.map((variant) =>
    variant.propertySignatures.filter(({ type }) => !SchemaAST.isNever(type)).map(fieldOf),
  )
  const known = new Map(forms.flat().map((field) => [field.key, field]))
  const keys = new Set(forms.map((form) => form.map(({ key }) => key).join(" and ")))
  return (report, path, object) => {
    const present = [...known.values()].filter(({ key }) => own(object, key) !== undefined)
    const found = present.map(({ key }) => key).join(" and ")
    if (!keys.has(found)) {
      report.add(path, () => `must have exactly ${either([...keys])}; it has ${found === "" ? "none of them" : found}`)
    }
    checkFields(report, path, object, present)
  }
}

const either = (words: ReadonlyArray<string>): string => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
