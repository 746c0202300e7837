/**
 * A customizer's definition, `schemaVersion` 1 (§2.3): what the buyer is asked and what each answer means for order,
 * production and price.
 *
 * The schemas below are the one source of its shape. The types come from them, so does the JSON Schema of the OpenAPI
 * document, and `rules/ShapeCheck` words its problems by their annotations: `expected` completes "must be …", `message`
 * is the whole sentence.
 */
import { Schema } from "effect"
import type { DefinitionCondition } from "../Resources.ts"

/** How deep the conditions of a rule may be nested; `when` itself is at depth 1. */
export const MAX_CONDITION_DEPTH = 32

/** A definition has at most this many steps: each adds a picture to every design (D46). */
const MAX_STEPS = 200

const Text = Schema.String.annotate({ expected: "a string" })
const Name = Schema.NonEmptyString.annotate({ expected: "a non-empty string" })
const Flag = Schema.Boolean.annotate({ expected: "true or false" })
const Cents = Schema.Int.annotate({ expected: "an integer number of cents within ±(2^53 - 1)" })
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ expected: "an integer, 0 or more" })
const PositiveCount = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ expected: "an integer, 1 or more" })
const Pixels = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ expected: "a number, 0 or more" })
const Extent = Schema.Finite.check(Schema.isGreaterThan(0)).annotate({ expected: "a number above 0" })

const optional = Schema.optionalKey

const list = <Item extends Schema.Constraint>(item: Item) => Schema.Array(item).annotate({ expected: "a list" })

/** A key that other types of question have. */
const only = (others: string) =>
  optional(Schema.Never.annotate({ message: `must be left out: only ${others} have it` }))

/** The id of a platform's variant, a string or an integer, kept as given; `null` for none (D44). */
export const VariantId = Schema.NullOr(Schema.Union([Schema.String, Schema.Int])).annotate({
  expected: "a string, an integer within ±(2^53 - 1) or null",
})
export type VariantId = typeof VariantId.Type

const PrintArea = Schema.Struct({
  id: Name,
  x: Pixels,
  y: Pixels,
  width: Extent,
  height: Extent,
}).annotate({ identifier: "PrintArea", expected: "a print area" })

/** A rectangle in pixels of the step's view; its id is unique over all steps. */
export type PrintArea = typeof PrintArea.Type

const Step = Schema.Struct({
  id: Name,
  title: Text,
  view: Name,
  printAreas: optional(list(PrintArea)),
}).annotate({ identifier: "Step", expected: "a step" })

/** A page of the customizer, which shows the view that `view` names. */
export type Step = typeof Step.Type

const Layer = Schema.Struct({
  view: Name,
  path: Text,
}).annotate({ identifier: "Layer", expected: "a layer" })

/** A picture that the answer puts on a view; `path` is relative to the customizer's `assetBase`. */
export type Layer = typeof Layer.Type

const DefinitionAnswer = Schema.Struct({
  id: Name,
  title: Text,
  orderValue: optional(Text.annotate({ description: "Value in `summary`; the title when left out." })),
  productionCode: Text,
  price: optional(Cents.annotate({ description: "Cents, may be negative; 0 when left out." })),
  variantId: optional(VariantId),
  layers: optional(list(Layer)),
}).annotate({ identifier: "Answer", expected: "an answer" })

/** An answer of a single or multiple question. */
export type DefinitionAnswer = typeof DefinitionAnswer.Type

const questionBase = {
  id: Name,
  step: Text.annotate({ description: "The id of the step it is asked in." }),
  title: Text,
  hidden: optional(Flag),
  required: optional(Flag),
  orderKey: optional(Text.annotate({ description: "Key in `summary`; the title when left out." })),
  productionKey: optional(Text.annotate({ description: "Key in `productionData`; the id when left out." })),
  printArea: optional(Text),
}
const someAnswers = Schema.NonEmptyArray(DefinitionAnswer).annotate({ expected: "a list of at least one answer" })
const noAnswers = optional(
  Schema.Tuple([]).annotate({ message: "must be left out: only single and multiple questions have answers" }),
)
const noRange = only("multiple and upload questions")
const noMaxLength = only("text questions")
const noPrice = only("answers, and questions of type text and upload,")

const SingleQuestion = Schema.Struct({
  ...questionBase,
  type: Schema.Literal("single"),
  answers: someAnswers,
  min: noRange,
  max: noRange,
  maxLength: noMaxLength,
  price: noPrice,
}).annotate({ identifier: "SingleQuestion" })

