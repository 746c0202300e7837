import { Result } from "effect"
import { type Answer, type Condition, DEFAULT_MAX_LENGTH, type Definition, type Question } from "../model/Definition.ts"
import type { Price, PriceLine, ProductionEntry, SummaryEntry } from "../model/Design.ts"
import { codePointLength } from "../model/Ids.ts"
import { describe, isPlainObject, quote } from "../model/Json.ts"
import type { Problems } from "../model/Problem.ts"
import { ProblemReport } from "../model/ProblemReport.ts"
import { isStorable } from "../model/Text.ts"

/** What a selection comes to (§2.1): the parts of a design that are worked out when it is saved. */
export interface Evaluated {
  readonly summary: ReadonlyArray<SummaryEntry>
  readonly productionData: ReadonlyArray<ProductionEntry>
  readonly price: Price
}

/** A selection as the buyer's storefront sent it, and the shop's terms. */
export interface EvaluationInput {
  /** Unknown JSON: values by question id. */
  readonly selection: unknown
  /** The product's price in cents, 0 or more. */
  readonly basePrice: number
  /** The shop's currency code; it is passed on. */
  readonly currency: string
  /** Totals are multiples of this, in cents, 1 or more. */
  readonly roundingStep: number
}

/** A definition prepared for {@link evaluate}. Make it once for each published version; only `views` is for others to read. */
export interface CompiledDefinition {
  /** The names of the views, each once, in the order in which the steps name them (D7). */
  readonly views: ReadonlyArray<string>
  readonly questions: ReadonlyArray<CompiledQuestion>
  readonly questionById: ReadonlyMap<string, CompiledQuestion>
  /** Whether the condition of each rule holds, in the order of the rules. */
  readonly rules: ReadonlyArray<Holds>
  readonly answerCount: number
}

interface CompiledQuestion {
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
  /** The rules that show or hide it, in their order: the last one that holds stands. */
  readonly switches: Array<{ readonly rule: number; readonly visible: boolean }>
}

interface CompiledAnswer {
  readonly id: string
  /** Its place among all answers of the definition. */
  readonly index: number
  readonly orderValue: string
  readonly productionCode: string
  readonly price: number
  readonly variantId: string | null
  /** The rules that disable it. */
  readonly disabledBy: Array<number>
}

type Holds = (facts: Facts) => boolean

/** What conditions read. A hidden question leaves no trace here, and so is unanswered. */
interface Facts {
  /** By question: 1 if answered. */
  readonly answered: Uint8Array
  /** By answer: 1 if chosen. */
  readonly chosen: Uint8Array
}

/** The names of a definition's views, each once, in the order in which the steps name them (D7). */
export const views = (definition: Definition): ReadonlyArray<string> => [
  ...new Set(definition.steps.map((step) => step.view)),
]

/** Prepares a definition that `publishCheck` has accepted; what an unchecked one gives is not specified. */
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
  return { views: views(definition), questions, questionById, rules, answerCount }
}

const find = <A>(byId: ReadonlyMap<string, A>, id: string): A => {
  const found = byId.get(id)
  if (found === undefined) throw new Error(`The definition was not checked: nothing has the id ${quote(id)}`)
  return found
}

