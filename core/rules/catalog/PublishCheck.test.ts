import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import {
  type Changes,
  changed,
  pathsOf,
  problemsOf,
  type Refusal,
  stepsOf,
} from "../../../conformance/testkit/definitions/Definitions.ts"
import { publishCheck } from "./PublishCheck.ts"

const wrongReferences: ReadonlyArray<Refusal> = [
  ["an id twice among the steps (F-18)", { "steps[2]": { id: "s0", title: "", view: "front" } }, "steps[2].id"],
  [
    "an id twice among the questions (F-18)",
    { "questions[4]": { id: "metal", step: "s0", title: "", type: "text" } },
    "questions[4].id",
  ],
  ["an id twice among the rules (F-18)", { "rules[1].id": "r0" }, "rules[1].id"],
  [
    "an id twice among the print areas of one step (F-18)",
    { "steps[0].printAreas[1]": { id: "p0", x: 0, y: 0, width: 1, height: 1 } },
    "steps[0].printAreas[1].id",
  ],
  [
    "an id twice among the print areas of two steps (F-18)",
    { "steps[1].printAreas": [{ id: "p0", x: 0, y: 0, width: 1, height: 1 }] },
    "steps[1].printAreas[0].id",
  ],
  [
    "an id twice among the answers of one question (F-18)",
    { "questions[1].answers[2]": { id: "ruby", title: "", productionCode: "" } },
    "questions[1].answers[2].id",
  ],
  [
    "a view that is named like the first view's thumbnail (D7, F-22)",
    {
      "steps[1].view": "front_thumb",
      "steps[2]": { id: "s2", title: "", view: "front_thumb" },
      questions: [],
      rules: [],
    },
    "steps[1].view",
    "steps[2].view",
  ],
  [
    "a first step without a view, as the only problem",
    { "steps[0].view": undefined, "steps[2]": { id: "s2", title: "", view: "undefined_thumb" } },
    "steps[0].view",
  ],
  ["a step that does not exist (F-19)", { "questions[0].step": "toString" }, "questions[0].step"],
  [
    "a print area that does not exist (F-9, F-19)",
    { "questions[2].printArea": "constructor" },
    "questions[2].printArea",
  ],
  [
    "a layer on a view that no step shows (F-12, F-19)",
    { "questions[0].answers[1].layers[0].view": "left" },
    "questions[0].answers[1].layers[0].view",
  ],
  ["a shown question that does not exist (F-19)", { "rules[0].show": ["line", "__proto__"] }, "rules[0].show[1]"],
  ["a hidden question that does not exist (F-19)", { "rules[1].hide": ["nope"] }, "rules[1].hide[0]"],
  [
    "a disabled question that does not exist (F-19)",
    { "rules[2].disable[0].question": "nope" },
    "rules[2].disable[0].question",
  ],
  [
    "a disabled answer that does not exist (F-19)",
    { "rules[2].disable[0].answers": ["opal", "silver"] },
    "rules[2].disable[0].answers[1]",
  ],
  [
    "a disabled answer of a question without answers",
    { "rules[2].disable[0].question": "line" },
    "rules[2].disable[0].answers[0]",
  ],
  [
    "a condition on a question that does not exist (F-19)",
    { "rules[0].when": { question: "constructor", answered: false } },
    "rules[0].when.question",
  ],
  ["a condition on an answer that does not exist (F-19)", { "rules[0].when.is": "toString" }, "rules[0].when.is"],
  [
    "a condition on an answer of another question",
    { "rules[1].when.all[1].not.any[0].is": "gold" },
    "rules[1].when.all[1].not.any[0].is",
  ],
  [
    "a condition on an answer of a text question",
    { "rules[1].when": { question: "line", is: "x" } },
    "rules[1].when.is",
  ],
  ["a rule that shows the question that it reads (F-20)", { "rules[0].show": ["metal"] }, "rules[0].when.question"],
  [
    "a rule that shows a question before the one it reads (F-20)",
    { "rules[0].when": { question: "line", answered: true }, "rules[0].show": ["photo", "stones"] },
    "rules[0].when.question",
  ],
  [
    "a rule that shows a question before the one it reads, and then one after it",
    { "rules[0].when": { question: "line", answered: true }, "rules[0].show": ["stones", "photo"] },
    "rules[0].when.question",
  ],
  [
    "a rule that hides a question before the one it reads (F-20)",
    { "rules[1].hide": ["photo", "metal"] },
    "rules[1].when.all[0].question",
    "rules[1].when.all[1].not.any[0].question",
  ],
  [
    "a rule that disables an answer before the one it reads (F-20)",
    { "rules[2].when": { question: "photo", answered: true } },
    "rules[2].when.question",
  ],
  [
    "a rule that reads a question deep inside that comes too late (F-20)",
    { "rules[1].when.all[1].not.any[0]": { question: "photo", answered: true } },
    "rules[1].when.all[1].not.any[0].question",
  ],
  ["a single question with no answers (F-5, F-21)", { "questions[0].answers": [], rules: [] }, "questions[0].answers"],
  [
    "a multiple question without answers (F-5, F-21)",
    { "questions[1].answers": undefined, rules: [] },
    "questions[1].answers",
  ],
  [
    "a text question with answers (F-5)",
    { "questions[2].answers": [{ id: "a", title: "", productionCode: "" }] },
    "questions[2].answers",
  ],
  [
    "an upload question with answers (F-5)",
    { "questions[3].answers": [{ id: "a", title: "", productionCode: "" }] },
    "questions[3].answers",
  ],
  [
    "a condition on an answer of an upload question",
    { "rules[1].when": { question: "photo", is: "x" }, "rules[1].hide": [] },
    "rules[1].when.is",
  ],
  [
    "a multiple question without answers, but not the rules that name its answers",
    { "questions[1].answers": undefined },
    "questions[1].answers",
  ],
  [
    "a layer on an empty view, only for its shape",
    { "questions[0].answers[1].layers[0].view": "" },
    "questions[0].answers[1].layers[0].view",
  ],
  ["min above max (F-21)", { "questions[1].min": 3 }, "questions[1].min"],
  ["min above max on an upload", { "questions[3].min": 3 }, "questions[3].min"],
  [
    "min above the max of 1 that an upload has when it names none",
    { "questions[3].min": 2, "questions[3].max": undefined },
    "questions[3].min",
  ],
  ["a rule that shows and hides the same question (F-21)", { "rules[0].hide": ["photo", "line"] }, "rules[0].hide[1]"],
  [
    "an invalid id, only for its shape, in a rule that shows and hides it",
    { "rules[0].show": ["line", 1], "rules[0].hide": [1] },
    "rules[0].show[1]",
    "rules[0].hide[0]",
  ],
  [
    "an invalid id, only for its shape, in a rule that disables it",
    { "rules[2].disable[0].answers": ["opal", 1] },
    "rules[2].disable[0].answers[1]",
  ],
]

