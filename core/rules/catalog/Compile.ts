import type { Condition, Definition, DefinitionAnswer, Question, VariantId } from "../../model/catalog/Definition.ts"
import { quote } from "../../model/json/Json.ts"
import { positiveZero } from "./Price.ts"

/** A definition prepared for `Evaluation`. Compile each published version once; callers outside read only `views`. */
export interface CompiledDefinition {
  /** View names without duplicates, in the order in which the steps name them (D7). */
  readonly views: ReadonlyArray<string>
  readonly questions: ReadonlyArray<CompiledQuestion>
  readonly questionById: ReadonlyMap<string, CompiledQuestion>
  /** The condition of each rule, in the order of the rules. */
  readonly rules: ReadonlyArray<Holds>
  readonly answerCount: number
}

/** A question with defaults filled in. */
export interface CompiledQuestion {
  readonly id: string
  readonly index: number
  readonly type: Question["type"]
  readonly title: string
  readonly hidden: boolean
  readonly required: boolean
  readonly orderKey: string
  readonly productionKey: string
  readonly answers: ReadonlyArray<CompiledAnswer>
  readonly answerById: ReadonlyMap<string, CompiledAnswer>
  readonly min: number
  readonly max: number
  readonly maxLength: number
  readonly price: number
  /** The rules that show or hide the question, in order; the last one that holds decides. */
  readonly switches: Array<{ readonly rule: number; readonly visible: boolean }>
}

/** An answer with defaults filled in. */
export interface CompiledAnswer {
  readonly id: string
  /** Position among all answers of the definition. */
  readonly index: number
  readonly orderValue: string
  readonly productionCode: string
  readonly price: number
  readonly variantId: VariantId
  /** The rules that disable the answer. */
  readonly disabledBy: Array<number>
}

type Holds = (facts: Facts) => boolean

/** The state that conditions read. Hidden questions have no entry, so they count as unanswered. */
export interface Facts {
  /** By question: 1 if answered. */
  readonly answered: Uint8Array
  /** By answer: 1 if chosen. */
  readonly chosen: Uint8Array
}

/** Default of a text question's `maxLength`, in code points. */
const DEFAULT_MAX_LENGTH = 255

/** Compiles a definition that `publishCheck` has accepted. Throws if a name in it refers to nothing. */
export const compile = (definition: Definition): CompiledDefinition => {
  let answerCount = 0
  const questions = definition.questions.map((question, index) => {
    const compiled = compileQuestion(question, index, answerCount)
    answerCount += compiled.answers.length
    return compiled
  })
  const questionById = new Map(questions.map((question) => [question.id, question]))
  definition.rules.forEach((rule, index) => {
    for (const id of rule.show ?? []) find(questionById, id).switches.push({ rule: index, visible: true })
    for (const id of rule.hide ?? []) find(questionById, id).switches.push({ rule: index, visible: false })
    for (const disable of rule.disable ?? []) {
      const { answerById } = find(questionById, disable.question)
      for (const answer of disable.answers) find(answerById, answer).disabledBy.push(index)
    }
  })
  const rules = definition.rules.map((rule) => compileCondition(questionById, rule.when))
  const views = [...new Set(definition.steps.map((step) => step.view))]
  return { views, questions, questionById, rules, answerCount }
}

const find = <A>(byId: ReadonlyMap<string, A>, id: string): A => {
  const found = byId.get(id)
  if (found === undefined) throw new Error(`The definition was not checked: nothing has the id ${quote(id)}`)
  return found
}

const compileQuestion = (question: Question, index: number, firstAnswer: number): CompiledQuestion => {
  const answers = (question.answers ?? []).map((answer: DefinitionAnswer, at) =>
    compileAnswer(answer, firstAnswer + at),
  )
  return {
    id: question.id,
    index,
    type: question.type,
    title: question.title,
    hidden: question.hidden ?? false,
    required: question.required ?? false,
    orderKey: question.orderKey ?? question.title,
    productionKey: question.productionKey ?? question.id,
    answers,
    answerById: new Map(answers.map((answer) => [answer.id, answer])),
    min: question.min ?? 0,
    max: question.max ?? (question.type === "upload" ? 1 : Number.POSITIVE_INFINITY),
    maxLength: question.maxLength ?? DEFAULT_MAX_LENGTH,
    price: positiveZero(question.price ?? 0),
    switches: [],
  }
}

const compileAnswer = (answer: DefinitionAnswer, index: number): CompiledAnswer => ({
  id: answer.id,
  index,
  orderValue: answer.orderValue ?? answer.title,
  productionCode: answer.productionCode,
  price: positiveZero(answer.price ?? 0),
  variantId: answer.variantId ?? null,
  disabledBy: [],
})

/** Recursive: `publishCheck` bounds the nesting of conditions. */
const compileCondition = (questions: ReadonlyMap<string, CompiledQuestion>, condition: Condition): Holds => {
  if ("is" in condition) {
    const { index } = find(find(questions, condition.question).answerById, condition.is)
    return ({ chosen }) => chosen[index] === 1
  }
  if ("answered" in condition) {
    const { index } = find(questions, condition.question)
    const wanted = condition.answered ? 1 : 0
    return ({ answered }) => answered[index] === wanted
  }
  if ("all" in condition) {
    const parts = condition.all.map((part) => compileCondition(questions, part))
    return (facts) => parts.every((holds) => holds(facts))
  }
  if ("any" in condition) {
    const parts = condition.any.map((part) => compileCondition(questions, part))
    return (facts) => parts.some((holds) => holds(facts))
  }
  const holds = compileCondition(questions, condition.not)
  return (facts) => !holds(facts)
}