const compileQuestion = (question: Question, index: number, firstAnswer: number): CompiledQuestion => {
  const answers = (question.answers ?? []).map((answer: Answer, at) => compileAnswer(answer, firstAnswer + at))
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

const compileAnswer = (answer: Answer, index: number): CompiledAnswer => ({
  id: answer.id,
  index,
  orderValue: answer.orderValue ?? answer.title,
  productionCode: answer.productionCode,
  price: positiveZero(answer.price ?? 0),
  variantId: answer.variantId ?? null,
  disabledBy: [],
})

/** JSON can say -0, which must not turn up in a price. */
const positiveZero = (amount: number): number => amount + 0

/** Recurses as deep as publishing lets conditions be nested. */
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

/**
 * Judges a selection and works out summary, production data and price, in one pass over the questions (§2.1). Pure; the
 * same input gives the same result, whatever the order of the selection's keys.
 *
 * Fails with the problems in question order, then unknown questions by id. A problem's `path` is the question's id;
 * `""` if the selection is no object; `price` if an amount leaves ±(2^53 − 1); `basePrice` and `roundingStep` for those.
 */
export const evaluate = (compiled: CompiledDefinition, input: EvaluationInput): Result.Result<Evaluated, Problems> => {
  const { basePrice, currency, roundingStep, selection } = input
  const pass = new Pass(compiled)
  const { productionData, report, summary } = pass
  if (!isPlainObject(selection)) {
    report.add("", () => `The selection must be an object of question ids, not ${describe(selection)}`)
    return Result.fail(report.problems)
  }
  const values = pass.assign(selection)
  for (const question of compiled.questions) pass.judge(question, values[question.index])
  pass.reportUnknown()
  const price = settle(pass, { basePrice, currency, roundingStep })
  return price === undefined ? Result.fail(report.problems) : Result.succeed({ summary, productionData, price })
}

const NOT_YET = 0
const HOLDS = 1
const FAILS = 2

/** One evaluation on its way through the questions. */
class Pass implements Facts {
  readonly answered: Uint8Array
  readonly chosen: Uint8Array
  readonly report = new ProblemReport()
  readonly summary: Array<SummaryEntry> = []
  readonly productionData: Array<ProductionEntry> = []
  readonly lines: Array<PriceLine> = []
  readonly #compiled: CompiledDefinition
  readonly #unknown: Array<string> = []
  /** By rule: {@link NOT_YET}, {@link HOLDS} or {@link FAILS}. */
  readonly #rules: Uint8Array

  constructor(compiled: CompiledDefinition) {
    this.#compiled = compiled
    this.answered = new Uint8Array(compiled.questions.length)
    this.chosen = new Uint8Array(compiled.answerCount)
    this.#rules = new Uint8Array(compiled.rules.length)
  }

  /** The selection's values by question index. Looked up from its own keys, so that no prototype can answer. */
  assign(selection: { readonly [questionId: string]: unknown }): ReadonlyArray<unknown> {
    const values = new Array<unknown>(this.#compiled.questions.length).fill(undefined)
    for (const id of Object.keys(selection)) {
      const question = this.#compiled.questionById.get(id)
      if (question === undefined) this.#unknown.push(id)
      else values[question.index] = selection[id]
    }
    return values
  }

  reportUnknown(): void {
    for (const id of this.#unknown.sort()) {
      this.report.add(id, () => `The customizer has no question ${quote(id)}`)
    }
  }

  judge(question: CompiledQuestion, value: unknown): void {
    const visible = this.#isVisible(question)
    if (value === undefined) {
      if (visible) this.#unanswered(question)
      return
    }
    const expected = wrongKind(question, value)
    if (expected === undefined) {
      if (visible) this.#take(question, value as Value)
      return
    }
    this.#refuse(question, () => `must be ${expected}, not ${describe(value)}`)
    // Something was answered, if wrongly: rules about that must not add problems that go away with this one.
    if (visible) this.answered[question.index] = 1
  }

  #isVisible(question: CompiledQuestion): boolean {
    const last = question.switches.findLast(({ rule }) => this.#holds(rule))
    return last === undefined ? !question.hidden : last.visible
  }

  /** Asked only at a question that the rule changes: by then, all questions that it reads are settled. */
  #holds(rule: number): boolean {
    if (this.#rules[rule] === NOT_YET) this.#rules[rule] = this.#compiled.rules[rule]?.(this) ? HOLDS : FAILS
    return this.#rules[rule] === HOLDS
  }

  #refuse(question: CompiledQuestion, message: () => string): void {
    this.report.add(question.id, () => `Question ${quote(question.id)} (${quote(question.title)}) ${message()}`)
  }

  #unanswered(question: CompiledQuestion): void {
    if (question.required) this.#refuse(question, () => `is required: expected ${kinds[question.type](question)}`)
  }

  #take(question: CompiledQuestion, value: Value): void {
    if (typeof value === "string") {
      if (question.type === "single") this.#takeSingle(question, value)
      else this.#takeUpload(question, value)
    } else if ("text" in value) this.#takeText(question, value.text)
    else if (value.length === 0) this.#unanswered(question)
    else if (question.type === "multiple") this.#takeMultiple(question, value)
    else this.#takeUploads(question, value)
  }

  #takeSingle(question: CompiledQuestion, id: string): void {
    this.answered[question.index] = 1
    const answer = this.#choose(question, id)
    if (answer === undefined) return
    this.summary.push({ key: question.orderKey, value: answer.orderValue })
    this.productionData.push({
      key: question.productionKey,
      value: answer.productionCode,
      ref: { questionId: question.id, answerId: answer.id },
    })
    this.#charge(question, answer.id, answer.price, answer.variantId)
  }

  #takeMultiple(question: CompiledQuestion, ids: ReadonlyArray<string>): void {
    this.answered[question.index] = 1
    this.#checkList(question, ids, "answers")
    for (const id of new Set(ids)) this.#choose(question, id)
    const answers = question.answers.filter(({ index }) => this.chosen[index] === 1)
    this.summary.push({ key: question.orderKey, value: answers.map(({ orderValue }) => orderValue) })
    this.productionData.push({
      key: question.productionKey,
      values: answers.map(({ productionCode }) => productionCode),
      ref: { questionId: question.id, answerIds: answers.map(({ id }) => id) },
    })
    for (const { id, price, variantId } of answers) this.#charge(question, id, price, variantId)
  }

  #choose(question: CompiledQuestion, id: string): CompiledAnswer | undefined {
    const answer = question.answerById.get(id)
    if (answer === undefined) {
      this.#refuse(question, () => `has no answer ${quote(id)}: expected ${kinds[question.type](question)}`)
      return undefined
    }
    if (answer.disabledBy.some((rule) => this.#holds(rule))) {
      this.#refuse(question, () => `cannot have answer ${quote(id)}: it is disabled by other answers of this selection`)
    }
    this.chosen[answer.index] = 1
    return answer
  }

  #checkList(question: CompiledQuestion, ids: ReadonlyArray<string>, what: string): void {
    if (ids.length < question.min) {
      this.#refuse(question, () => `has too few ${what} (${ids.length}): expected at least ${question.min}`)
    }
    if (ids.length > question.max) {
      this.#refuse(question, () => `has too many ${what} (${ids.length}): expected at most ${question.max}`)
    }
    const seen = new Set<string>()
    const repeated = new Set<string>()
    for (const id of ids) (seen.has(id) ? repeated : seen).add(id)
    for (const id of repeated)
      this.#refuse(question, () => `names ${quote(id)} more than once: expected different ${what}`)
  }

  #takeText(question: CompiledQuestion, text: string): void {
    const before = this.report.total
    if (isLongerThan(question.maxLength, text)) {
      this.#refuse(
        question,
        () => `has a text of ${codePointLength(text)} characters: expected at most ${question.maxLength}`,
      )
    }
    if (controlOtherThanLineBreak.test(text)) {
      this.#refuse(question, () => "has a text with control characters: expected none but line breaks (\\n, \\r)")
    }
    if (text.trim() === "") {
      if (this.report.total === before) this.#unanswered(question)
      return
    }
    this.answered[question.index] = 1
    this.summary.push({ key: question.orderKey, value: text })
    this.productionData.push({ key: question.productionKey, value: text })
    this.#charge(question, "text", question.price, null)
  }

  #takeUpload(question: CompiledQuestion, id: string): void {
    this.answered[question.index] = 1
    this.#checkUploadId(question, id)
    this.summary.push({ key: question.orderKey, value: id })
    this.productionData.push({ key: question.productionKey, value: id })
    this.#charge(question, "upload", question.price, null)
  }

  #takeUploads(question: CompiledQuestion, ids: ReadonlyArray<string>): void {
    this.answered[question.index] = 1
    this.#checkList(question, ids, "uploads")
    for (const id of ids) this.#checkUploadId(question, id)
    this.summary.push({ key: question.orderKey, value: [...ids] })
    this.productionData.push({ key: question.productionKey, values: [...ids] })
    this.#charge(question, "upload", question.price, null)
  }

  #checkUploadId(question: CompiledQuestion, id: string): void {
    if (id !== "" && !isLongerThan(MAX_UPLOAD_ID, id) && !control.test(id)) return
    this.#refuse(
      question,
      () => `has upload id ${quote(id)}: expected 1 to ${MAX_UPLOAD_ID} characters, none of them a control character`,
    )
  }

  #charge(question: CompiledQuestion, answer: string, amount: number, variantId: string | null): void {
    if (amount !== 0 || variantId !== null) this.lines.push({ q: question.id, a: answer, amount, variantId })
  }
}