const accepted: ReadonlyArray<readonly [title: string, changes: Changes]> = [
  ["one step and nothing else", { steps: [{ id: "s", title: "", view: "v" }], questions: [], rules: [] }],
  ["200 steps (D46)", { steps: stepsOf(200), questions: [], rules: [] }],
  [
    "a view that is named like the thumbnail of one that is not the first (D7)",
    { "steps[1].view": "back", "steps[2]": { id: "s2", title: "", view: "back_thumb" } },
  ],
  [
    "the same id for a step, a question, an answer, a print area and a rule",
    {
      "steps[2]": { id: "x", title: "", view: "front", printAreas: [{ id: "x", x: 0, y: 0, width: 0.1, height: 0.1 }] },
      "questions[4]": {
        id: "x",
        step: "x",
        title: "",
        type: "single",
        answers: [{ id: "x", title: "", productionCode: "" }],
      },
      "rules[3]": { id: "x", when: { all: [] } },
    },
  ],
  ["the same answer id in two questions", { "questions[1].answers[2]": { id: "gold", title: "", productionCode: "" } }],
  ["an empty list of answers on a text question", { "questions[2].answers": [] }],
  ["min equal to max", { "questions[1].min": 2 }],
  ["min equal to max on an upload", { "questions[3].min": 2 }],
  ["any min on a multiple question that names no max", { "questions[1].min": 2, "questions[1].max": undefined }],
  ["a rule that reads the question just before", { "rules[0].when": { question: "stones", answered: false } }],
  ["conditions without parts", { "rules[0].when": { any: [] } }],
  [
    "prices up to ±(2^53 − 1)",
    { "questions[0].answers[0].price": Number.MAX_SAFE_INTEGER, "questions[2].price": Number.MIN_SAFE_INTEGER },
  ],
  ["a variantId that is an integer (D44)", { "questions[0].answers[0].variantId": 44120001 }],
  ["a step that shows another step's view", { "steps[1].view": "front", "questions[0].answers[1].layers": [] }],
]

