import { Result } from "effect"
import type { VariantId } from "../../model/catalog/Definition.ts"
import type { Price, PriceLine, ProductionEntry, SummaryEntry } from "../../model/catalog/Design.ts"
import { describe, isPlainObject, quote } from "../../model/json/Json.ts"
import { ProblemReport, type Problems } from "../../model/Problem.ts"
import type { CompiledAnswer, CompiledDefinition, CompiledQuestion, Facts } from "./Compile.ts"
import { type PriceTerms, priceOf } from "./Price.ts"
import {
  checkIds,
  checkKind,
  checkText,
  checkUploadId,
  expectedValue,
  refuse,
  type SelectionValue,
} from "./SelectionValue.ts"

/** The result of a selection (§2.1): the parts of a design that are computed when it is saved. */
export interface Evaluated {
  readonly summary: ReadonlyArray<SummaryEntry>
  readonly productionData: ReadonlyArray<ProductionEntry>
  readonly price: Price
}

/** A selection as the buyer's storefront sent it, with the shop's terms. */
export interface EvaluationInput extends PriceTerms {
  /** Unvalidated JSON: values by question id. */
  readonly selection: unknown
}

/**
 * Validates a selection and computes summary, production data and price in one pass over the questions (§2.1). Pure:
 * the same input gives the same result, whatever the key order of the selection.
 *
 * Fails with the problems in question order, followed by unknown questions by id. A problem's `path` is the question's
 * id, `""` if the selection is not an object, `price` if an amount leaves ±(2^53 − 1), or `basePrice` and
 * `roundingStep`.
 */
export const evaluate = (compiled: CompiledDefinition, input: EvaluationInput): Result.Result<Evaluated, Problems> => {
  const { selection } = input
  const pass = new Pass(compiled)
  const { productionData, report, summary } = pass
  if (!isPlainObject(selection)) {
    report.add("", () => `The selection must be an object of question ids, not ${describe(selection)}`)
    return Result.fail(report.problems)
  }
  const values = pass.assign(selection)
  for (const question of compiled.questions) pass.judge(question, values[question.index])
  pass.reportUnknown()
  const price = priceOf(report, input, pass.lines)
  return price === undefined ? Result.fail(report.problems) : Result.succeed({ summary, productionData, price })
}

/** The state that a form shows alongside a selection. */
export interface Choices {
  /** The ids of the questions that are visible. */
  readonly visible: ReadonlySet<string>
  /** By question id, the ids of the answers that can't be chosen. */
  readonly disabled: ReadonlyMap<string, ReadonlySet<string>>
}

/** The questions that are visible with a selection, and the answers that are disabled, whether or not it is allowed. */
export const choicesOf = (compiled: CompiledDefinition, selection: unknown): Choices => {
  const pass = new Pass(compiled)
  const values = pass.assign(isPlainObject(selection) ? selection : {})
  for (const question of compiled.questions) pass.judge(question, values[question.index])
  return pass.choices()
}

const NOT_YET = 0
const HOLDS = 1
const FAILS = 2

/** State of one evaluation. */
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

  /** Selected values by question index. Reads own keys only, so that a prototype cannot supply an answer. */
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
    } else if (checkKind(this.report, question, value)) {
      if (visible) this.#take(question, value)
    } else if (visible) {
      // The question was answered, if wrongly: rules about it must not add problems that disappear with this one.
      this.answered[question.index] = 1
    }
  }

  /** Call it once every question was judged. */
  choices(): Choices {
    const { questions } = this.#compiled
    return {
      visible: new Set(questions.filter((question) => this.#isVisible(question)).map(({ id }) => id)),
      disabled: new Map(
        questions.map(({ answers, id }) => [
          id,
          new Set(answers.filter(({ disabledBy }) => disabledBy.some((rule) => this.#holds(rule))).map(({ id }) => id)),
        ]),
      ),
    }
  }

  #isVisible(question: CompiledQuestion): boolean {
    const last = question.switches.findLast(({ rule }) => this.#holds(rule))
    return last === undefined ? !question.hidden : last.visible
  }

  /** Called only at a question that the rule changes, when every question that the rule reads is settled. */
  #holds(rule: number): boolean {
    if (this.#rules[rule] === NOT_YET) this.#rules[rule] = this.#compiled.rules[rule]?.(this) ? HOLDS : FAILS
    return this.#rules[rule] === HOLDS
  }

  #unanswered(question: CompiledQuestion): void {
    if (question.required) refuse(this.report, question, () => `is required: expected ${expectedValue(question)}`)
  }

  #take(question: CompiledQuestion, value: SelectionValue): void {
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
    checkIds(this.report, question, ids)
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
      refuse(this.report, question, () => `has no answer ${quote(id)}: expected ${expectedValue(question)}`)
      return undefined
    }
    if (answer.disabledBy.some((rule) => this.#holds(rule))) {
      refuse(
        this.report,
        question,
        () => `cannot have answer ${quote(id)}: it is disabled by other answers of this selection`,
      )
    }
    this.chosen[answer.index] = 1
    return answer
  }

  #takeText(question: CompiledQuestion, text: string): void {
    const sound = checkText(this.report, question, text)
    if (text.trim() === "") {
      if (sound) this.#unanswered(question)
      return
    }
    this.answered[question.index] = 1
    this.summary.push({ key: question.orderKey, value: text })
    this.productionData.push({ key: question.productionKey, value: text })
    this.#charge(question, "text", question.price, null)
  }

  #takeUpload(question: CompiledQuestion, id: string): void {
    this.answered[question.index] = 1
    checkUploadId(this.report, question, id)
    this.summary.push({ key: question.orderKey, value: id })
    this.productionData.push({ key: question.productionKey, value: id })
    this.#charge(question, "upload", question.price, null)
  }

  #takeUploads(question: CompiledQuestion, ids: ReadonlyArray<string>): void {
    this.answered[question.index] = 1
    checkIds(this.report, question, ids)
    for (const id of ids) checkUploadId(this.report, question, id)
    this.summary.push({ key: question.orderKey, value: [...ids] })
    this.productionData.push({ key: question.productionKey, values: [...ids] })
    this.#charge(question, "upload", question.price, null)
  }

  #charge(question: CompiledQuestion, answer: string, amount: number, variantId: VariantId): void {
    if (amount !== 0 || variantId !== null) this.lines.push({ q: question.id, a: answer, amount, variantId })
  }
}
