import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import {
  answer,
  answeredIn,
  definitionOf,
  evaluated,
  every,
  everyDefinition,
  problemsOf,
  questions,
  run,
} from "../../../conformance/testkit/definitions/Evaluations.ts"
import type { Question } from "../../model/catalog/Definition.ts"

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
      "a list with an item that is not an id",
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
      "further keys of a text with values that can't be stored (D44)",
      { text: { text: "a", font: { names: ["b\0"] } } },
      'Question "text" ("Text") has an object that cannot be kept: font.names[0] holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept',
    ],
    [
      "NUL in an id",
      { one: "\0" },
      'Question "one" ("One") holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept',
    ],
    [
      "NUL in an id of a list",
      { many: ["a", "\0"] },
      'Question "many" ("Many") holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept',
    ],
    [
      "NUL in a text",
      { text: { text: "\0" } },
      'Question "text" ("Text") holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept',
    ],
    [
      "further keys of a text with more values than can be stored (D44)",
      { text: { text: "a", x: Array(1_000_000).fill(0) } },
      'Question "text" ("Text") has an object that cannot be kept: it must not hold more than 1000000 values',
    ],
    [
      "a list of uploads instead of one upload (F-27)",
      { file: ["u"] },
      'Question "file" ("File") must be an upload id, not a list',
    ],
    [
      "one upload instead of a list",
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

  it("MUST be described if it is not an object", () => {
    expect(problemsOf(everyDefinition, [])).toEqual([
      { path: "", message: "The selection must be an object of question ids, not an empty list" },
    ])
  })

  it("MUST be refused with ten of the question's answers and the number of the others", () => {
    const question = (count: number): Question => ({
      ...questions.one,
      answers: [answer("a0"), ...Array.from({ length: count - 1 }, (_, index) => answer(`a${index + 1}`))],
    })
    const told = (count: number) => problemsOf(definitionOf([question(count)]), { one: "x" })[0]?.message ?? ""
    const ten = '"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"'
    expect(told(10)).toMatch(new RegExp(`expected one of the answer ids ${ten}$`))
    expect(told(13)).toMatch(new RegExp(`expected one of the answer ids ${ten} and 3 more$`))
  })

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

  it("MUST cause one problem per mistake, and none that follows from it", () => {
    expect(problemsOf(definitionOf([questions.many]), { many: ["z", "z"] }).map(({ message }) => message)).toEqual([
      expect.stringContaining('names "z" more than once'),
      expect.stringContaining('has no answer "z"'),
    ])
    expect(message({ text: { text: "\t" } }, [{ ...questions.text, required: true }])).toEqual([
      expect.stringContaining("control characters"),
    ])
  })

  it("MUST list at most 100 of its problems, and count all of them (D46)", () => {
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

  it("MUST keep further keys alongside a text and use them for nothing (D44)", () => {
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
  ] as const)("MUST refuse further keys alongside a text that are %s, hidden or not (D44)", (_, make, message) => {
    for (const question of [questions.text, { ...questions.text, hidden: true }]) {
      expect(problemsOf(definitionOf([question]), { text: { text: "a", x: make() } })).toEqual([
        { path: "text", message: expect.stringContaining(message) },
      ])
    }
  })

  it("MUST NOT need hidden required questions", () => {
    expect(problemsOf(definitionOf([{ ...questions.one, required: true, hidden: true }]), {})).toEqual([])
  })

  it("MUST apply min and max only if the question is answered", () => {
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

  it("MUST bound a text at 255 code points if maxLength is left out (F-7)", () => {
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
  ])("MUST NOT hold %s in any value, hidden or not", (_, bad) => {
    const kinds = { one: bad, many: ["a", bad], text: { text: bad }, file: bad, files: ["u", bad], late: bad }
    const hidden = definitionOf(every.map((question) => ({ ...question, hidden: true })))
    for (const definition of [everyDefinition, hidden]) {
      expect(problemsOf(definition, kinds).map(({ path }) => path)).toEqual(Object.keys(kinds))
    }
    expect(problemsOf(everyDefinition, { [bad]: "x" })).toHaveLength(1)
  })

  it("MUST be checked only for its kind if the question is hidden", () => {
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

  it("MUST treat prototype keys as ids like any other", () => {
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

  it("MUST NOT be read through its prototype", () => {
    expect(answeredIn(everyDefinition, Object.assign(Object.create(null) as object, { one: "a" }))).toEqual(["one"])
    expect(problemsOf(everyDefinition, Object.create({ one: "a" }))).toHaveLength(1)
    const base = Object.assign(Object.create(null) as object, { one: "a", text: "x" })
    expect(answeredIn(everyDefinition, Object.create(base))).toEqual([])
    const text = Object.assign(Object.create(base) as object, { other: "y" })
    expect(problemsOf(everyDefinition, { text })).toHaveLength(1)
  })

  it("MUST NOT be changed", () => {
    const selection = { many: ["c", "a"], files: ["v", "u"] }
    const { productionData, summary } = evaluated(everyDefinition, selection)
    expect(selection).toEqual({ many: ["c", "a"], files: ["v", "u"] })
    expect(summary[1]?.value).not.toBe(selection.files)
    expect(productionData[1]).toEqual({ key: "files", values: ["v", "u"] })
  })
})
