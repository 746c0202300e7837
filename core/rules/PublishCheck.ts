import { Result } from "effect"
import { type Definition, MAX_CONDITION_DEPTH } from "../model/Definition.ts"
import { describe, isPlainObject, type Json, own, ownList, ownString, quote } from "../model/Json.ts"
import type { Problems } from "../model/Problem.ts"
import { ProblemReport } from "../model/ProblemReport.ts"
import {
  answerFields,
  checkFields,
  conditionFields,
  definitionFields,
  disableFields,
  type Located,
  layerFields,
  objectsOf,
  printAreaFields,
  questionFields,
  questionTypes,
  ruleFields,
  stepFields,
} from "./DefinitionFields.ts"
import { checkJson } from "./JsonCheck.ts"

/**
 * Decides whether a parsed JSON value may be published as a definition (§2.3). The value that succeeds is the one that was
 * given: nothing is added, dropped or reordered.
 *
 * Fails with all problems at once, what is wrong with the shape and what is wrong with the references alike; references
 * are judged in the parts that have the right shape. Paths look like `questions[2].answers[0].price`; `""` is the whole.
 * What is nested more than 100 levels deep or holds more than a million values is refused for that alone.
 */
export const publishCheck = (input: unknown): Result.Result<Definition, Problems> => {
  const report = new ProblemReport()
  const unreadable = checkJson(report, input)
  if (unreadable !== undefined) return Result.fail({ listed: [unreadable], total: 1 })
  checkDefinition(report, input)
  return report.total === 0 ? Result.succeed(input as Definition) : Result.fail(report.problems)
}

// ---------------------------------------------------------------------------------------------------------------------
// References
// ---------------------------------------------------------------------------------------------------------------------

/** What can be referred to, by id; the first of two with the same id stands. */
class Names<A> {
  readonly #report: ProblemReport
  readonly #scope: string
  readonly #byId = new Map<string, { readonly path: string; readonly value: A }>()

  constructor(report: ProblemReport, scope: string) {
    this.#report = report
    this.#scope = scope
  }

  add({ object, path }: Located, value: A): void {
    const id = ownString(object, "id")
    if (id === undefined || id === "") return
    const first = this.#byId.get(id)
    if (first === undefined) this.#byId.set(id, { path, value })
    else
      this.#report.add(
        `${path}.id`,
        () => `${quote(id)} is already the id of ${first.path}; ids must differ among ${this.#scope}`,
      )
  }

  get(id: string): A | undefined {
    return this.#byId.get(id)?.value
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }
}

interface KnownQuestion {
  readonly index: number
  readonly path: string
  /** `undefined` if the question's type is not known, so that nothing can be said about its answers. */
  readonly answers: Names<true> | undefined
}

/** What the parts of a definition refer to. */
interface Scope {
  readonly report: ProblemReport
  readonly views: Set<string>
  readonly steps: Names<true>
  readonly printAreas: Names<true>
  readonly questions: Names<KnownQuestion>
  readonly rules: Names<true>
}

const checkDefinition = (report: ProblemReport, input: unknown): void => {
  if (!isPlainObject(input)) {
    report.add("", () => `must be an object with schemaVersion, steps, questions and rules, not ${describe(input)}`)
    return
  }
  checkFields(report, "", input, definitionFields)
  const scope: Scope = {
    report,
    views: new Set(),
    steps: new Names(report, "the steps"),
    printAreas: new Names(report, "the print areas of all steps"),
    questions: new Names(report, "the questions"),
    rules: new Names(report, "the rules"),
  }
  for (const step of objectsOf(report, "steps", ownList(input, "steps"), "a step")) checkStep(scope, step)
  for (const question of objectsOf(report, "questions", ownList(input, "questions"), "a question")) {
    checkQuestion(scope, question)
  }
  for (const rule of objectsOf(report, "rules", ownList(input, "rules"), "a rule")) checkRule(scope, rule)
}

const checkStep = ({ printAreas, report, steps, views }: Scope, step: Located): void => {
  checkFields(report, step.path, step.object, stepFields)
  steps.add(step, true)
  const view = ownString(step.object, "view")
  if (view !== undefined && view !== "") views.add(view)
  for (const area of objectsOf(report, `${step.path}.printAreas`, ownList(step.object, "printAreas"), "a print area")) {
    checkFields(report, area.path, area.object, printAreaFields)
    printAreas.add(area, true)
  }
}

const checkQuestion = (scope: Scope, question: Located): void => {
  const { printAreas, report, steps } = scope
  const { index, object, path } = question
  checkFields(report, path, object, questionFields)
  const fields = questionTypes.get(ownString(object, "type") ?? "")
  if (fields !== undefined) {
    checkFields(report, path, object, fields)
    checkRange(report, question)
  }
  const step = ownString(object, "step")
  if (step !== undefined && !steps.has(step))
    report.add(`${path}.step`, () => `names no step: there is none with id ${quote(step)}`)
  const area = ownString(object, "printArea")
  if (area !== undefined && !printAreas.has(area)) {
    report.add(`${path}.printArea`, () => `names no print area: no step has one with id ${quote(area)}`)
  }
  const answers = new Names<true>(report, "the answers of a question")
  for (const answer of objectsOf(report, `${path}.answers`, ownList(object, "answers"), "an answer")) {
    answers.add(answer, true)
    checkAnswer(scope, answer)
  }
  scope.questions.add(question, { index, path, answers: fields === undefined ? undefined : answers })
}

const checkRange = (report: ProblemReport, { object, path }: Located): void => {
  const min = own(object, "min")
  const max = own(object, "max")
  const upload = ownString(object, "type") === "upload"
  const most = max === undefined && upload ? 1 : max
  if (typeof min !== "number" || typeof most !== "number" || min <= most) return
  report.add(
    `${path}.min`,
    () => `is ${min}, more than max, which is ${most}${max === undefined ? " when left out" : ""}`,
  )
}

