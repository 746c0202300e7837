/** Generated customizers and selections. */
import { Arbitrary, Schema } from "effect"
import type { Condition, DefinitionAnswer, Question, Rule } from "../../../core/model/catalog/Definition.ts"
import { definitionOf } from "./Evaluations.ts"

/** Turns a list of numbers into choices. Past its end every choice is the first one, so that shrinking simplifies. */
class Tape {
  #at = 0
  readonly #numbers: ReadonlyArray<number>
  constructor(numbers: ReadonlyArray<number>) {
    this.#numbers = numbers
  }
  below(limit: number): number {
    const number = this.#numbers[this.#at] ?? 0
    this.#at += 1
    return number % limit
  }
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent
  }
  pick<A>(choices: readonly [A, ...Array<A>]): A {
    return choices[this.below(choices.length)] ?? choices[0]
  }
  list<A>(least: number, most: number, item: (index: number) => A): Array<A> {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, index) => item(index))
  }
  some<A>(items: ReadonlyArray<A>, percent: number): Array<A> {
    return items.filter(() => this.chance(percent))
  }
  shuffled<A>(items: ReadonlyArray<A>): Array<A> {
    const rest = [...items]
    return items.flatMap(() => rest.splice(this.below(rest.length), 1))
  }
}

const ids = ["__proto__", "metal", "constructor", "größe", "toString", "q 6", "7"]
const answerIds = ["toString", "a", "__proto__", "ünï", "b c"]
const texts: readonly [string, ...Array<string>] = [
  "x",
  "",
  "  ",
  "🎉🎉",
  "e\u0301",
  "a\nb",
  " padded ",
  "twelve chars",
  "a\tb",
  "👨‍👩‍👧‍👦",
]

const answerFrom = (tape: Tape, id: string): DefinitionAnswer => ({
  id,
  title: `T ${id}`,
  productionCode: tape.pick(["C1", "C2"]),
  ...(tape.chance(70) ? { price: tape.pick([0, 250, -300, 1_999, -4_000]) } : {}),
  ...(tape.chance(30) ? { variantId: tape.pick<string | number | null>(["v1", 7, null]) } : {}),
  ...(tape.chance(30) ? { orderValue: `O ${id}` } : {}),
})

const answersFrom = (tape: Tape): [DefinitionAnswer, ...Array<DefinitionAnswer>] => {
  const [first = "a", ...others] = answerIds.slice(0, 1 + tape.below(answerIds.length))
  return [answerFrom(tape, first), ...others.map((id) => answerFrom(tape, id))]
}

const questionFrom = (tape: Tape, id: string): Question => {
  const common = {
    id,
    step: "s",
    title: `Q ${id}`,
    hidden: tape.chance(30),
    required: tape.chance(30),
    ...(tape.chance(30) ? { orderKey: `O ${id}`, productionKey: `P ${id}` } : {}),
  }
  const charged = tape.chance(50) ? { price: tape.pick([0, 100, -50]) } : {}
  switch (tape.pick(["single", "multiple", "text", "upload"])) {
    case "single":
      return { ...common, type: "single", answers: answersFrom(tape) }
    case "multiple": {
      const min = tape.below(3)
      return {
        ...common,
        type: "multiple",
        answers: answersFrom(tape),
        min,
        ...(tape.chance(50) ? { max: Math.max(1, min) + tape.below(2) } : {}),
      }
    }
    case "text":
      return { ...common, ...charged, type: "text", maxLength: 2 + tape.below(10) }
    default: {
      const max = 1 + tape.below(3)
      return { ...common, ...charged, type: "upload", min: tape.below(max + 1), max }
    }
  }
}

const conditionFrom = (tape: Tape, readable: ReadonlyArray<Question>, depth: number): Condition => {
  const form = depth > 2 ? tape.below(2) : tape.below(5)
  if (form === 2) return { not: conditionFrom(tape, readable, depth + 1) }
  if (form === 3) return { all: tape.list(0, 3, () => conditionFrom(tape, readable, depth + 1)) }
  if (form === 4) return { any: tape.list(0, 3, () => conditionFrom(tape, readable, depth + 1)) }
  const question = readable[tape.below(readable.length)]
  if (question === undefined) return { all: [] }
  const is = question.answers?.[tape.below(question.answers.length || 1)]?.id
  return form === 1 || is === undefined
    ? { question: question.id, answered: tape.chance(60) }
    : { question: question.id, is }
}

const ruleFrom = (tape: Tape, id: string, list: ReadonlyArray<Question>): Rule => {
  const pivot = tape.below(list.length)
  const targets = list.slice(pivot)
  const show = tape.some(targets, 40)
  const hide = tape.some(
    targets.filter((question) => !show.includes(question)),
    25,
  )
  const disable = tape
    .some(targets, 50)
    .flatMap(({ answers = [], id: question }) =>
      answers.length === 0 ? [] : [{ question, answers: tape.some(answers, 30).map(({ id }) => id) }],
    )
  return {
    id,
    when: conditionFrom(tape, list.slice(0, pivot), 0),
    show: show.map(({ id }) => id),
    hide: hide.map(({ id }) => id),
    disable,
  }
}

const valueFrom = (tape: Tape, question: Question): unknown => {
  const { max = 3, min = 0 } = question
  switch (question.type) {
    case "single":
      return question.answers[tape.below(question.answers.length)]?.id
    case "multiple":
      return tape
        .shuffled(question.answers)
        .slice(0, tape.chance(90) ? min + tape.below(max - min + 1) : 9)
        .map(({ id }) => id)
    case "text":
      return tape.chance(20) ? { font: [1], text: tape.pick(texts) } : { text: tape.pick(texts) }
    case "upload":
      return max === 1
        ? tape.pick(["u1", "u2"])
        : ["u3", "u1", "u2"].slice(0, tape.chance(90) ? min + tape.below(max - min + 1) : 3)
  }
}

const wrongValues: readonly [unknown, ...Array<unknown>] = [
  null,
  1,
  "nope",
  ["nope", "nope"],
  [],
  ["a", 1],
  { text: 1 },
  { text: "\0" },
  "\ud800",
  "a",
]

/** A customizer and a selection, with terms. */
export type Sample = ReturnType<typeof caseFrom>

const caseFrom = (numbers: ReadonlyArray<number>) => {
  const tape = new Tape(numbers)
  const list = tape
    .shuffled(ids)
    .slice(0, 1 + tape.below(ids.length))
    .map((id) => questionFrom(tape, id))
  const rules = tape.list(0, 5, (index) => ruleFrom(tape, `r${index}`, list))
  const values = list
    .filter(({ required }) => tape.chance(required === true ? 95 : 65))
    .map((question) => [question.id, valueFrom(tape, question)] as const)
  const wrong = tape.chance(15) ? list.slice(-1).map(({ id }) => [id, tape.pick(wrongValues)] as const) : []
  const unknown = tape.chance(3) ? [["unknown", "x"] as const] : []
  return {
    definition: definitionOf(list, rules),
    // fromEntries makes __proto__ an own property, like JSON.parse.
    selection: Object.fromEntries(tape.shuffled([...new Map<string, unknown>([...values, ...wrong, ...unknown])])),
    basePrice: tape.pick([0, 1_000, 12_345, 77]),
    roundingStep: tape.pick([1, 5, 10, 100, 7]),
  }
}

const number = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 })))
/** Customizers, mostly with a selection that they accept. */
export const cases = Arbitrary.map(Arbitrary.array(number, { minLength: 260, maxLength: 400 }), caseFrom)
