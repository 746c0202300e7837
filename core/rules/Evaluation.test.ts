import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import type { Answer, Condition, Definition, Question, Rule } from "../model/Definition.ts"
import type { PriceLine } from "../model/Design.ts"
import type { Problem } from "../model/Problem.ts"
import { compile } from "./Compile.ts"
import { type Evaluated, type EvaluationInput, evaluate } from "./Evaluation.ts"
import { publishCheck } from "./PublishCheck.ts"

const vector = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../conformance/vectors/${name}.json`, import.meta.url), "utf8"))

const customizers = vector("customizers") as ReadonlyArray<{ readonly id: number; readonly definition: unknown }>
const accepted = vector("evaluation") as ReadonlyArray<
  EvaluationInput & { readonly name: string; readonly customizer: number; readonly expected: Evaluated }
>
const refused = vector("selection-refused") as ReadonlyArray<{
  readonly name: string
  readonly customizer: number
  readonly selection: unknown
  readonly questions: ReadonlyArray<string>
}>

const customizer = (id: number) =>
  compile(Result.getOrThrow(publishCheck(customizers.find((candidate) => candidate.id === id)?.definition)))

const terms = { basePrice: 1_000, currency: "EUR", roundingStep: 1 }

describe("the vectors", () => {
  it("MUST be there", () => {
    expect([customizers.length, accepted.length, refused.length]).toEqual([3, 13, 12])
  })

  it.each(accepted)(
    "MUST evaluate: $name",
    ({ basePrice, currency, customizer: id, expected, roundingStep, selection }) => {
      const evaluated = Result.getOrThrow(evaluate(customizer(id), { selection, basePrice, currency, roundingStep }))
      // As text, because the order of the keys is part of the format.
      expect(JSON.stringify(evaluated, null, 1)).toBe(JSON.stringify(expected, null, 1))
    },
  )

  it.each(refused)("MUST refuse: $name", ({ customizer: id, questions, selection }) => {
    const { listed } = Result.getOrThrow(Result.flip(evaluate(customizer(id), { ...terms, selection })))
    expect(listed.map(({ path }) => path)).toEqual(questions)
  })
})

const answer = (id: string, more: Partial<Answer> = {}): Answer => ({
  id,
  title: `title of ${id}`,
  productionCode: `P-${id}`,
  ...more,
})

/** `one`, `many`, `text`, `file`, `files`, and `late`, which starts hidden. */
const questions = {
  one: { id: "one", step: "s", title: "One", type: "single", answers: [answer("a"), answer("b", { price: 5 })] },
  many: {
    id: "many",
    step: "s",
    title: "Many",
    type: "multiple",
    min: 2,
    max: 3,
    answers: [answer("a"), answer("b", { price: -3 }), answer("c", { variantId: "v" }), answer("d")],
  },
  text: { id: "text", step: "s", title: "Text", type: "text", maxLength: 5, price: 7 },
  file: { id: "file", step: "s", title: "File", type: "upload", price: 11 },
  files: { id: "files", step: "s", title: "Files", type: "upload", min: 2, max: 3, price: 13 },
  late: { id: "late", step: "s", title: "Late", type: "single", hidden: true, answers: [answer("x"), answer("y")] },
} satisfies Record<string, Question>

const definitionOf = (list: ReadonlyArray<Question>, rules: ReadonlyArray<Rule> = []): Definition => ({
  schemaVersion: 1,
  steps: [{ id: "s", title: "Step", view: "front" }],
  questions: list,
  rules,
})

const run = (
  definition: Definition,
  selection: unknown,
  { basePrice = terms.basePrice, roundingStep = terms.roundingStep }: Partial<EvaluationInput> = {},
) => evaluate(compile(Result.getOrThrow(publishCheck(definition))), { ...terms, selection, basePrice, roundingStep })

const evaluated = (...args: Parameters<typeof run>): Evaluated => Result.getOrThrow(run(...args))

const problemsOf = (...args: Parameters<typeof run>): ReadonlyArray<Problem> =>
  Result.match(run(...args), { onFailure: ({ listed }) => listed, onSuccess: () => [] })

const every = Object.values(questions)
const everyDefinition = definitionOf(every)

/** What the answered questions are, by their keys in `productionData`. */
const answeredIn = (...args: Parameters<typeof run>): ReadonlyArray<string> =>
  evaluated(...args).productionData.map(({ key }) => key)

describe("a selection", () => {
  const message = (selection: unknown, list: ReadonlyArray<Question> = every): ReadonlyArray<string> =>
    problemsOf(definitionOf(list), selection).map(({ message }) => message)

  const refusals: ReadonlyArray<readonly [requirement: string, selection: unknown, message: string]> = [
    ["an unknown question", { toString: "a" }, 'The customizer has no question "toString"'],
    [
      "an unknown answer",
      { one: "constructor" },
      'Question "one" ("One") has no answer "constructor": expected one of the answer ids "a", "b"',
    ],
    [
      "an unknown answer in a list",
      { many: ["a", "z"] },
      'Question "many" ("Many") has no answer "z": expected a list of answer ids from "a", "b", "c", "d"',
    ],
    [
      "a list for a single question",
      { one: ["a"] },
      'Question "one" ("One") must be one of the answer ids "a", "b", not a list',
    ],
    [
      "null for a single question",
      { one: null },
      'Question "one" ("One") must be one of the answer ids "a", "b", not null',
    ],
    [
      "an id for a multiple question",
      { many: "a" },
      'Question "many" ("Many") must be a list of answer ids from "a", "b", "c", "d", not "a"',
    ],
    [
      "a list with something that is no id",
      { many: ["a", 1] },
      'Question "many" ("Many") must be a list of answer ids from "a", "b", "c", "d"; its item [1] is 1',
    ],
    ["a bare text", { text: "abc" }, 'Question "text" ("Text") must be an object such as {"text": "…"}, not "abc"'],
    [
      "a text that is a number",
      { text: { text: 1 } },
      'Question "text" ("Text") must be an object such as {"text": "…"}; its "text" must be a string, not 1',
    ],
    [
      "an object without text",
      { text: { font: "b" } },
      'Question "text" ("Text") must be an object such as {"text": "…"}; it has no "text"',
    ],
    [
      "further keys of a text that hold what cannot be kept (D44)",
      { text: { text: "a", font: { names: ["b\0"] } } },
      'Question "text" ("Text") has an object that cannot be kept: font.names[0] holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept',
    ],
    [
      "NUL in an id",
      { one: "\0" },
      'Question "one" ("One") holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept',
    ],
    [
      "a list of uploads where one is asked for",
      { file: ["u"] },
      'Question "file" ("File") must be an upload id, not a list',
    ],
    [
      "one upload where a list is asked for",
      { files: "u" },
      'Question "files" ("Files") must be a list of upload ids, at most 3, not "u"',
    ],
    [
      "the same answer twice",
      { many: ["a", "a"] },
      'Question "many" ("Many") names "a" more than once: expected different answers',
    ],
    [
      "the same upload twice",
      { files: ["u", "u"] },
      'Question "files" ("Files") names "u" more than once: expected different uploads',
    ],
    ["too few answers", { many: ["a"] }, 'Question "many" ("Many") has too few answers (1): expected at least 2'],
    [
      "too many answers",
      { many: ["a", "b", "c", "d"] },
      'Question "many" ("Many") has too many answers (4): expected at most 3',
    ],
    ["too few uploads", { files: ["u"] }, 'Question "files" ("Files") has too few uploads (1): expected at least 2'],
    [
      "too many uploads",
      { files: ["u", "v", "w", "x"] },
      'Question "files" ("Files") has too many uploads (4): expected at most 3',
    ],
    [
      "a text that is too long",
      { text: { text: "123456" } },
      'Question "text" ("Text") has a text of 6 characters: expected at most 5',
    ],
    [
      "a blank text that is too long",
      { text: { text: "      " } },
      'Question "text" ("Text") has a text of 6 characters: expected at most 5',
    ],
    [
      "a tab",
      { text: { text: "a\tb" } },
      'Question "text" ("Text") has a text with control characters: expected none but line breaks (\\n, \\r)',
    ],
    [
      "a C1 control character",
      { text: { text: "\u0085" } },
      'Question "text" ("Text") has a text with control characters: expected none but line breaks (\\n, \\r)',
    ],
    [
      "an empty upload id",
      { file: "" },
      'Question "file" ("File") has upload id "": expected 1 to 255 characters, none of them a control character',
    ],
    [
      "a line break in an upload id",
      { files: ["u", "v\n"] },
      'Question "files" ("Files") has upload id "v\\n": expected 1 to 255 characters, none of them a control character',
    ],
  ]

  it.each(refusals)("MUST refuse %s", (_, selection, expected) => {
    expect(message(selection)).toEqual([expected])
  })

  it.each([null, undefined, 1, "{}", [], new Date(0), new Map()])(
    "MUST refuse %s instead of an object",
    (selection) => {
      expect(problemsOf(everyDefinition, selection).map(({ path }) => path)).toEqual([""])
    },
  )

  it("MUST be refused with every problem named, in question order, unknown questions last", () => {
    const selection = {
      zz: 1,
      files: [],

      file: 5,
      many: ["a", "a", "z", "b"],
      aa: null,
      one: "c",
      ["constructor"]: "x",
    }
    const required = every.map((question) => ({ ...question, required: question.id === "files" }))
    expect(problemsOf(definitionOf(required), selection).map(({ path }) => path)).toEqual([
      "one",
      "many",
      "many",
      "many",
      "file",
      "files",
      "aa",
      "constructor",
      "zz",
    ])
  })

  it.each(every.filter(({ hidden }: Question) => hidden !== true))(
    "MUST answer the required question $id",
    (question) => {
      const required = definitionOf([{ ...question, required: true }])
      const empty = {
        single: undefined,
        multiple: [],
        text: { text: " \n\u00a0" },
        upload: question.id === "files" ? [] : undefined,
      }
      for (const selection of [{}, { [question.id]: empty[question.type] }]) {
        expect(problemsOf(required, selection)).toEqual([
          { path: question.id, message: expect.stringContaining("is required: expected") },
        ])
        expect(problemsOf(definitionOf([question]), selection)).toEqual([])
      }
    },
  )

  it("MUST earn one problem for each thing that is wrong, and none that follows from it", () => {
    expect(problemsOf(definitionOf([questions.many]), { many: ["z", "z"] }).map(({ message }) => message)).toEqual([
      expect.stringContaining('names "z" more than once'),
      expect.stringContaining('has no answer "z"'),
    ])
    expect(message({ text: { text: "\t" } }, [{ ...questions.text, required: true }])).toEqual([
      expect.stringContaining("control characters"),
    ])
  })

  it("MUST have at most 100 of its problems listed, and all of them counted (D46)", () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `x${index}`)
    const unbounded = { ...questions.files, max: 10_000 }
    for (const selection of [
      Object.fromEntries(ids.map((id) => [id, "a"])),
      { files: ids.flatMap((id) => [id, id]) },
    ]) {
      const { listed, total } = Result.getOrThrow(Result.flip(run(definitionOf([unbounded]), selection)))
      expect([listed.length, total]).toEqual([100, 5_000])
    }
  })

  it("MUST keep further keys beside a text and use them for nothing (D44)", () => {
    const text = JSON.parse(
      '{"font":"x","text":"abc","__proto__":{"text":1},"toJSON":null,"at":[1,{"y":null}]}',
    ) as unknown
    const { price, productionData, summary } = evaluated(everyDefinition, { text })
    expect({ price, productionData, summary }).toEqual(evaluated(everyDefinition, { text: { text: "abc" } }))
  })

  it.each([
    [
      "nested 100,000 deep",
      (): unknown => JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`),
      "more than 100 levels",
    ],
    [
      "cyclic",
      (): unknown => {
        const cycle: Array<unknown> = []
        cycle.push(cycle)
        return cycle
      },
      "more than 100 levels",
    ],
    ["not JSON", (): unknown => 1n, "must be JSON"],
  ] as const)("MUST refuse further keys beside a text that are %s, hidden or not (D44)", (_, make, message) => {
    for (const question of [questions.text, { ...questions.text, hidden: true }]) {
      expect(problemsOf(definitionOf([question]), { text: { text: "a", x: make() } })).toEqual([
        { path: "text", message: expect.stringContaining(message) },
      ])
    }
  })

  it("MUST not need hidden required questions", () => {
    expect(problemsOf(definitionOf([{ ...questions.one, required: true, hidden: true }]), {})).toEqual([])
  })

  it("MUST count min and max only where the question is answered", () => {
    expect(problemsOf(everyDefinition, { many: [], files: [] })).toEqual([])
  })

  it("MUST accept min and max themselves", () => {
    expect(answeredIn(everyDefinition, { many: ["a", "b"], files: ["u", "v"] })).toEqual(["many", "files"])
    expect(answeredIn(everyDefinition, { many: ["a", "b", "c"], files: ["u", "v", "w"] })).toEqual(["many", "files"])
  })

  it("MUST have no upper bound on a multiple question without max, and one file on an upload without max", () => {
    const { max: _, ...unbounded } = questions.many
    expect(problemsOf(definitionOf([unbounded]), { many: ["a", "b", "c", "d"] })).toEqual([])
    expect(evaluated(everyDefinition, { file: "u" }).summary).toEqual([{ key: "File", value: "u" }])
  })

  it("MUST count a text in code points as it is given", () => {
    const five = ["🎉🎉🎉🎉🎉", "e\u0301e\u0301x", "👨\u200d👩\u200d👧", " a b ", "\r\n\r\na"]
    for (const text of five)
      expect(evaluated(everyDefinition, { text: { text } }).summary).toEqual([{ key: "Text", value: text }])
    for (const text of five)
      expect(message({ text: { text: `${text}!` } })).toEqual([expect.stringContaining("has a text of 6 characters")])
  })

  it("MUST bound a text at 255 code points where maxLength is left out", () => {
    const { maxLength: _, ...text } = questions.text
    expect(message({ text: { text: "🎉".repeat(255) } }, [text])).toEqual([])
    expect(message({ text: { text: "🎉".repeat(256) } }, [text])).toEqual([expect.stringContaining("at most 255")])
  })

  it("MUST bound an upload id at 255 code points", () => {
    expect(message({ file: "🎉".repeat(255) })).toEqual([])
    expect(message({ file: "u".repeat(256) })).toEqual([expect.stringContaining("1 to 255 characters")])
  })

  it.each([
    ["a lone surrogate", "\ud83d"],
    ["a lone low surrogate", "x\udf89"],
    ["NUL", "\0"],
  ])("MUST not hold %s in any value, hidden or not", (_, bad) => {
    const kinds = { one: bad, many: ["a", bad], text: { text: bad }, file: bad, files: ["u", bad], late: bad }
    const hidden = definitionOf(every.map((question) => ({ ...question, hidden: true })))
    for (const definition of [everyDefinition, hidden]) {
      expect(problemsOf(definition, kinds).map(({ path }) => path)).toEqual(Object.keys(kinds))
    }
    expect(problemsOf(everyDefinition, { [bad]: "x" })).toHaveLength(1)
  })

  it("MUST be judged only for kind where the question is hidden", () => {
    const hidden = definitionOf(every.map((question) => ({ ...question, hidden: true, required: true })))
    const wrong = {
      one: "nope",
      many: ["a", "a", "z"],
      text: { text: "much too long\t" },
      file: "",
      files: ["u", "u", "u", "u"],
    }
    expect(evaluated(hidden, wrong)).toEqual({
      summary: [],
      productionData: [],
      price: { base: 1_000, lines: [], rounding: 0, total: 1_000, currency: "EUR" },
    })
    const otherKinds = { one: 1, many: "a", text: "t", file: [], files: [1], late: null }
    expect(problemsOf(hidden, otherKinds).map(({ path }) => path)).toEqual(Object.keys(otherKinds))
  })

  it("MUST take prototype keys for ids like any other", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"]
    const definition = definitionOf(
      names.map((id) => ({
        id,
        step: "s",
        title: id,
        type: "single",
        answers: [answer("__proto__"), answer("valueOf")],
      })),
    )
    expect(evaluated(definition, {}).summary).toEqual([])
    const selection: unknown = JSON.parse('{"__proto__":"__proto__","toString":"valueOf"}')
    expect(answeredIn(definition, selection)).toEqual(["__proto__", "toString"])
    expect(problemsOf(everyDefinition, JSON.parse('{"__proto__":{"one":"a"}}')).map(({ path }) => path)).toEqual([
      "__proto__",
    ])
  })

  it("MUST not be read through its prototype", () => {
    expect(answeredIn(everyDefinition, Object.assign(Object.create(null) as object, { one: "a" }))).toEqual(["one"])
    expect(problemsOf(everyDefinition, Object.create({ one: "a" }))).toHaveLength(1)
    const base = Object.assign(Object.create(null) as object, { one: "a", text: "x" })
    expect(answeredIn(everyDefinition, Object.create(base))).toEqual([])
    const text = Object.assign(Object.create(base) as object, { other: "y" })
    expect(problemsOf(everyDefinition, { text })).toHaveLength(1)
  })

  it("MUST be left as it is", () => {
    const selection = { many: ["c", "a"], files: ["v", "u"] }
    const { productionData, summary } = evaluated(everyDefinition, selection)
    expect(selection).toEqual({ many: ["c", "a"], files: ["v", "u"] })
    expect(summary[1]?.value).not.toBe(selection.files)
    expect(productionData[1]).toEqual({ key: "files", values: ["v", "u"] })
  })
})

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

  it("MUST take all of nothing as true and any of nothing as false", () => {
    expect([isShown({ all: [] }, {}), isShown({ any: [] }, {})]).toEqual([true, false])
  })

  it("MUST stand in their order: the last that holds decides", () => {
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

  it("MUST see hidden questions as unanswered, on and on", () => {
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

  it("MUST refuse a disabled answer and no other, whichever of the rules disables it", () => {
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

  it("MUST not mind disabled answers of hidden questions", () => {
    expect(problemsOf(definitionOf([one, { ...free, hidden: true }], [disableC]), { one: "b", many: ["c"] })).toEqual(
      [],
    )
  })

  it("MUST not add problems that follow from a value that is refused already", () => {
    const rule: Rule = { id: "r", when: { question: "one", answered: false }, show: ["late"] }
    const definition = definitionOf([one, { ...late, required: true }], [rule])
    for (const value of [["a"], "nope"])
      expect(problemsOf(definition, { one: value }).map(({ path }) => path)).toEqual(["one"])
  })
})

describe("summary and productionData", () => {
  it("MUST use orderKey, orderValue and productionKey, or title, title and id where they are left out", () => {
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
    const answers = variants.map((variantId, index) => answer(`${index}`, { variantId })) as [Answer, ...Array<Answer>]
    const selection = { many: answers.map(({ id }) => id) }
    const { price } = evaluated(definitionOf([{ ...questions.many, min: 0, max: 9, answers }]), selection)
    expect(price.lines.map(({ variantId }) => variantId)).toEqual(variants)
  })

  it("MUST keep a text as given and follow question order, and answers the definition's order", () => {
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

describe("the price", () => {
  const priced = (...prices: ReadonlyArray<number>): Definition =>
    definitionOf(prices.map((price, index) => ({ id: `t${index}`, step: "s", title: "", type: "text", price })))
  const chosen = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`t${index}`, { text: "x" }]))
  const priceOf = (prices: ReadonlyArray<number>, input: Partial<EvaluationInput>) => {
    const selection = Object.fromEntries(Object.entries(chosen).slice(0, prices.length))
    return run(priced(...prices), selection, input).pipe(Result.map(({ price }) => price))
  }

  it.each([
    [1_002, 5, -2, 1_000],
    [1_003, 5, 2, 1_005],
    [1_005, 10, 5, 1_010],
    [1_004, 10, -4, 1_000],
    [0, 100, 0, 0],
    [49, 100, -49, 0],
    [50, 100, 50, 100],
    [1, Number.MAX_SAFE_INTEGER, -1, 0],
    [2 ** 52 - 1, Number.MAX_SAFE_INTEGER, -(2 ** 52 - 1), 0],
    [2 ** 52, Number.MAX_SAFE_INTEGER, 2 ** 52 - 1, Number.MAX_SAFE_INTEGER],
  ])("MUST round %d in steps of %d by %d", (basePrice, roundingStep, rounding, total) => {
    expect(Result.getOrThrow(priceOf([], { basePrice, roundingStep }))).toEqual({
      base: basePrice,
      lines: [],
      rounding,
      total,
      currency: "EUR",
    })
  })

  it("MUST not fall below 0: rounding makes up for it", () => {
    expect(Result.getOrThrow(priceOf([-703], { basePrice: 300, roundingStep: 5 }))).toMatchObject({
      rounding: 403,
      total: 0,
    })
  })

  it("MUST never be -0", () => {
    const price = Result.getOrThrow(priceOf([-5], { basePrice: 5 }))
    expect(Object.values(price).filter((value) => Object.is(value, -0))).toEqual([])
    const zero = definitionOf([{ ...questions.one, answers: [answer("a", { price: -0, variantId: "v" })] }])
    expect(evaluated(zero, { one: "a" }, { basePrice: -0 }).price).toEqual({
      base: 0,
      lines: [{ q: "one", a: "a", amount: 0, variantId: "v" }],
      rounding: 0,
      total: 0,
      currency: "EUR",
    })
  })

  const most = Number.MAX_SAFE_INTEGER

  it("MUST be refused where the sum leaves ±(2^53 − 1), and only there", () => {
    expect(Result.getOrThrow(priceOf([1], { basePrice: most - 1 })).total).toBe(most)
    expect(Result.getOrThrow(priceOf([1, -1], { basePrice: most })).total).toBe(most)
    expect(Result.getOrThrow(priceOf([-most], { basePrice: 0 }))).toMatchObject({ rounding: most, total: 0 })
    for (const prices of [[1], [most], [most, most, -most], [1, 1, -1], [2]]) {
      expect(Result.getOrThrow(Result.flip(priceOf(prices, { basePrice: most }))).listed).toEqual([
        { path: "price", message: expect.stringContaining("2^53") },
      ])
    }
    expect(Result.isFailure(priceOf([-most, -1], { basePrice: 0 }))).toBe(true)
  })

  it("MUST be refused where rounding leaves ±(2^53 − 1)", () => {
    expect(Result.isFailure(priceOf([], { basePrice: most, roundingStep: 10 }))).toBe(false)
    expect(Result.isFailure(priceOf([], { basePrice: most - 1, roundingStep: 2 ** 52 + 1 }))).toBe(true)
  })

  it.each([-1, 0.5, Number.NaN, 2 ** 53])("MUST refuse a base price of %d", (basePrice) => {
    expect(problemsOf(everyDefinition, {}, { basePrice }).map(({ path }) => path)).toEqual(["basePrice"])
  })

  it.each([0, -5, 0.5, Number.NaN, 2 ** 53])("MUST refuse a rounding step of %d", (roundingStep) => {
    expect(problemsOf(everyDefinition, {}, { roundingStep }).map(({ path }) => path)).toEqual(["roundingStep"])
  })
})

describe("a compiled definition", () => {
  it("MUST name each view once, in the order of the steps", () => {
    const step = (view: string) => ({ id: view, title: "", view })
    const steps = [step("left"), step("__proto__"), step("left"), step("box"), step("__proto__")] as const
    expect(compile({ schemaVersion: 1, steps, questions: [], rules: [] }).views).toEqual(["left", "__proto__", "box"])
  })

  it("MUST say so where a definition was not checked", () => {
    expect(() => compile(definitionOf([], [{ id: "r", when: { question: "gone", answered: true } }]))).toThrow(
      "not checked",
    )
  })

  it("MUST take 10,000 questions that show one another, and a rule that shows them all", () => {
    const list = Array.from(
      { length: 10_000 },
      (_, index): Question => ({ ...questions.text, id: `q${index}`, hidden: index > 0 }),
    )
    const chain = list
      .slice(1)
      .map(({ id }, index): Rule => ({ id, when: { question: `q${index}`, answered: true }, show: [id] }))
    const selection = Object.fromEntries(list.map(({ id }) => [id, { text: "x" }]))
    expect(answeredIn(definitionOf(list, chain), selection)).toHaveLength(10_000)
    const all = { id: "all", when: { question: "q0", answered: false }, show: list.slice(1).map(({ id }) => id) }
    expect(answeredIn(definitionOf(list, [all]), selection)).toEqual(["q0"])
  })

  it("MUST take one question that 10,000 rules show and hide", () => {
    const rules = Array.from(
      { length: 10_000 },
      (_, index): Rule => ({
        id: `${index}`,
        when: { question: "one", is: "b" },
        [index % 2 === 0 ? "show" : "hide"]: ["late"],
      }),
    )
    const definition = definitionOf([questions.one, questions.late], rules)
    expect(answeredIn(definition, { one: "b", late: "x" })).toEqual(["one"])
  })
})

// ---------------------------------------------------------------------------------------------------------------------
// Generated definitions and selections
// ---------------------------------------------------------------------------------------------------------------------

/** Turns a list of numbers into choices; past its end every choice is the first, so that shrinking makes things simpler. */
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

const answerFrom = (tape: Tape, id: string): Answer => ({
  id,
  title: `T ${id}`,
  productionCode: tape.pick(["C1", "C2"]),
  ...(tape.chance(70) ? { price: tape.pick([0, 250, -300, 1_999, -4_000]) } : {}),
  ...(tape.chance(30) ? { variantId: tape.pick<string | number | null>(["v1", 7, null]) } : {}),
  ...(tape.chance(30) ? { orderValue: `O ${id}` } : {}),
})

const answersFrom = (tape: Tape): [Answer, ...Array<Answer>] => {
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
    // fromEntries makes __proto__ an own property, as JSON.parse does.
    selection: Object.fromEntries(tape.shuffled([...new Map<string, unknown>([...values, ...wrong, ...unknown])])),
    basePrice: tape.pick([0, 1_000, 12_345, 77]),
    roundingStep: tape.pick([1, 5, 10, 100, 7]),
  }
}

const number = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 })))
const cases = Arbitrary.map(Arbitrary.array(number, { minLength: 260, maxLength: 400 }), caseFrom)

