import { Schema } from "effect"

/** How deep the conditions of a rule may be nested; `when` itself is at depth 1. */
export const MAX_CONDITION_DEPTH = 32

/**
 * How deep objects and lists may be nested anywhere in a definition, keys that we don't know included.
 * `JSON.stringify` and most parsers recurse: what is published must not break those who read it.
 */
export const MAX_JSON_DEPTH = 100

/**
 * A customizer's definition, `schemaVersion` 1 (§2.3): what the buyer is asked and what each answer means for order,
 * production and price. It is JSON and stays the value that was published: keys that are not named here are kept, in
 * their place. The types describe what `rules/PublishCheck` has accepted; they are not the normative text.
 */
export interface Definition {
  readonly schemaVersion: 1
  readonly steps: ReadonlyArray<Step>
  /** Their order is "question order". */
  readonly questions: ReadonlyArray<Question>
  readonly rules: ReadonlyArray<Rule>
}

/** A page of the customizer, which shows the view that `view` names. */
export interface Step {
  readonly id: string
  readonly title: string
  readonly view: string
  readonly printAreas?: ReadonlyArray<PrintArea>
}

/** A rectangle in pixels of the step's view; its id is unique over all steps. */
export interface PrintArea {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What the buyer is asked. */
export type Question = SingleQuestion | MultipleQuestion | TextQuestion | UploadQuestion

interface QuestionBase {
  readonly id: string
  /** The id of the step it is asked in. */
  readonly step: string
  readonly title: string
  readonly hidden?: boolean
  readonly required?: boolean
  /** Key in `summary`; the title when left out. */
  readonly orderKey?: string
  /** Key in `productionData`; the id when left out. */
  readonly productionKey?: string
  readonly printArea?: string
}

/** Exactly one of the answers. */
export interface SingleQuestion extends QuestionBase {
  readonly type: "single"
  readonly answers: readonly [Answer, ...Array<Answer>]
  readonly min?: never
  readonly max?: never
  readonly maxLength?: never
  readonly price?: never
}

/** Between `min` (0) and `max` (all) of the answers. */
export interface MultipleQuestion extends QuestionBase {
  readonly type: "multiple"
  readonly answers: readonly [Answer, ...Array<Answer>]
  readonly min?: number
  readonly max?: number
  readonly maxLength?: never
  readonly price?: never
}

/** A text of at most `maxLength` (255) code points; `price` in cents is charged once when it is answered. */
export interface TextQuestion extends QuestionBase {
  readonly type: "text"
  readonly answers?: readonly []
  readonly min?: never
  readonly max?: never
  readonly maxLength?: number
  readonly price?: number
}

/** Between `min` (0) and `max` (1) files; `price` in cents is charged once when it is answered. */
export interface UploadQuestion extends QuestionBase {
  readonly type: "upload"
  readonly answers?: readonly []
  readonly min?: number
  readonly max?: number
  readonly maxLength?: never
  readonly price?: number
}

/** An answer of a single or multiple question. */
export interface Answer {
  readonly id: string
  readonly title: string
  /** Value in `summary`; the title when left out. */
  readonly orderValue?: string
  readonly productionCode: string
  /** Cents, may be negative; 0 when left out. */
  readonly price?: number
  readonly variantId?: string | null
  readonly layers?: ReadonlyArray<Layer>
}

/** A picture that the answer puts on a view; `path` is relative to the customizer's `assetBase`. */
export interface Layer {
  readonly view: string
  readonly path: string
}

/** While `when` holds, shows and hides questions and disables answers. Reads only questions before all of them. */
export interface Rule {
  readonly id: string
  readonly when: Condition
  readonly show?: ReadonlyArray<string>
  readonly hide?: ReadonlyArray<string>
  readonly disable?: ReadonlyArray<Disable>
}

/** Answers of one question that cannot be chosen while the rule's condition holds. */
export interface Disable {
  readonly question: string
  readonly answers: ReadonlyArray<string>
}

/** What a rule looks at; exactly one of the five forms, nested at most {@link MAX_CONDITION_DEPTH} deep. */
export type Condition =
  | { readonly question: string; readonly is: string }
  | { readonly question: string; readonly answered: boolean }
  | { readonly all: ReadonlyArray<Condition> }
  | { readonly any: ReadonlyArray<Condition> }
  | { readonly not: Condition }

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const PositiveCount = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
const Pixels = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const Extent = Schema.Finite.check(Schema.isGreaterThan(0))
const absent = Schema.optionalKey(Schema.Never)

const PrintAreaShape = Schema.Struct({
  id: Schema.NonEmptyString,
  x: Pixels,
  y: Pixels,
  width: Extent,
  height: Extent,
})

const StepShape = Schema.Struct({
  id: Schema.NonEmptyString,
  title: Schema.String,
  view: Schema.NonEmptyString,
  printAreas: Schema.optionalKey(Schema.Array(PrintAreaShape)),
})

const AnswerShape = Schema.Struct({
  id: Schema.NonEmptyString,
  title: Schema.String,
  orderValue: Schema.optionalKey(Schema.String),
  productionCode: Schema.String,
  price: Schema.optionalKey(Schema.Int),
  variantId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  layers: Schema.optionalKey(Schema.Array(Schema.Struct({ view: Schema.NonEmptyString, path: Schema.String }))),
})

const questionBase = {
  id: Schema.NonEmptyString,
  step: Schema.String,
  title: Schema.String,
  hidden: Schema.optionalKey(Schema.Boolean),
  required: Schema.optionalKey(Schema.Boolean),
  orderKey: Schema.optionalKey(Schema.String),
  productionKey: Schema.optionalKey(Schema.String),
  printArea: Schema.optionalKey(Schema.String),
}
const someAnswers = Schema.NonEmptyArray(AnswerShape)
const noAnswers = Schema.optionalKey(Schema.Tuple([]))

const QuestionShape = Schema.Union([
  Schema.Struct({
    ...questionBase,
    type: Schema.Literal("single"),
    answers: someAnswers,
    min: absent,
    max: absent,
    maxLength: absent,
    price: absent,
  }),
  Schema.Struct({
    ...questionBase,
    type: Schema.Literal("multiple"),
    answers: someAnswers,
    min: Schema.optionalKey(Count),
    max: Schema.optionalKey(PositiveCount),
    maxLength: absent,
    price: absent,
  }),
  Schema.Struct({
    ...questionBase,
    type: Schema.Literal("text"),
    answers: noAnswers,
    min: absent,
    max: absent,
    maxLength: Schema.optionalKey(PositiveCount),
    price: Schema.optionalKey(Schema.Int),
  }),
  Schema.Struct({
    ...questionBase,
    type: Schema.Literal("upload"),
    answers: noAnswers,
    min: Schema.optionalKey(Count),
    max: Schema.optionalKey(PositiveCount),
    maxLength: absent,
    price: Schema.optionalKey(Schema.Int),
  }),
])

const noForm = { question: absent, is: absent, answered: absent, all: absent, any: absent, not: absent }

const ConditionShape: Schema.Codec<Condition> = Schema.Union([
  Schema.Struct({ ...noForm, question: Schema.String, is: Schema.String }),
  Schema.Struct({ ...noForm, question: Schema.String, answered: Schema.Boolean }),
  Schema.Struct({ ...noForm, all: Schema.Array(Schema.suspend((): Schema.Codec<Condition> => ConditionShape)) }),
  Schema.Struct({ ...noForm, any: Schema.Array(Schema.suspend((): Schema.Codec<Condition> => ConditionShape)) }),
  Schema.Struct({ ...noForm, not: Schema.suspend((): Schema.Codec<Condition> => ConditionShape) }),
]).annotate({ identifier: "Condition" })

const RuleShape = Schema.Struct({
  id: Schema.NonEmptyString,
  when: ConditionShape,
  show: Schema.optionalKey(Schema.Array(Schema.String)),
  hide: Schema.optionalKey(Schema.Array(Schema.String)),
  disable: Schema.optionalKey(
    Schema.Array(Schema.Struct({ question: Schema.String, answers: Schema.Array(Schema.String) })),
  ),
})

/**
 * The shape alone, for documentation (`Schema.toJsonSchemaDocument`). Don't decode with it: a struct drops the keys that
 * it doesn't know and puts the others in its own order. {@link Definition} keeps the value.
 */
export const DefinitionShape: Schema.Codec<Definition> = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  steps: Schema.Array(StepShape),
  questions: Schema.Array(QuestionShape),
  rules: Schema.Array(RuleShape),
}).annotate({ identifier: "Definition" })

const hasShape = Schema.is(DefinitionShape)

/** Level by level, because a value that is nested too deep is just what must not be recursed into. */
const isNestedWithin = (depth: number, input: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [input]
  for (let at = 0; at <= depth; at++) {
    const objects = level.filter((value): value is object => typeof value === "object" && value !== null)
    if (objects.length === 0) return true
    level = objects.flatMap((value) => Object.values(value))
  }
  return false
}

/**
 * Accepts a value that has the shape of a definition and returns that same value, extra keys and key order included.
 * It says yes or no: what is wrong and where, and whether the references in it hold, is for `rules/PublishCheck`.
 */
export const Definition = Schema.declare<Definition>(
  (input): input is Definition => isNestedWithin(MAX_JSON_DEPTH, input) && hasShape(input),
  { identifier: "Definition", expected: "a definition of schemaVersion 1", toCodecJson: () => undefined },
)
