import { Predicate, Result } from "effect"
import { type Definition, isStorable, MAX_CONDITION_DEPTH, MAX_JSON_DEPTH } from "../model/Definition.ts"
import type { Problem } from "../model/Problem.ts"

/**
 * Decides whether a parsed JSON value may be published as a definition (§2.3). The value that succeeds is the one that was
 * given: nothing is added, dropped or reordered.
 *
 * Fails with every problem at once, what is wrong with the shape and what is wrong with the references alike; references
 * are judged in the parts that have the right shape. Paths look like `questions[2].answers[0].price`; `""` is the whole.
 * Two bounds keep hostile input harmless: beyond {@link MAX_REPORT} characters of problems the rest is left out, and says so,
 * and beyond {@link MAX_VALUES} values nothing else is judged.
 */
export const publishCheck = (input: unknown): Result.Result<Definition, ReadonlyArray<Problem>> => {
  const report = new Report()
  if (checkJson(report, input)) checkDefinition(report, input)
  return report.problems.length === 0
    ? Result.succeed(input as Definition)
    : Result.fail<ReadonlyArray<Problem>>(report.problems)
}

/** Objects, lists and values that one definition may hold; 512 KiB of JSON text cannot reach it, a cyclic object does. */
const MAX_VALUES = 1_000_000

/** Characters of paths and messages after which further problems are left out: a small input can earn a huge answer. */
const MAX_REPORT = 4_000_000