/** A selection's value whose kind fits its question. */
type Value = string | ReadonlyArray<string> | { readonly text: string }

const MAX_UPLOAD_ID = 255

const control = /\p{Cc}/u
const controlOtherThanLineBreak = /[^\P{Cc}\n\r]/u

/** Counts code points, but only where the number of UTF-16 units leaves it open. */
const isLongerThan = (codePoints: number, text: string): boolean =>
  text.length > codePoints && codePointLength(text) > codePoints

/** The kind of a value that a question expects, in words: the only thing that values of hidden questions are judged for. */
const kinds: { readonly [Type in Question["type"]]: (question: CompiledQuestion) => string } = {
  single: (question) => `one of the answer ids ${listAnswers(question)}`,
  multiple: (question) => `a list of answer ids from ${listAnswers(question)}`,
  text: () => '{"text": …} with a text',
  upload: (question) => (question.max === 1 ? "an upload id" : `a list of upload ids, at most ${question.max}`),
}

const listAnswers = ({ answers }: CompiledQuestion): string => {
  const named = answers.slice(0, 10).map(({ id }) => quote(id))
  return answers.length > 10 ? `${named.join(", ")} and ${answers.length - 10} more` : named.join(", ")
}

const wrongKind = (question: CompiledQuestion, value: unknown): string | undefined => {
  const strings = stringsOf(question, value)
  if (strings === undefined) return kinds[question.type](question)
  return strings.every(isStorable) ? undefined : "well-formed Unicode without NUL characters"
}

