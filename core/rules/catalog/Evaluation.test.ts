import { describe, expect, it } from "@effect/vitest"
import {
  answer,
  answeredIn,
  definitionOf,
  evaluated,
  everyDefinition,
  problemsOf,
  questions,
} from "../../../conformance/testkit/definitions/Evaluations.ts"
import type { Condition, DefinitionAnswer, Question, Rule } from "../../model/catalog/Definition.ts"

describe("rules", () => {
  const { late, many, one, text } = questions
  const free = { ...many, min: 0 }
  const isB: Condition = { question: "one", is: "b" }
  const show = (when: Condition): Rule => ({ id: "r", when, show: ["late"] })
  const isShown = (when: Condition, selection: Record<string, unknown>): boolean =>
    answeredIn(definitionOf([one, free, text, late], [show(when)]), { ...selection, late: "x" }).includes("late")

  const conditions: ReadonlyArray<
    readonly [title: string, when: Condition, holds: Record<string, unknown>, fails: Record<string, unknown>]
  > = [
    ["a single answer", isB, { one: "b" }, { one: "a" }],
    ["one among several answers", { question: "many", is: "c" }, { many: ["a", "c"] }, { many: ["a", "b"] }],
    ["answered", { question: "text", answered: true }, { text: { text: "x" } }, { text: { text: " " } }],
    ["an empty list as unanswered", { question: "many", answered: false }, { many: [] }, { many: ["a"] }],
    ["not", { not: isB }, {}, { one: "b" }],
    ["all", { all: [isB, { question: "many", answered: true }] }, { one: "b", many: ["a"] }, { one: "b" }],
    ["any", { any: [isB, { question: "many", answered: true }] }, { many: ["a"] }, { one: "a" }],
    [
      "forms inside one another",
      { not: { any: [isB, { all: [{ question: "text", answered: true }] }] } },
      {},
      { text: { text: "x" } },
    ],
  ]

  it.each(conditions)("MUST read %s", (_, when, holds, fails) => {
    expect(isShown(when, holds)).toBe(true)
    expect(isShown(when, fails)).toBe(false)
  })

  it("MUST treat an empty all as true and an empty any as false", () => {
    expect([isShown({ all: [] }, {}), isShown({ any: [] }, {})]).toEqual([true, false])
  })

  it("MUST apply in order: the last one that holds decides", () => {
    const rules: ReadonlyArray<Rule> = [
      { id: "hide", when: { all: [] }, hide: ["late"] },
      { id: "show", when: { question: "one", answered: true }, show: ["late"] },
      { id: "hide again", when: isB, hide: ["late"] },
    ]
    const answers = (selection: Record<string, unknown>, list: ReadonlyArray<Rule>) =>
      answeredIn(definitionOf([one, late], list), { ...selection, late: "x" })
    expect(answers({ one: "a" }, rules)).toEqual(["one", "late"])
    expect(answers({ one: "b" }, rules)).toEqual(["one"])
    expect(answers({ one: "b" }, rules.toReversed())).toEqual(["one"])
    expect(answers({ one: "b" }, [...rules.slice(1), ...rules.slice(0, 1)])).toEqual(["one"])
    expect(answers({ one: "b" }, [...rules, { id: "last", when: { all: [] }, show: ["late"] }])).toEqual([
      "one",
      "late",
    ])
  })

  it("MUST treat hidden questions as unanswered, along a chain of rules", () => {
    const chain = ["q1", "q2", "q3"].map((id): Question => ({ ...late, id }))
    const rules = ["one", "q1", "q2"].map(
      (id, index): Rule => ({ id, when: { question: id, answered: true }, show: [`q${index + 1}`] }),
    )
    const definition = definitionOf([one, ...chain], rules)
    expect(answeredIn(definition, { one: "a", q1: "x", q2: "x", q3: "x" })).toEqual(["one", "q1", "q2", "q3"])
    expect(answeredIn(definition, { q1: "x", q2: "x", q3: "x" })).toEqual([])
    expect(answeredIn(definition, { one: "a", q2: "x", q3: "x" })).toEqual(["one"])
  })

  it("MUST hide a question's answers from conditions on them", () => {
    const definition = definitionOf(
      [one, { ...free, hidden: true }, late],
      [
        show({
          any: [
            { question: "many", is: "a" },
            { question: "many", answered: true },
          ],
        }),
      ],
    )
    expect(answeredIn(definition, { many: ["a"], late: "x" })).toEqual([])
  })

  const disableC: Rule = { id: "r", when: isB, disable: [{ question: "many", answers: ["c", "d"] }] }

  it("MUST refuse exactly the disabled answers, whichever rule disables them", () => {
    const other: Rule = { id: "o", when: { question: "one", is: "a" }, disable: [{ question: "many", answers: ["c"] }] }
    const definition = definitionOf([one, free], [disableC, other])
    expect(problemsOf(definition, { one: "b", many: ["a", "c"] })).toEqual([
      {
        path: "many",
        message: 'Question "many" ("Many") cannot have answer "c": it is disabled by other answers of this selection',
      },
    ])
    expect(problemsOf(definition, { one: "a", many: ["d"] })).toEqual([])
    expect(problemsOf(definition, { one: "a", many: ["c"] })).toHaveLength(1)
    expect(problemsOf(definition, { many: ["c", "d"] })).toEqual([])
  })

  it("MUST refuse a disabled answer of a single question", () => {
    const rule: Rule = {
      id: "r",
      when: { question: "one", answered: false },
      disable: [{ question: "late", answers: ["x"] }],
    }
    const definition = definitionOf([one, { ...late, hidden: false }], [rule])
    expect(problemsOf(definition, { late: "x" })).toHaveLength(1)
    expect(problemsOf(definition, { late: "y" })).toEqual([])
    expect(problemsOf(definition, { one: "a", late: "x" })).toEqual([])
  })

  it("MUST ignore disabled answers of hidden questions", () => {
    expect(problemsOf(definitionOf([one, { ...free, hidden: true }], [disableC]), { one: "b", many: ["c"] })).toEqual(
      [],
    )
  })

  it("MUST treat a hidden question as unanswered, even if its value is of the wrong kind", () => {
    const rule: Rule = { id: "r", when: { question: "many", answered: true }, show: ["late"] }
    const definition = definitionOf(
      [
        { ...free, hidden: true },
        { ...late, required: true },
      ],
      [rule],
    )
    expect(problemsOf(definition, { many: "a" }).map(({ path }) => path)).toEqual(["many"])
  })

  it("MUST NOT add problems caused by a value that is already refused", () => {
    const rule: Rule = { id: "r", when: { question: "one", answered: false }, show: ["late"] }
    const definition = definitionOf([one, { ...late, required: true }], [rule])
    for (const value of [["a"], "nope"])
      expect(problemsOf(definition, { one: value }).map(({ path }) => path)).toEqual(["one"])
  })
})