/** Exactly one of the answers. */
export type SingleQuestion = typeof SingleQuestion.Type

const MultipleQuestion = Schema.Struct({
  ...questionBase,
  type: Schema.Literal("multiple"),
  answers: someAnswers,
  min: optional(Count.annotate({ description: "The smallest number of answers; 0 when left out." })),
  max: optional(PositiveCount.annotate({ description: "The largest number of answers; all when left out." })),
  maxLength: noMaxLength,
  price: noPrice,
}).annotate({ identifier: "MultipleQuestion" })

/** Between `min` and `max` of the answers. */
export type MultipleQuestion = typeof MultipleQuestion.Type

const TextQuestion = Schema.Struct({
  ...questionBase,
  type: Schema.Literal("text"),
  answers: noAnswers,
  min: noRange,
  max: noRange,
  maxLength: optional(PositiveCount.annotate({ description: "In code points; 255 when left out." })),
  price: optional(Cents.annotate({ description: "Cents, charged once when it is answered; 0 when left out." })),
}).annotate({ identifier: "TextQuestion" })

/** A text of at most `maxLength` code points. */
export type TextQuestion = typeof TextQuestion.Type

const UploadQuestion = Schema.Struct({
  ...questionBase,
  type: Schema.Literal("upload"),
  answers: noAnswers,
  min: optional(Count.annotate({ description: "The smallest number of files; 0 when left out." })),
  max: optional(PositiveCount.annotate({ description: "The largest number of files; 1 when left out." })),
  maxLength: noMaxLength,
  price: optional(Cents.annotate({ description: "Cents, charged once when it is answered; 0 when left out." })),
}).annotate({ identifier: "UploadQuestion" })

/** Between `min` and `max` files. */
export type UploadQuestion = typeof UploadQuestion.Type

const Question = Schema.Union([SingleQuestion, MultipleQuestion, TextQuestion, UploadQuestion]).annotate({
  identifier: "Question",
  expected: "a question",
})

/** A question to the buyer. */
export type Question = typeof Question.Type

/** The condition of a rule: exactly one of the five forms, nested at most {@link MAX_CONDITION_DEPTH} deep. */
export type Condition = DefinitionCondition

const absent = optional(Schema.Never)
const noForm = { question: absent, is: absent, answered: absent, all: absent, any: absent, not: absent }
const part = Schema.suspend((): Schema.Codec<Condition> => Condition)

const Condition: Schema.Codec<Condition> = Schema.Union([
  Schema.Struct({ ...noForm, question: Text, is: Text }),
  Schema.Struct({ ...noForm, question: Text, answered: Flag }),
  Schema.Struct({ ...noForm, all: list(part) }),
  Schema.Struct({ ...noForm, any: list(part) }),
  Schema.Struct({ ...noForm, not: part }),
]).annotate({ identifier: "Condition", expected: "a condition" })

const Disable = Schema.Struct({
  question: Text,
  answers: list(Text),
}).annotate({ expected: "a question with answers" })

/** Answers of one question that cannot be chosen while the rule's condition holds. */
export type Disable = typeof Disable.Type

const Rule = Schema.Struct({
  id: Name,
  when: Condition,
  show: optional(list(Text)),
  hide: optional(list(Text)),
  disable: optional(list(Disable)),
}).annotate({ identifier: "Rule", expected: "a rule" })

/** While `when` holds, shows and hides questions and disables answers. Reads only questions before all of them. */
export type Rule = typeof Rule.Type

/**
 * The shape of a definition. Don't decode with it: a struct drops the keys that it doesn't know and puts the others in
 * its own order, while a definition stays the JSON that was published. `rules/PublishCheck` decides what may be
 * published.
 */
export const Definition = Schema.Struct({
  schemaVersion: Schema.Literal(1).annotate({ expected: "1" }),
  steps: Schema.NonEmptyArray(Step)
    .check(Schema.isMaxLength(MAX_STEPS))
    .annotate({ expected: `a list of 1 to ${MAX_STEPS} steps` }),
  questions: list(Question).annotate({ description: "Their order is the order of summary and productionData." }),
  rules: list(Rule),
}).annotate({ identifier: "Definition", expected: "an object with schemaVersion, steps, questions and rules" })
export type Definition = typeof Definition.Type

/** The input of publishing. */
export interface PublishInput {
  readonly definition: Definition
}
