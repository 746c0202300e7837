/** A definition in words. */
import type { Condition, Definition, Question, Rule } from "../../../../core/model/catalog/Definition.ts"
import type { Visit } from "../../Visit.ts"
import { cut } from "./Cut.ts"

/** The longest title within a sentence, and the longest sentence. */
const [longestTitle, longestSentence] = [60, 1_000]

/** The words for the parts of one definition. */
export const wordsFor = (
  definition: Definition,
  currency: string,
  { figures: { figure, money }, texts: { customizers: texts } }: Pick<Visit["Service"], "figures" | "texts">,
) => {
  const questions = new Map(definition.questions.map((question) => [question.id, question]))
  const quoted = (text: string) => texts.quoted(cut(text, longestTitle))
  const question = (id: string) => quoted(questions.get(id)?.title ?? id)
  const answer = (of: string, id: string) =>
    quoted(questions.get(of)?.answers?.find((answer) => answer.id === id)?.title ?? id)

  /** `left` is how many more conditions may be named: a sentence with a thousand is of no use. */
  const condition = (when: Condition, left = { parts: 30 }): string => {
    if (left.parts-- <= 0) return "…"
    const list = (parts: ReadonlyArray<Condition>) => parts.slice(0, 30).map((part) => condition(part, left))
    if ("all" in when && when.all !== undefined) return texts.all(list(when.all))
    if ("any" in when && when.any !== undefined) return texts.any(list(when.any))
    if ("not" in when && when.not !== undefined) return texts.not(condition(when.not, left))
    if ("is" in when && when.is !== undefined && when.question !== undefined)
      return texts.chosen(question(when.question), answer(when.question, when.is))
    const asked = question("question" in when ? (when.question ?? "") : "")
    return "answered" in when && when.answered === true ? texts.answered(asked) : texts.unanswered(asked)
  }

  const listed = (all: ReadonlyArray<string>, wordOf: (id: string) => string) =>
    [...all.slice(0, 20).map(wordOf), ...(all.length > 20 ? ["…"] : [])].join(", ")

  const effectsOf = ({ disable = [], hide = [], show = [] }: Rule): ReadonlyArray<string> => {
    const effects = [
      ...(show.length === 0 ? [] : [texts.show(listed(show, question))]),
      ...(hide.length === 0 ? [] : [texts.hide(listed(hide, question))]),
      ...disable.slice(0, 20).map(({ answers, question: of }) =>
        texts.disable(
          listed(answers, (id) => answer(of, id)),
          question(of),
        ),
      ),
    ]
    return effects.length === 0 ? [texts.nothing] : effects
  }

  const amount = (cents: number) => `${cents > 0 ? "+" : ""}${money(cents, currency)}`

  return {
    amount,
    /** The effect of a rule, as a sentence. */
    rule: (rule: Rule) => cut(texts.rule(condition(rule.when), effectsOf(rule)), longestSentence),
    /** The kind of answer that a question expects. */
    expected: (asked: Question): string => {
      const charged = asked.price === undefined || asked.price === 0 ? "" : `, ${texts.charged(amount(asked.price))}`
      switch (asked.type) {
        case "single":
          return texts.one
        case "multiple":
          return texts.several(figure(asked.min ?? 0), figure(asked.max ?? asked.answers.length))
        case "text":
          return texts.textOf(figure(asked.maxLength ?? 255)) + charged
        case "upload":
          return (
            ((asked.max ?? 1) === 1 ? texts.file : texts.files(figure(asked.min ?? 0), figure(asked.max ?? 1))) +
            charged
          )
      }
    },
  }
}

export type Words = ReturnType<typeof wordsFor>