/** A text from the input as part of a message: quoted, escaped and cut short. */
export const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** What an input is, for "must be …, not …". */
export const describe = (value: unknown): string => {
  if (value === undefined) return "missing"
  if (value === null) return "null"
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (typeof value === "string") return value === "" ? "an empty string" : quote(value)
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** True for what JSON calls an object. Prototypes are compared by depth, so that objects of another realm pass. */
export const isPlainObject = (value: unknown): value is { readonly [key: string]: unknown } => {
  if (!Predicate.isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

type Json = { readonly [key: string]: unknown }

/** Own properties only: a key such as `constructor` is otherwise answered by the prototype. */
const own = (object: Json, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

const ownString = (object: Json, key: string): string | undefined => {
  const value = own(object, key)
  return typeof value === "string" ? value : undefined
}

const ownList = (object: Json, key: string): ReadonlyArray<unknown> => {
  const value = own(object, key)
  return Array.isArray(value) ? value : []
}

class Report {
  readonly problems: Array<Problem> = []
  #size = 0

  get isFull(): boolean {
    return this.#size > MAX_REPORT
  }

  add(path: string, message: string): void {
    if (this.isFull) return
    this.#size += path.length + message.length
    this.problems.push(
      this.isFull
        ? { path: "", message: "has more problems than can be listed here; mend these first" }
        : { path, message },
    )
  }
}

const join = (path: string, key: string): string => {
  if (!/^[A-Za-z_$][\w$]{0,59}$/.test(key)) return `${path}[${quote(key)}]`
  return path === "" ? key : `${path}.${key}`
}

// ---------------------------------------------------------------------------------------------------------------------
// Any JSON: what must hold for every value, in parts of the definition that we don't know too
// ---------------------------------------------------------------------------------------------------------------------

interface Frame {
  readonly values: ReadonlyArray<unknown>
  /** The keys of an object; `undefined` for a list. */
  readonly keys: ReadonlyArray<string> | undefined
  next: number
}

const framePath = (stack: ReadonlyArray<Frame>): string =>
  stack.reduce((path, { keys, next }) => {
    const key = keys?.[next - 1]
    return key === undefined ? `${path}[${next - 1}]` : join(path, key)
  }, "")

/** Walks with a stack of its own, because the nesting is the sender's. False: nothing else should be judged. */
const checkJson = (report: Report, input: unknown): boolean => {
  const stack: Array<Frame> = [{ values: [input], keys: [""], next: 0 }]
  let seen = 0
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.values.length) {
      stack.pop()
      continue
    }
    const value = frame.values[frame.next]
    frame.next += 1
    seen += 1
    if (seen > MAX_VALUES) report.add("", `must not hold more than ${MAX_VALUES} values`)
    if (seen > MAX_VALUES || report.isFull) return false
    if (Array.isArray(value) || isPlainObject(value)) {
      if (stack.length > MAX_JSON_DEPTH) {
        report.add(framePath(stack.slice(1)), `is nested more than ${MAX_JSON_DEPTH} levels deep`)
      } else {
        stack.push(openFrame(value))
        checkKeys(report, stack)
      }
    } else {
      const message = scalarProblem(value)
      if (message !== undefined) report.add(framePath(stack.slice(1)), message)
    }
  }
  return true
}

const openFrame = (value: ReadonlyArray<unknown> | Json): Frame =>
  Array.isArray(value)
    ? { values: value, keys: undefined, next: 0 }
    : { values: Object.values(value), keys: Object.keys(value), next: 0 }

const checkKeys = (report: Report, stack: ReadonlyArray<Frame>): void => {
  const refused = stack.at(-1)?.keys?.filter((key) => !isStorable(key)) ?? []
  if (refused.length === 0) return
  const path = framePath(stack.slice(1, -1))
  for (const key of refused) report.add(join(path, key), `has a key that ${NOT_STORABLE}`)
}

const NOT_STORABLE = "holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept"

const scalarProblem = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "string":
      return isStorable(value) ? undefined : NOT_STORABLE
    case "number":
      return Number.isFinite(value) ? undefined : `must be a finite number, not ${value}`
    case "boolean":
      return undefined
    default:
      return value === null ? undefined : "must be JSON: an object, a list, a string, a number, a boolean or null"
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Shape: each kind of object as a table of its fields
// ---------------------------------------------------------------------------------------------------------------------

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

const definitionFields: Fields = [
  ["schemaVersion", field("1", (value) => value === 1)],
  ["steps", list],
  ["questions", list],
  ["rules", list],
]

const stepFields: Fields = [
  ["id", name],
  ["title", string],
  ["view", name],
  ["printAreas", optional(list)],
]

const printAreaFields: Fields = [
  ["id", name],
  ["x", pixels],
  ["y", pixels],
  ["width", extent],
  ["height", extent],
]

const questionFields: Fields = [
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
const questionTypes: ReadonlyMap<string, Fields> = new Map<string, Fields>([
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

const answerFields: Fields = [
  ["id", name],
  ["title", string],
  ["orderValue", optional(string)],
  ["productionCode", string],
  ["price", optional(cents)],
  ["variantId", optional(field("a string or null", (value) => value === null || Predicate.isString(value)))],
  ["layers", optional(list)],
]

const layerFields: Fields = [
  ["view", name],
  ["path", string],
]

const ruleFields: Fields = [
  ["id", name],
  ["when", field("a condition", isPlainObject)],
  ["show", optional(strings)],
  ["hide", optional(strings)],
  ["disable", optional(list)],
]

const disableFields: Fields = [
  ["question", string],
  ["answers", strings],
]

const conditionFields: Fields = [
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

const checkFields = (report: Report, path: string, object: Json, fields: Fields): void => {
  for (const [key, of] of fields) {
    const message = fieldProblem(own(object, key), of)
    if (message !== undefined) report.add(join(path, key), message)
  }
}

/** The objects in a list with their paths; what is no object is reported. */
const objectsOf = (
  report: Report,
  path: string,
  values: ReadonlyArray<unknown>,
  what: string,
): ReadonlyArray<Located> => {
  const objects: Array<Located> = []
  for (const [index, object] of values.entries()) {
    const at = `${path}[${index}]`
    if (isPlainObject(object)) objects.push({ path: at, object, index })
    else report.add(at, `must be ${what}, not ${describe(object)}`)
  }
  return objects
}

interface Located {
  readonly path: string
  readonly object: Json
  readonly index: number
}

// ---------------------------------------------------------------------------------------------------------------------
// References
// ---------------------------------------------------------------------------------------------------------------------

/** What can be referred to, by id; the first of two with the same id stands. */
class Names<A> {
  readonly #report: Report
  readonly #scope: string
  readonly #byId = new Map<string, { readonly path: string; readonly value: A }>()

  constructor(report: Report, scope: string) {
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
        `${quote(id)} is already the id of ${first.path}; ids must differ among ${this.#scope}`,
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
  readonly report: Report
  readonly views: Set<string>
  readonly steps: Names<true>
  readonly printAreas: Names<true>
  readonly questions: Names<KnownQuestion>
  readonly rules: Names<true>
}

const checkDefinition = (report: Report, input: unknown): void => {
  if (!isPlainObject(input)) {
    report.add("", `must be an object with schemaVersion, steps, questions and rules, not ${describe(input)}`)
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
    report.add(`${path}.step`, `names no step: there is none with id ${quote(step)}`)
  const area = ownString(object, "printArea")
  if (area !== undefined && !printAreas.has(area)) {
    report.add(`${path}.printArea`, `names no print area: no step has one with id ${quote(area)}`)
  }
  const answers = new Names<true>(report, "the answers of a question")
  for (const answer of objectsOf(report, `${path}.answers`, ownList(object, "answers"), "an answer")) {
    answers.add(answer, true)
    checkAnswer(scope, answer)
  }
  scope.questions.add(question, { index, path, answers: fields === undefined ? undefined : answers })
}

const checkRange = (report: Report, { object, path }: Located): void => {
  const min = own(object, "min")
  const max = own(object, "max")
  const upload = ownString(object, "type") === "upload"
  const most = max === undefined && upload ? 1 : max
  if (typeof min !== "number" || typeof most !== "number" || min <= most) return
  report.add(`${path}.min`, `is ${min}, more than max, which is ${most}${max === undefined ? " when left out" : ""}`)
}

const checkAnswer = ({ report, views }: Scope, { object, path }: Located): void => {
  checkFields(report, path, object, answerFields)
  for (const layer of objectsOf(report, `${path}.layers`, ownList(object, "layers"), "a layer")) {
    checkFields(report, layer.path, layer.object, layerFields)
    const view = ownString(layer.object, "view")
    if (view !== undefined && view !== "" && !views.has(view)) {
      report.add(`${layer.path}.view`, `names no view: no step shows ${quote(view)}`)
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
      report.add(`${path}.hide[${index}]`, `hides ${quote(id)}, which the same rule shows`)
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
  if (question === undefined) report.add(path, `names no question: there is none with id ${quote(id)}`)
  return question
}

const checkAnswerId = ({ report }: Scope, path: string, id: string, question: KnownQuestion, answer: string): void => {
  if (question.answers === undefined || question.answers.has(answer)) return
  report.add(path, `names no answer: question ${quote(id)} (${question.path}) has none with id ${quote(answer)}`)
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
    report.add(path, `is nested too deep: conditions go at most ${MAX_CONDITION_DEPTH} levels deep`)
    return
  }
  checkFields(report, path, condition, conditionFields)
  const keys = conditionFields.map(([key]) => key).filter((key) => own(condition, key) !== undefined)
  if (!forms.has(keys.join())) {
    const found = keys.length === 0 ? "none of them" : keys.join(" and ")
    report.add(path, `must have exactly question and is, question and answered, all, any, or not; it has ${found}`)
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
      `${quote(id)} ${reason}; a rule may only read questions before all those that it changes`,
    )
  }
}
