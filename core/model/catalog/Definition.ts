/**
 * A customizer's definition, `schemaVersion` 1 (§2.3): what the buyer is asked and what each answer means for order,
 * production and price.
 *
 * The schemas below are the one source of its shape. The types come from them, so does the JSON Schema of the OpenAPI
 * document, and `rules/ShapeCheck` words its problems by their annotations: `expected` completes "must be …", `message`
 * is the whole sentence. The tables of the guide, `core/FIELDS.md`, are made from `expected` and `description`.
 */
import { Schema } from "effect"
import { means } from "../Means.ts"
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
  id: means("What a question's `printArea` names; unique over all steps", Name),
  x: means("The left edge, in pixels of the view", Pixels),
  y: means("The upper edge, in pixels of the view", Pixels),
  width: means("Pixels", Extent),
  height: means("Pixels", Extent),
}).annotate({ identifier: "PrintArea", expected: "a print area" })

/** A rectangle in pixels of the step's view; its id is unique over all steps. */
export type PrintArea = typeof PrintArea.Type

const Step = Schema.Struct({
  id: means("What a question's `step` names", Name),
  title: means("What the buyer reads", Text),
  view: means("The name of the view that the page shows; several steps may show the same", Name),
  printAreas: optional(means("Rectangles of the view, for texts and pictures of the buyer", list(PrintArea))),
}).annotate({ identifier: "Step", expected: "a step" })

/** A page of the customizer, which shows the view that `view` names. */
export type Step = typeof Step.Type

const Layer = Schema.Struct({
  view: means("The name of a view that a step shows", Name),
  path: means("The address of the picture, relative to the customizer's `assetBase`", Text),
}).annotate({ identifier: "Layer", expected: "a layer" })

/** A picture that the answer puts on a view; `path` is relative to the customizer's `assetBase`. */
export type Layer = typeof Layer.Type

const DefinitionAnswer = Schema.Struct({
  id: means("What selections and rules name; unique among the answers of the question", Name),
  title: means("What the buyer reads", Text),
  orderValue: optional(means("Value in `summary`; the title when left out", Text)),
  productionCode: means("Value in `productionData`", Text),
  price: optional(means("What the answer adds to the price; may be negative; 0 when left out", Cents)),
  variantId: optional(means("The variant of the platform that stands for the answer", VariantId)),
  layers: optional(means("Pictures that the answer puts on views", list(Layer))),
}).annotate({ identifier: "Answer", expected: "an answer" })

/** An answer of a single or multiple question. */
export type DefinitionAnswer = typeof DefinitionAnswer.Type

const questionBase = {
  id: means("What selections and rules name", Name),
  step: means("The id of the step it is asked in", Text),
  title: means("What the buyer reads", Text),
  hidden: optional(means("Whether it is hidden unless a rule shows it; `false` when left out", Flag)),
  required: optional(means("Whether it must be answered while it is visible; `false` when left out", Flag)),
  orderKey: optional(means("Key in `summary`; the title when left out", Text)),
  productionKey: optional(means("Key in `productionData`; the id when left out", Text)),
  printArea: optional(means("The id of the print area that the answer is meant for", Text)),
}
const type = <const Type extends string>(name: Type) => means("The kind of the question", Schema.Literal(name))
const someAnswers = Schema.NonEmptyArray(DefinitionAnswer).annotate({
  expected: "a list of at least one answer",
  description: "What the buyer can choose",
})
const noAnswers = optional(
  Schema.Tuple([]).annotate({ message: "must be left out: only single and multiple questions have answers" }),
)
const noRange = only("multiple and upload questions")
const noMaxLength = only("text questions")
const noPrice = only("answers, and questions of type text and upload,")

const SingleQuestion = Schema.Struct({
  ...questionBase,
  type: type("single"),
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
  type: type("multiple"),
  answers: someAnswers,
  min: optional(means("The smallest number of answers or files; 0 when left out", Count)),
  max: optional(means("The largest number of answers; all when left out", PositiveCount)),
  maxLength: noMaxLength,
  price: noPrice,
}).annotate({ identifier: "MultipleQuestion" })

/** Between `min` and `max` of the answers. */
export type MultipleQuestion = typeof MultipleQuestion.Type

const TextQuestion = Schema.Struct({
  ...questionBase,
  type: type("text"),
  answers: noAnswers,
  min: noRange,
  max: noRange,
  maxLength: optional(means("The longest text, in code points; 255 when left out", PositiveCount)),
  price: optional(means("What an answer adds to the price, once; 0 when left out", Cents)),
}).annotate({ identifier: "TextQuestion" })

/** A text of at most `maxLength` code points. */
export type TextQuestion = typeof TextQuestion.Type

const UploadQuestion = Schema.Struct({
  ...questionBase,
  type: type("upload"),
  answers: noAnswers,
  min: optional(means("The smallest number of answers or files; 0 when left out", Count)),
  max: optional(means("The largest number of files; 1 when left out", PositiveCount)),
  maxLength: noMaxLength,
  price: optional(means("What an answer adds to the price, once; 0 when left out", Cents)),
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
]).annotate({
  identifier: "Condition",
  expected: "a condition",
  description: "While it holds, the rule does what its other fields say",
})

const Disable = Schema.Struct({
  question: means("The id of a single or multiple question", Text),
  answers: means("The ids of the answers", list(Text)),
}).annotate({ expected: "a question with answers" })

/** Answers of one question that cannot be chosen while the rule's condition holds. */
export type Disable = typeof Disable.Type

const Rule = Schema.Struct({
  id: means("The name of the rule", Name),
  when: Condition,
  show: optional(means("The ids of questions that it shows", list(Text))),
  hide: optional(means("The ids of questions that it hides", list(Text))),
  disable: optional(means("Answers of questions that it disables", list(Disable))),
}).annotate({ identifier: "Rule", expected: "a rule" })

/** While `when` holds, shows and hides questions and disables answers. Reads only questions before all of them. */
export type Rule = typeof Rule.Type

/**
 * The shape of a definition. Don't decode with it: a struct drops the keys that it doesn't know and puts the others in
 * its own order, while a definition stays the JSON that was published. `rules/PublishCheck` decides what may be
 * published.
 */
export const Definition = Schema.Struct({
  schemaVersion: Schema.Literal(1).annotate({ expected: "1", description: "The version of this language" }),
  steps: Schema.NonEmptyArray(Step)
    .check(Schema.isMaxLength(MAX_STEPS))
    .annotate({ expected: `a list of 1 to ${MAX_STEPS} steps`, description: "The pages of the customizer" }),
  questions: means("What the buyer is asked, in the order of `summary` and `productionData`", list(Question)),
  rules: means("What answers change about later questions", list(Rule)),
}).annotate({ identifier: "Definition", expected: "an object with schemaVersion, steps, questions and rules" })
export type Definition = typeof Definition.Type

/** The input of publishing. */
export interface PublishInput {
  readonly definition: Definition
}