describe("summary and productionData", () => {
  it("MUST use orderKey, orderValue and productionKey, or title, title and id if they are left out", () => {
    const named = {
      ...questions.one,
      orderKey: "OK",
      productionKey: "PK",
      answers: [answer("a", { orderValue: "OV" })] as const,
    }
    expect(evaluated(definitionOf([named]), { one: "a" })).toMatchObject({
      summary: [{ key: "OK", value: "OV" }],
      productionData: [{ key: "PK", value: "P-a", ref: { questionId: "one", answerId: "a" } }],
    })
    expect(evaluated(everyDefinition, { one: "a" })).toMatchObject({
      summary: [{ key: "One", value: "title of a" }],
      productionData: [{ key: "one", value: "P-a" }],
    })
  })

  it("MUST keep a variantId as given, a string or an integer (D44)", () => {
    const variants = ["gid://p/1", "", 44120001, 0, -1, Number.MAX_SAFE_INTEGER]
    const answers = variants.map((variantId, index) => answer(`${index}`, { variantId })) as [
      DefinitionAnswer,
      ...Array<DefinitionAnswer>,
    ]
    const selection = { many: answers.map(({ id }) => id) }
    const { price } = evaluated(definitionOf([{ ...questions.many, min: 0, max: 9, answers }]), selection)
    expect(price.lines.map(({ variantId }) => variantId)).toEqual(variants)
  })

  it("MUST keep a text as given, in question order, with answers in the definition's order", () => {
    const { price, productionData, summary } = evaluated(everyDefinition, {
      files: ["v", "u"],
      file: "w",
      text: { text: " x\n" },
      many: ["c", "b", "a"],
    })
    expect(JSON.stringify({ summary, productionData, lines: price.lines })).toBe(
      JSON.stringify({
        summary: [
          { key: "Many", value: ["title of a", "title of b", "title of c"] },
          { key: "Text", value: " x\n" },
          { key: "File", value: "w" },
          { key: "Files", value: ["v", "u"] },
        ],
        productionData: [
          { key: "many", values: ["P-a", "P-b", "P-c"], ref: { questionId: "many", answerIds: ["a", "b", "c"] } },
          { key: "text", value: " x\n" },
          { key: "file", value: "w" },
          { key: "files", values: ["v", "u"] },
        ],
        lines: [
          { q: "many", a: "b", amount: -3, variantId: null },
          { q: "many", a: "c", amount: 0, variantId: "v" },
          { q: "text", a: "text", amount: 7, variantId: null },
          { q: "file", a: "upload", amount: 11, variantId: null },
          { q: "files", a: "upload", amount: 13, variantId: null },
        ],
      }),
    )
  })
})