describe("publishCheck", () => {
  it("MUST accept the customizers of the vectors and return the same value", () => {
    const text = readFileSync(new URL("../../../conformance/suites/vectors/customizers.json", import.meta.url), "utf8")
    const customizers = JSON.parse(text) as ReadonlyArray<{ readonly definition: unknown }>
    expect(customizers).toHaveLength(3)
    for (const { definition } of customizers) {
      expect(Result.getOrThrow(publishCheck(definition))).toBe(definition)
    }
  })

  it.each(accepted)("MUST accept %s", (_, changes) => {
    expect(problemsOf(changed(changes))).toEqual([])
  })

  for (const [requirement, changes, ...paths] of wrongReferences) {
    it(`MUST refuse ${requirement}`, () => {
      expect(pathsOf(changed(changes))).toEqual(paths)
    })
  }

  it.each([null, undefined, 1, "{}", [], new Date(), new Map()])("MUST refuse %s instead of a definition", (input) => {
    expect(pathsOf(input)).toContain("")
  })

  it("MUST name the set in which ids must differ and the object that has the id", () => {
    const input = changed({ "questions[4]": { id: "metal", step: "s0", title: "", type: "text" }, "rules[1].id": "r0" })
    expect(problemsOf(input)).toEqual([
      {
        path: "questions[4].id",
        message: '"metal" is already the id of questions[0]; ids must differ among the questions',
      },
      { path: "rules[1].id", message: '"r0" is already the id of rules[0]; ids must differ among the rules' },
    ])
  })

  it("MUST describe problems in words that a developer can act on (F-16)", () => {
    const input = changed({
      "questions[1].answers[0].price": "12.50",
      "questions[1].min": 3,
      "rules[0].when": { question: "photo", answered: true },
    })
    expect(problemsOf(input)).toEqual([
      {
        path: "questions[1].answers[0].price",
        message: 'must be an integer number of cents within ±(2^53 - 1), not "12.50"',
      },
      { path: "questions[1].min", message: "is 3, more than max, which is 2" },
      {
        path: "rules[0].when.question",
        message:
          '"photo" does not come before "line", which this rule changes; a rule may only read questions before all those that it changes',
      },
    ])
  })

  const references: ReadonlyArray<readonly [changes: Changes, path: string, message: string]> = [
    [{ "questions[0].step": "x" }, "questions[0].step", 'names no step: there is none with id "x"'],
    [{ "questions[0].printArea": "x" }, "questions[0].printArea", 'names no print area: no step has one with id "x"'],
    [
      { "questions[0].answers[1].layers[0].view": "x" },
      "questions[0].answers[1].layers[0].view",
      'names no view: no step shows "x"',
    ],
    [{ "rules[0].show": ["x"] }, "rules[0].show[0]", 'names no question: there is none with id "x"'],
    [
      { "rules[0].when.is": "x" },
      "rules[0].when.is",
      'names no answer: question "metal" (questions[0]) has none with id "x"',
    ],
    [
      { "steps[1].printAreas": [{ id: "p0", x: 0, y: 0, width: 1, height: 1 }] },
      "steps[1].printAreas[0].id",
      '"p0" is already the id of steps[0].printAreas[0]; ids must differ among the print areas of all steps',
    ],
    [
      { "questions[1].answers[2]": { id: "ruby", title: "", productionCode: "" } },
      "questions[1].answers[2].id",
      '"ruby" is already the id of questions[1].answers[0]; ids must differ among the answers of a question',
    ],
    [
      { "questions[3].min": 2, "questions[3].max": undefined },
      "questions[3].min",
      "is 2, more than max, which is 1 when left out",
    ],
  ]

  for (const [changes, path, message] of references) {
    it(`MUST say plainly what is wrong: ${path} ${message}`, () => {
      expect(problemsOf(changed(changes))).toEqual([{ path, message }])
    })
  }

  it("MUST describe what a rule must not do", () => {
    const input = changed({ "rules[0].show": ["line", "metal"], "rules[0].hide": ["line"] })
    expect(problemsOf(input)).toEqual([
      { path: "rules[0].hide[0]", message: 'hides "line", which the same rule shows' },
      {
        path: "rules[0].when.question",
        message: '"metal" is changed by this rule; a rule may only read questions before all those that it changes',
      },
    ])
  })

  it("MUST report problems of shape and of references together (F-16)", () => {
    const input = changed({
      "steps[0].title": 5,
      "questions[0].step": "nope",
      "questions[1]": 7,
      "rules[0].show": ["gone"],
    })
    expect(pathsOf(input)).toEqual([
      "steps[0].title",
      "questions[1]",
      "questions[0].step",
      "rules[0].show[0]",
      "rules[1].when.all[1].not.any[0].question",
      "rules[2].disable[0].question",
    ])
  })

  it("MUST keep unknown keys anywhere, in their order", () => {
    const input = changed({
      note: { b: 1, a: [null, true, { deep: "x" }] },
      "questions[0].answers[0].zz": 1,
      "rules[0].when.why": "so",
    })
    const before = JSON.stringify(input)
    const published = Result.getOrThrow(publishCheck(input))
    expect(published).toBe(input)
    expect(JSON.stringify(published)).toBe(before)
  })

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("MUST treat %s as an id like any other", (id) => {
    const input = changed({
      "steps[2]": { id, title: "", view: id, printAreas: [{ id, x: 0, y: 0, width: 1, height: 1 }] },
      "questions[0].answers[2]": { id, title: "", productionCode: "", layers: [{ view: id, path: "" }] },
      "questions[4]": { id, step: id, title: "", type: "text", printArea: id },
      "rules[0].when.is": id,
      "rules[0].show": [id],
      "rules[0].id": id,
      [id]: { [id]: id },
    })
    expect(problemsOf(JSON.parse(JSON.stringify(input)))).toEqual([])
  })

  it("MUST NOT read inherited properties", () => {
    const steps = stepsOf(1)
    const inherited = Object.assign(Object.create({ schemaVersion: 1 }) as object, {
      steps,
      questions: [],
      rules: [],
    })
    expect(pathsOf(inherited)).toContain("")
    const prototype = Object.assign(Object.create(null) as object, { schemaVersion: 1 })
    const empty = { steps, questions: [], rules: [] }
    expect(pathsOf(Object.assign(Object.create(prototype) as object, empty))).toEqual(["schemaVersion"])
    const json = `{"__proto__":{"schemaVersion":1},"steps":${JSON.stringify(steps)},"questions":[],"rules":[]}`
    expect(pathsOf(JSON.parse(json))).toEqual(["schemaVersion"])
  })

  it("MUST refuse NUL and lone surrogates in any text, including unknown keys", () => {
    const input = changed({
      "steps[0].title": "a\0",
      "questions[0].answers[0].id": "\ud800",
      "questions[3].extra": { list: ["fine 🎉", "\udc00x"] },
      "rules[0].when.why": "\0",
      "odd\0key": 1,
      x: { "\ud83d": { y: "\0" } },
    })
    expect(pathsOf(input).toSorted()).toEqual(
      [
        "steps[0].title",
        "questions[0].answers[0].id",
        "questions[3].extra.list[1]",
        "rules[0].when.why",
        '["odd\\u0000key"]',
        'x["\\ud83d"]',
        'x["\\ud83d"].y',
      ].toSorted(),
    )
  })

  it("MUST refuse what JSON cannot say", () => {
    const input = changed({
      a: Number.NaN,
      b: [undefined],
      c: 1n,
      d: () => 1,
      e: Symbol("e"),
      f: new Date(0),
      g: Number.POSITIVE_INFINITY,
    })
    expect(pathsOf(input)).toEqual(["a", "b[0]", "c", "d", "e", "f", "g"])
  })
})