/** The text of definition.md again, as plainly as possible and as slow as it may be: what `evaluate` must agree with. */
const byTheBook = ({ basePrice, definition, roundingStep, selection }: ReturnType<typeof caseFrom>) => {
  const visible = new Map<string, boolean>()
  const valueOf = (id: string): unknown => (Object.hasOwn(selection, id) ? selection[id] : undefined)
  const kindFits = (question: Question, value: unknown): boolean => {
    const good = (text: unknown) => typeof text === "string" && !/\0|\p{Surrogate}/u.test(text)
    if (question.type === "single") return good(value)
    if (question.type === "text")
      return typeof value === "object" && value !== null && good((value as { text?: unknown }).text)
    if (question.type === "upload" && (question.max ?? 1) === 1) return good(value)
    return Array.isArray(value) && value.every(good)
  }
  const chosenIn = (id: string): ReadonlyArray<unknown> => [valueOf(id)].flat()
  const answered = (id: string): boolean => {
    if (visible.get(id) !== true) return false
    const value = valueOf(id)
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return false
    const { text } = Object(value) as { text?: unknown }
    return typeof text !== "string" || text.trim() !== ""
  }
  const holds = (condition: Condition): boolean => {
    if ("is" in condition) return answered(condition.question) && chosenIn(condition.question).includes(condition.is)
    if ("answered" in condition) return answered(condition.question) === condition.answered
    if ("all" in condition) return condition.all.every(holds)
    if ("any" in condition) return condition.any.some(holds)
    return !holds(condition.not)
  }
  const wrong = new Set<string>()
  const lines: Array<PriceLine> = []
  const answeredIds: Array<string> = []
  for (const question of definition.questions) {
    const { answers = [], id, max = question.type === "upload" ? 1 : Number.POSITIVE_INFINITY, min = 0 } = question
    visible.set(id, question.hidden !== true)
    for (const rule of definition.rules) {
      if (rule.show?.includes(id) === true && holds(rule.when)) visible.set(id, true)
      if (rule.hide?.includes(id) === true && holds(rule.when)) visible.set(id, false)
    }
    const value = valueOf(id)
    if (value !== undefined && !kindFits(question, value)) wrong.add(id)
    if (visible.get(id) !== true) continue
    const { text } = Object(value) as { text?: unknown }
    if (typeof text === "string") {
      if ([...text].length > (question.maxLength ?? 255)) wrong.add(id)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this is about control characters.
      if (/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text)) wrong.add(id)
    }
    if (!answered(id)) {
      if (question.required === true) wrong.add(id)
      continue
    }
    answeredIds.push(id)
    const chosen = chosenIn(id)
    if (question.type === "multiple" || question.type === "upload") {
      if (chosen.length < min || chosen.length > max || new Set(chosen).size < chosen.length) wrong.add(id)
    }
    if (question.type === "text" || question.type === "upload") {
      if ((question.price ?? 0) !== 0)
        lines.push({ q: id, a: question.type, amount: question.price ?? 0, variantId: null })
      continue
    }
    if (!chosen.every((choice) => answers.some((candidate) => candidate.id === choice))) wrong.add(id)
    for (const candidate of answers.filter((candidate) => chosen.includes(candidate.id))) {
      const { price: amount = 0, variantId = null } = candidate
      if (amount !== 0 || variantId !== null) lines.push({ q: id, a: candidate.id, amount, variantId })
      const disables = (rule: Rule) =>
        rule.disable?.some(({ answers, question }) => question === id && answers.includes(candidate.id)) === true
      if (definition.rules.some((rule) => disables(rule) && holds(rule.when))) wrong.add(id)
    }
  }
  for (const id of Object.keys(selection)) if (!visible.has(id)) wrong.add(id)
  const sum = lines.reduce((total, { amount }) => total + amount, basePrice)
  const total = Math.max(0, Math.floor(sum / roundingStep + 0.5) * roundingStep)
  return { wrong, answered: answeredIds, visible, lines, total }
}