/** The texts in a value, or `undefined` if it is not of the question's kind. */
const stringsOf = (question: CompiledQuestion, value: unknown): ReadonlyArray<string> | undefined => {
  if (question.type === "text") {
    if (!isPlainObject(value) || !Object.hasOwn(value, "text") || Object.keys(value).length !== 1) return undefined
    return typeof value["text"] === "string" ? [value["text"]] : undefined
  }
  if (question.type === "multiple" || (question.type === "upload" && question.max > 1)) {
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined
  }
  return typeof value === "string" ? [value] : undefined
}

/** The price of a pass that went well; otherwise problems are reported. */
const settle = (
  { lines, report }: Pass,
  { basePrice, currency, roundingStep }: Omit<EvaluationInput, "selection">,
): Price | undefined => {
  if (!Number.isSafeInteger(basePrice) || basePrice < 0) {
    report.add("basePrice", () => `The base price must be an integer number of cents, 0 or more, not ${basePrice}`)
  }
  if (!Number.isSafeInteger(roundingStep) || roundingStep < 1) {
    report.add(
      "roundingStep",
      () => `The rounding step must be an integer number of cents, 1 or more, not ${roundingStep}`,
    )
  }
  if (report.total > 0) return undefined
  const base = positiveZero(basePrice)
  const sum = exactSum(base, lines)
  const rounding = roundingOf(sum, roundingStep)
  const total = sum + rounding
  if (!Number.isSafeInteger(sum) || !Number.isSafeInteger(total)) {
    report.add("price", () => "The price leaves the range of amounts, ±(2^53 - 1) cents")
    return undefined
  }
  return { base, lines, rounding, total, currency }
}

/** Exact for every sum within ±(2^53 − 1), also where the way there leads outside; not a safe integer for every other. */
const exactSum = (base: number, lines: ReadonlyArray<PriceLine>): number => {
  let sum = base
  for (const { amount } of lines) {
    sum += amount
    if (!Number.isSafeInteger(sum))
      return Number(lines.reduce((exact, line) => exact + BigInt(line.amount), BigInt(base)))
  }
  return sum
}

/** To the nearest multiple of the step, a tie up; a sum below 0 goes up to 0. */
const roundingOf = (sum: number, step: number): number => {
  if (sum < 0) return -sum
  const over = sum % step
  if (over === 0) return 0
  return over >= step - over ? step - over : -over
}
