/** The choices in the query of a form that was built from a definition. */
import type { Definition, Question } from "../../../../core/model/catalog/Definition.ts"
import type { Selection } from "../../../../core/model/catalog/Design.ts"
import type { Tried } from "../../../../core/usecases/catalog/TryDefinition.ts"

/** A question with more answers takes their ids rather than a choice. */
const mostChoices = 60

export const answersOf = (question: Question) => question.answers ?? []

/** Whether the answers of a question are given by their ids. */
export const isById = (question: Question): boolean => answersOf(question).length > mostChoices

/** The name of a question's fields. */
export const fieldOf = (index: number): string => `q${index}`

const lines = (text: string): ReadonlyArray<string> => text.split(/\r?\n/).filter((line) => line !== "")

const valueOf = (question: Question, given: ReadonlyArray<string>): unknown => {
  const [first = ""] = given
  const chosen = (text: string) => (/^\d{1,4}$/.test(text) ? answersOf(question)[Number(text)]?.id : undefined)
  switch (question.type) {
    case "single":
      return isById(question) ? first.trim() || undefined : chosen(first)
    case "multiple": {
      const ids = isById(question) ? lines(first) : given.flatMap((text) => chosen(text) ?? [])
      return ids.length === 0 ? undefined : ids
    }
    case "text":
      return first === "" ? undefined : { text: first.replaceAll("\r\n", "\n") }
    case "upload":
      if ((question.max ?? 1) === 1) return first.trim() || undefined
      return lines(first).length === 0 ? undefined : lines(first)
  }
}

/** The selection that the fields of a form come to. */
export const selectionIn = ({ questions }: Definition, query: URLSearchParams): Selection =>
  Object.fromEntries(
    questions.flatMap((question, index) => {
      const given = query.getAll(fieldOf(index))
      const value = given.length === 0 ? undefined : valueOf(question, given)
      return value === undefined ? [] : [[question.id, value]]
    }),
  )

/** The selection that a form opens with: the first answer of each question that must have one, as far as it may. */
export const openingSelection = ({ questions }: Definition, { disabled, visible }: Tried["choices"]): Selection =>
  Object.fromEntries(
    questions.flatMap(({ answers = [], id, required, type }) => {
      const first = answers.find((answer) => disabled.get(id)?.has(answer.id) !== true)
      return type === "single" && required === true && visible.has(id) && first !== undefined ? [[id, first.id]] : []
    }),
  )

/** An amount such as `20.00` in minor units; `undefined` if the text is none. */
export const minorOf = (text: string, digits: number): number | undefined => {
  const [, whole, decimals = ""] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? []
  return whole === undefined || decimals.length > digits
    ? undefined
    : Number(whole) * 10 ** digits + Number(decimals.padEnd(digits, "0") || 0)
}