const evaluateCase = ({ basePrice, definition, roundingStep, selection }: ReturnType<typeof caseFrom>) =>
  run(definition, selection, { basePrice, roundingStep })

const runs = { arbitrary: { runs: 600 } }

describe("generated customizers", () => {
  it.effect("MUST reach what makes evaluation hard", () =>
    Effect.gen(function* () {
      const samples = yield* Arbitrary.sampleEffect(cases, { count: 500, seed: 2026, size: 30 })
      const count = (
        holds: (sample: (typeof samples)[number], expected: ReturnType<typeof byTheBook>) => boolean,
      ): number => samples.filter((sample) => holds(sample, byTheBook(sample))).length
      const passing = count((_, { wrong }) => wrong.size === 0)
      expect(passing).toBeGreaterThan(100)
      expect(samples.length - passing).toBeGreaterThan(100)
      const passes = (holds: Parameters<typeof count>[0]) =>
        count((sample, expected) => expected.wrong.size === 0 && holds(sample, expected))
      const typeOf = (sample: (typeof samples)[number], id: string) =>
        sample.definition.questions.find((question) => question.id === id)?.type
      for (const type of ["single", "multiple", "text", "upload"]) {
        expect(passes((sample, { answered }) => answered.some((id) => typeOf(sample, id) === type))).toBeGreaterThan(20)
      }
      expect(
        passes(({ definition }, { visible }) =>
          definition.questions.some(({ hidden, id }) => hidden === true && visible.get(id)),
        ),
      ).toBeGreaterThan(20)
      expect(
        passes(({ definition }, { visible }) =>
          definition.questions.some(({ hidden, id }) => hidden !== true && visible.get(id) === false),
        ),
      ).toBeGreaterThan(20)
      expect(
        passes(({ selection }, { visible }) => Object.keys(selection).some((id) => visible.get(id) === false)),
      ).toBeGreaterThan(20)
      expect(passes((_, { lines }) => lines.some(({ amount }) => amount < 0))).toBeGreaterThan(20)
      expect(
        passes(({ basePrice }, { lines, total }) => total === 0 && basePrice > 0 && lines.length > 0),
      ).toBeGreaterThan(5)
      const disabled = samples.filter((sample) =>
        Result.match(evaluateCase(sample), {
          onFailure: ({ listed }) => listed.some(({ message }) => message.includes("is disabled by")),
          onSuccess: () => false,
        }),
      )
      expect(disabled.length).toBeGreaterThan(10)
    }),
  )

  it.prop(
    "MUST be accepted by publishCheck",
    [cases],
    ([{ definition }]) => {
      expect(Result.getOrThrow(publishCheck(definition))).toBe(definition)
    },
    runs,
  )

  it.prop(
    "MUST evaluate as the text of the definition format says",
    [cases],
    ([sample]) => {
      const expected = byTheBook(sample)
      Result.match(evaluateCase(sample), {
        onFailure: ({ listed }) => expect(new Set(listed.map(({ path }) => path))).toEqual(expected.wrong),
        onSuccess: ({ price, productionData, summary }) => {
          expect([...expected.wrong]).toEqual([])
          const keyOf = (key: "orderKey" | "productionKey", other: "title" | "id") =>
            expected.answered.map((id) => {
              const question = sample.definition.questions.find((candidate) => candidate.id === id)
              return question?.[key] ?? question?.[other]
            })
          expect(summary.map(({ key }) => key)).toEqual(keyOf("orderKey", "title"))
          expect(productionData.map(({ key }) => key)).toEqual(keyOf("productionKey", "id"))
          expect(price.lines).toEqual(expected.lines)
          expect(price.total).toBe(expected.total)
        },
      })
    },
    runs,
  )

  it.prop(
    "MUST add up to a total that is 0 or more and a multiple of the step",
    [cases],
    ([sample]) => {
      if (Result.isFailure(evaluateCase(sample))) return
      const { base, lines, rounding, total } = Result.getOrThrow(evaluateCase(sample)).price
      expect(base).toBe(sample.basePrice)
      expect(total).toBe(lines.reduce((sum, { amount }) => sum + amount, base) + rounding)
      expect(total).toBeGreaterThanOrEqual(0)
      expect(total % sample.roundingStep).toBe(0)
    },
    runs,
  )

  it.prop(
    "MUST name the same questions in summary and productionData",
    [cases],
    ([sample]) => {
      if (Result.isFailure(evaluateCase(sample))) return
      const { productionData, summary } = Result.getOrThrow(evaluateCase(sample))
      const { definition } = sample
      const byOrderKey = summary.map(({ key }) =>
        definition.questions.findIndex(({ orderKey, title }) => (orderKey ?? title) === key),
      )
      const byProductionKey = productionData.map(({ key }) =>
        definition.questions.findIndex(({ id, productionKey }) => (productionKey ?? id) === key),
      )
      expect(byOrderKey).toEqual(byProductionKey)
      expect(byOrderKey).toEqual(byOrderKey.toSorted((one, other) => one - other))
      expect(byOrderKey).not.toContain(-1)
    },
    runs,
  )

  it.prop(
    "MUST not depend on the order of the selection's keys",
    [cases],
    ([sample]) => {
      const reversed = Object.fromEntries(Object.entries(sample.selection).toReversed())
      expect(JSON.stringify(evaluateCase({ ...sample, selection: reversed }))).toBe(
        JSON.stringify(evaluateCase(sample)),
      )
    },
    runs,
  )

  it.prop(
    "MUST not depend on the values of hidden questions",
    [cases],
    ([sample]) => {
      if (Result.isFailure(evaluateCase(sample))) return
      const { visible } = byTheBook(sample)
      const hidden = sample.definition.questions.filter(({ id }) => visible.get(id) !== true)
      const without = Object.fromEntries(Object.entries(sample.selection).filter(([id]) => visible.get(id) === true))
      const others = { single: "anything", multiple: ["x", "x"], text: { text: "\t" }, upload: "u" }
      const filled = [
        ...Object.entries(without),
        ...hidden.map(
          (question) =>
            [
              question.id,
              question.type === "upload" && question.max !== 1 ? ["u", "u"] : others[question.type],
            ] as const,
        ),
      ]
      expect(evaluateCase({ ...sample, selection: without })).toEqual(evaluateCase(sample))
      expect(evaluateCase({ ...sample, selection: Object.fromEntries(filled) })).toEqual(evaluateCase(sample))
    },
    runs,
  )

  it.prop(
    "MUST evaluate to the same again, with the same compiled definition",
    [cases],
    ([{ basePrice, definition, roundingStep, selection }]) => {
      const compiled = compile(definition)
      const input = { selection, basePrice, roundingStep, currency: "EUR" }
      const before = JSON.stringify([definition, input])
      const first = JSON.stringify(evaluate(compiled, input))
      evaluate(compiled, { ...input, selection: {} })
      expect(JSON.stringify(evaluate(compiled, input))).toBe(first)
      expect(JSON.stringify([definition, input])).toBe(before)
    },
    runs,
  )

  it.prop(
    "MUST answer any JSON as a selection",
    [cases, Arbitrary.schema(Schema.Json)],
    ([sample, json]) => {
      const compiled = compile(sample.definition)
      evaluate(compiled, { ...terms, selection: json })
      for (const { id } of sample.definition.questions)
        evaluate(compiled, { ...terms, selection: Object.fromEntries([[id, json]]) })
    },
    runs,
  )
})
