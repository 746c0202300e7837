/** The shape of a definition: each kind of object as a table of its fields. */
import { Predicate } from "effect"
import { describe, isPlainObject, type Json, own } from "../model/Json.ts"
import { join, type ProblemReport } from "../model/ProblemReport.ts"

interface Field {
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
  readonly optional: boolean
}

const field = (expected: string, accepts: (value: unknown) => boolean): Field => ({
  expected,
  accepts,
  optional: false,
})
const optional = (of: Field): Field => ({ ...of, optional: true })

const string = field("a string", Predicate.isString)
const name = field("a non-empty string", (value) => Predicate.isString(value) && value !== "")
const boolean = field("true or false", Predicate.isBoolean)
const list = field("a list", Array.isArray)
const strings = field("a list of strings", (value) => Array.isArray(value) && value.every(Predicate.isString))
const cents = field("an integer number of cents within ±(2^53 - 1)", Number.isSafeInteger)
const count = field(
  "an integer, 0 or more",
  (value) => Predicate.isNumber(value) && Number.isSafeInteger(value) && value >= 0,
)
const positive = field(
  "an integer, 1 or more",
  (value) => Predicate.isNumber(value) && Number.isSafeInteger(value) && value >= 1,
)
const pixels = field("a number, 0 or more", (value) => Predicate.isNumber(value) && value >= 0)
const extent = field("a number above 0", (value) => Predicate.isNumber(value) && value > 0)
const only = (types: string): Field => optional(field(`left out: only ${types} have it`, () => false))

type Fields = ReadonlyArray<readonly [key: string, field: Field]>

export const definitionFields: Fields = [
  ["schemaVersion", field("1", (value) => value === 1)],
  ["steps", list],
  ["questions", list],
  ["rules", list],
]

export const stepFields: Fields = [
  ["id", name],
  ["title", string],
  ["view", name],
  ["printAreas", optional(list)],
]

export const printAreaFields: Fields = [
  ["id", name],
  ["x", pixels],
  ["y", pixels],
  ["width", extent],
  ["height", extent],
]

export const questionFields: Fields = [
  ["id", name],
  ["step", string],
  ["title", string],
  [
    "type",
    field('"single", "multiple", "text" or "upload"', (value) => Predicate.isString(value) && questionTypes.has(value)),
  ],
  ["hidden", optional(boolean)],
  ["required", optional(boolean)],
  ["orderKey", optional(string)],
  ["productionKey", optional(string)],
  ["printArea", optional(string)],
]

const someAnswers = field("a list of at least one answer", (value) => Array.isArray(value) && value.length > 0)
const noAnswers = optional(
  field(
    "left out: only single and multiple questions have answers",
    (value) => Array.isArray(value) && value.length === 0,
  ),
)
const noRange = only("multiple and upload questions")
const noMaxLength = only("text questions")
const noPrice = only("answers, and questions of type text and upload,")

/** What a question has beside {@link questionFields}, by its type. */
export const questionTypes: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  [
    "single",
    [
      ["answers", someAnswers],
      ["min", noRange],
      ["max", noRange],
      ["maxLength", noMaxLength],
      ["price", noPrice],
    ],
  ],
  [
    "multiple",
    [
      ["answers", someAnswers],
      ["min", optional(count)],
      ["max", optional(positive)],
      ["maxLength", noMaxLength],
      ["price", noPrice],
    ],
  ],
  [
    "text",
    [
      ["answers", noAnswers],
      ["min", noRange],
      ["max", noRange],
      ["maxLength", optional(positive)],
      ["price", optional(cents)],
    ],
  ],
  [
    "upload",
    [
      ["answers", noAnswers],
      ["min", optional(count)],
      ["max", optional(positive)],
      ["maxLength", noMaxLength],
      ["price", optional(cents)],
    ],
  ],
])

export const answerFields: Fields = [
  ["id", name],
  ["title", string],
  ["orderValue", optional(string)],
  ["productionCode", string],
  ["price", optional(cents)],
  ["variantId", optional(field("a string or null", (value) => value === null || Predicate.isString(value)))],
  ["layers", optional(list)],
]

export const layerFields: Fields = [
  ["view", name],
  ["path", string],
]

export const ruleFields: Fields = [
  ["id", name],
  ["when", field("a condition", isPlainObject)],
  ["show", optional(strings)],
  ["hide", optional(strings)],
  ["disable", optional(list)],
]

export const disableFields: Fields = [
  ["question", string],
  ["answers", strings],
]

export const conditionFields: Fields = [
  ["question", optional(string)],
  ["is", optional(string)],
  ["answered", optional(boolean)],
  ["all", optional(list)],
  ["any", optional(list)],
  ["not", optional(field("a condition", isPlainObject))],
]

const fieldProblem = (value: unknown, { accepts, expected, optional }: Field): string | undefined => {
  if (value === undefined) return optional ? undefined : `is missing; it must be ${expected}`
  return accepts(value) ? undefined : `must be ${expected}, not ${describe(value)}`
}

export const checkFields = (report: ProblemReport, path: string, object: Json, fields: Fields): void => {
  for (const [key, of] of fields) {
    const message = fieldProblem(own(object, key), of)
    if (message !== undefined) report.add(join(path, key), () => message)
  }
}

/** The objects in a list with their paths; what is no object is reported. */
export const objectsOf = (
  report: ProblemReport,
  path: string,
  values: ReadonlyArray<unknown>,
  what: string,
): ReadonlyArray<Located> => {
  const objects: Array<Located> = []
  for (const [index, object] of values.entries()) {
    if (isPlainObject(object)) objects.push({ path: join(path, index), object, index })
    else report.add(join(path, index), () => `must be ${what}, not ${describe(object)}`)
  }
  return objects
}

export interface Located {
  readonly path: string
  readonly object: Json
  readonly index: number
}
