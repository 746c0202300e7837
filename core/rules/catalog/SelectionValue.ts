/** Values that a selection may have for one question, and their problems (§2.1). */
import type { Question } from "../../model/catalog/Definition.ts"
import { describe, isPlainObject, own, quote } from "../../model/json/Json.ts"
import { ProblemReport } from "../../model/Problem.ts"
import { codePointLength, isStorable } from "../../model/Text.ts"
import type { CompiledQuestion } from "./Compile.ts"
import { checkJson, NOT_STORABLE } from "./JsonCheck.ts"

/** A value of a kind that fits its question: an id, a list of ids, or a text. */
export type SelectionValue = string | ReadonlyArray<string> | { readonly text: string }

/** Reports a problem with a question's value. */
export const refuse = (report: ProblemReport, question: CompiledQuestion, message: () => string): void =>
  report.add(question.id, () => `Question ${quote(question.id)} (${quote(question.title)}) ${message()}`)

/** The expected kind of value, in words. */
export const expectedValue = (question: CompiledQuestion): string => kinds[question.type](question)

const kinds: { readonly [Type in Question["type"]]: (question: CompiledQuestion) => string } = {
  single: (question) => `one of the answer ids ${listAnswers(question)}`,
  multiple: (question) => `a list of answer ids from ${listAnswers(question)}`,
  text: () => 'an object such as {"text": "…"}',
  upload: (question) => (question.max === 1 ? "an upload id" : `a list of upload ids, at most ${question.max}`),
}

const listAnswers = ({ answers }: CompiledQuestion): string => {
  const named = answers.slice(0, 10).map(({ id }) => quote(id))
  return answers.length > 10 ? `${named.join(", ")} and ${answers.length - 10} more` : named.join(", ")
}

/** Whether a value is of the question's kind, hidden or not. Reports a value that is not. */
export const checkKind = (
  report: ProblemReport,
  question: CompiledQuestion,
  value: unknown,
): value is SelectionValue => {
  const problem = kindProblem(question, value)
  if (problem === undefined) return true
  refuse(report, question, problem)
  return false
}

type Message = () => string

const kindProblem = (question: CompiledQuestion, value: unknown): Message | undefined => {
  const mustBe = () => `must be ${expectedValue(question)}`
  if (question.type === "text") return textProblem(mustBe, value)
  if (question.type === "multiple" || (question.type === "upload" && question.max > 1))
    return listProblem(mustBe, value)
  if (typeof value !== "string") return () => `${mustBe()}, not ${describe(value)}`
  return isStorable(value) ? undefined : () => NOT_STORABLE
}

const listProblem = (mustBe: Message, value: unknown): Message | undefined => {
  if (!Array.isArray(value)) return () => `${mustBe()}, not ${describe(value)}`
  const wrong = value.findIndex((id) => typeof id !== "string")
  if (wrong !== -1) return () => `${mustBe()}; its item [${wrong}] is ${describe(value[wrong])}`
  return value.every(isStorable) ? undefined : () => NOT_STORABLE
}

const textProblem = (mustBe: Message, value: unknown): Message | undefined => {
  if (!isPlainObject(value)) return () => `${mustBe()}, not ${describe(value)}`
  const text = own(value, "text")
  if (text === undefined) return () => `${mustBe()}; it has no "text"`
  if (typeof text !== "string") return () => `${mustBe()}; its "text" must be a string, not ${describe(text)}`
  if (!isStorable(text)) return () => NOT_STORABLE
  return Object.keys(value).length === 1 ? undefined : jsonProblem(value)
}

/** Further keys of a text's object are stored with the selection and otherwise unused (D44), so any JSON will do. */
const jsonProblem = (value: unknown): Message | undefined => {
  const report = new ProblemReport()
  const problem = checkJson(report, value) ?? report.problems.listed[0]
  return problem && (() => `has an object that cannot be kept: ${problem.path || "it"} ${problem.message}`)
}

/** Reports too few or too many ids, and duplicates. */
export const checkIds = (report: ProblemReport, question: CompiledQuestion, ids: ReadonlyArray<string>): void => {
  const { max, min, type } = question
  const what = type === "upload" ? "uploads" : "answers"
  if (ids.length < min) {
    refuse(report, question, () => `has too few ${what} (${ids.length}): expected at least ${min}`)
  }
  if (ids.length > max) {
    refuse(report, question, () => `has too many ${what} (${ids.length}): expected at most ${max}`)
  }
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const id of ids) (seen.has(id) ? repeated : seen).add(id)
  for (const id of repeated) {
    refuse(report, question, () => `names ${quote(id)} more than once: expected different ${what}`)
  }
}

const MAX_UPLOAD_ID = 255

/** Reports an upload id that is empty, too long or contains control characters. */
export const checkUploadId = (report: ProblemReport, question: CompiledQuestion, id: string): void => {
  if (id !== "" && !isLongerThan(MAX_UPLOAD_ID, id) && !control.test(id)) return
  refuse(
    report,
    question,
    () => `has upload id ${quote(id)}: expected 1 to ${MAX_UPLOAD_ID} characters, none of them a control character`,
  )
}

/** Whether a text is short enough and free of control characters other than line breaks. Reports it if not. */
export const checkText = (report: ProblemReport, question: CompiledQuestion, text: string): boolean => {
  const before = report.total
  const { maxLength } = question
  if (isLongerThan(maxLength, text)) {
    refuse(report, question, () => `has a text of ${codePointLength(text)} characters: expected at most ${maxLength}`)
  }
  if (controlOtherThanLineBreak.test(text)) {
    refuse(report, question, () => "has a text with control characters: expected none but line breaks (\\n, \\r)")
  }
  return report.total === before
}

const control = /\p{Cc}/u
const controlOtherThanLineBreak = /[^\P{Cc}\n\r]/u

/** Counts code points, but only if the number of UTF-16 units doesn't decide. */
const isLongerThan = (codePoints: number, text: string): boolean =>
  text.length > codePoints && codePointLength(text) > codePoints