const checkAnswer = ({ report, views }: Scope, { object, path }: Located): void => {
  checkFields(report, path, object, answerFields)
  for (const layer of objectsOf(report, `${path}.layers`, ownList(object, "layers"), "a layer")) {
    checkFields(report, layer.path, layer.object, layerFields)
    const view = ownString(layer.object, "view")
    if (view !== undefined && view !== "" && !views.has(view)) {
      report.add(`${layer.path}.view`, () => `names no view: no step shows ${quote(view)}`)
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Rules
// ---------------------------------------------------------------------------------------------------------------------

/** The first question, in question order, that a rule changes: everything that it reads must come before it. */
interface Earliest {
  readonly id: string
  readonly index: number
}

const checkRule = (scope: Scope, rule: Located): void => {
  const { report, rules } = scope
  const { object, path } = rule
  checkFields(report, path, object, ruleFields)
  rules.add(rule, true)
  const targets = [
    ...checkTargets(scope, object, path, "show"),
    ...checkTargets(scope, object, path, "hide"),
    ...checkDisables(scope, object, path),
  ]
  const shown = new Set(ownList(object, "show"))
  for (const [index, id] of ownList(object, "hide").entries()) {
    if (typeof id === "string" && shown.has(id)) {
      report.add(`${path}.hide[${index}]`, () => `hides ${quote(id)}, which the same rule shows`)
    }
  }
  const earliest = targets.reduce<Earliest | undefined>(
    (first, target) => (first === undefined || target.index < first.index ? target : first),
    undefined,
  )
  const when = own(object, "when")
  if (isPlainObject(when)) checkCondition(scope, `${path}.when`, when, earliest, 1)
}

const checkTargets = (scope: Scope, rule: Json, path: string, key: "show" | "hide"): ReadonlyArray<Earliest> => {
  const targets: Array<Earliest> = []
  for (const [index, id] of ownList(rule, key).entries()) {
    const question = typeof id === "string" ? findQuestion(scope, `${path}.${key}[${index}]`, id) : undefined
    if (typeof id === "string" && question !== undefined) targets.push({ id, index: question.index })
  }
  return targets
}

const checkDisables = (scope: Scope, rule: Json, path: string): ReadonlyArray<Earliest> => {
  const targets: Array<Earliest> = []
  for (const disable of objectsOf(
    scope.report,
    `${path}.disable`,
    ownList(rule, "disable"),
    "a question with answers",
  )) {
    checkFields(scope.report, disable.path, disable.object, disableFields)
    const id = ownString(disable.object, "question")
    if (id === undefined) continue
    const question = findQuestion(scope, `${disable.path}.question`, id)
    if (question === undefined) continue
    targets.push({ id, index: question.index })
    for (const [index, answer] of ownList(disable.object, "answers").entries()) {
      if (typeof answer === "string") checkAnswerId(scope, `${disable.path}.answers[${index}]`, id, question, answer)
    }
  }
  return targets
}

const findQuestion = ({ questions, report }: Scope, path: string, id: string): KnownQuestion | undefined => {
  const question = questions.get(id)
  if (question === undefined) report.add(path, () => `names no question: there is none with id ${quote(id)}`)
  return question
}

const checkAnswerId = ({ report }: Scope, path: string, id: string, question: KnownQuestion, answer: string): void => {
  if (question.answers === undefined || question.answers.has(answer)) return
  report.add(path, () => `names no answer: question ${quote(id)} (${question.path}) has none with id ${quote(answer)}`)
}

/** The five forms of a condition, by the keys that make them. */
const forms = new Set(["question,is", "question,answered", "all", "any", "not"])

const checkCondition = (
  scope: Scope,
  path: string,
  condition: Json,
  earliest: Earliest | undefined,
  depth: number,
): void => {
  const { report } = scope
  if (depth > MAX_CONDITION_DEPTH) {
    report.add(path, () => `is nested too deep: conditions go at most ${MAX_CONDITION_DEPTH} levels deep`)
    return
  }
  checkFields(report, path, condition, conditionFields)
  const keys = conditionFields.map(([key]) => key).filter((key) => own(condition, key) !== undefined)
  if (!forms.has(keys.join())) {
    const found = keys.length === 0 ? "none of them" : keys.join(" and ")
    report.add(
      path,
      () => `must have exactly question and is, question and answered, all, any, or not; it has ${found}`,
    )
  }
  checkReading(scope, path, condition, earliest)
  for (const key of ["all", "any"]) {
    for (const part of objectsOf(report, `${path}.${key}`, ownList(condition, key), "a condition")) {
      checkCondition(scope, part.path, part.object, earliest, depth + 1)
    }
  }
  const not = own(condition, "not")
  if (isPlainObject(not)) checkCondition(scope, `${path}.not`, not, earliest, depth + 1)
}

const checkReading = (scope: Scope, path: string, condition: Json, earliest: Earliest | undefined): void => {
  const id = ownString(condition, "question")
  if (id === undefined) return
  const question = findQuestion(scope, `${path}.question`, id)
  if (question === undefined) return
  const answer = ownString(condition, "is")
  if (answer !== undefined) checkAnswerId(scope, `${path}.is`, id, question, answer)
  if (earliest !== undefined && question.index >= earliest.index) {
    const reason =
      id === earliest.id
        ? "is changed by this rule"
        : `does not come before ${quote(earliest.id)}, which this rule changes`
    scope.report.add(
      `${path}.question`,
      () => `${quote(id)} ${reason}; a rule may only read questions before all those that it changes`,
    )
  }
}
