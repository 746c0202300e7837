import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { Definition, MAX_CONDITION_DEPTH } from "../model/Definition.ts"
import type { Problem, Problems } from "../model/Problem.ts"
import { publishCheck } from "./PublishCheck.ts"

const base = () => ({
  schemaVersion: 1,
  steps: [
    { id: "s0", title: "Ring", view: "front", printAreas: [{ id: "p0", x: 0, y: 1.5, width: 10, height: 20 }] },
    { id: "s1", title: "Back", view: "back" },
  ],
  questions: [
    {
      id: "metal",
      step: "s0",
      title: "Metal",
      type: "single",
      required: true,
      answers: [
        { id: "silver", title: "Silver", productionCode: "AG" },
        {
          id: "gold",
          title: "Gold",
          orderValue: "14k",
          productionCode: "AU",
          price: -5,
          variantId: null,
          layers: [{ view: "back", path: "gold.png" }],
        },
      ],
    },
    {
      id: "stones",
      step: "s0",
      title: "Stones",
      type: "multiple",
      min: 1,
      max: 2,
      answers: [
        { id: "ruby", title: "Ruby", productionCode: "RB" },
        { id: "opal", title: "Opal", productionCode: "OP" },
      ],
    },
    { id: "line", step: "s1", title: "Line", type: "text", hidden: true, maxLength: 10, price: 100, printArea: "p0" },
    { id: "photo", step: "s1", title: "Photo", type: "upload", max: 2, orderKey: "Picture", productionKey: "IMG" },
  ],
  rules: [
    { id: "r0", when: { question: "metal", is: "gold" }, show: ["line"] },
    {
      id: "r1",
      when: { all: [{ question: "metal", answered: true }, { not: { any: [{ question: "stones", is: "ruby" }] } }] },
      hide: ["photo"],
    },
    { id: "r2", when: { question: "metal", is: "gold" }, disable: [{ question: "stones", answers: ["opal"] }] },
  ],
})

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

type Changes = Readonly<Record<string, unknown>>

/** The base with values put at paths such as `questions[0].id`; `undefined` takes the key away. */
const changed = (changes: Changes): unknown => {
  const definition: unknown = base()
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.match(/[^.[\]]+/g) ?? []
    const holder = keys.slice(0, -1).reduce<unknown>((at, key) => (isContainer(at) ? at[key] : undefined), definition)
    if (!isContainer(holder)) throw new Error(`nothing at ${path}`)
    const key = String(keys.at(-1))
    if (value === undefined) delete holder[key]
    else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return definition
}

const refusalOf = (input: unknown): Problems =>
  Result.match(publishCheck(input), { onFailure: (problems) => problems, onSuccess: () => ({ listed: [], total: 0 }) })

const problemsOf = (input: unknown): ReadonlyArray<Problem> => refusalOf(input).listed

const pathsOf = (input: unknown): ReadonlyArray<string> => problemsOf(input).map(({ path }) => path)

/** Each entry: the requirement, what is changed in the base, and where exactly problems must be named. */
type Refusal = readonly [string, Changes, ...paths: ReadonlyArray<string>]

const stepsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `s${index}`, title: "", view: "front" }))

const wrongShapes: ReadonlyArray<Refusal> = [
  ["another schemaVersion", { schemaVersion: 2 }, "schemaVersion"],
  ["a schemaVersion that is text", { schemaVersion: "1" }, "schemaVersion"],
  ["a missing schemaVersion", { schemaVersion: undefined }, "schemaVersion"],
  ["rules that are no list", { rules: {} }, "rules"],
  ["missing rules", { rules: undefined }, "rules"],
  ["no steps (D7)", { steps: [], questions: [], rules: [] }, "steps"],
  ["201 steps (D46)", { steps: stepsOf(201), questions: [], rules: [] }, "steps"],
  ["a step that is no object", { "steps[2]": "s2" }, "steps[2]"],
  ["an empty step id", { "steps[2]": { id: "", title: "", view: "front" } }, "steps[2].id"],
  ["a step without title", { "steps[0].title": undefined }, "steps[0].title"],
  ["a step without view", { "steps[0].view": undefined }, "steps[0].view"],
  ["an empty view name", { "steps[0].view": "" }, "steps[0].view"],
  ["print areas that are no list", { "steps[1].printAreas": {} }, "steps[1].printAreas"],
  ["a print area that is no object", { "steps[0].printAreas[1]": null }, "steps[0].printAreas[1]"],
  ["a print area left of the view", { "steps[0].printAreas[0].x": -1 }, "steps[0].printAreas[0].x"],
  ["a print area above the view", { "steps[0].printAreas[0].y": -0.5 }, "steps[0].printAreas[0].y"],
  ["a print area without width", { "steps[0].printAreas[0].width": 0 }, "steps[0].printAreas[0].width"],
  ["a print area without height", { "steps[0].printAreas[0].height": 0 }, "steps[0].printAreas[0].height"],
  ["a print area with a size in text", { "steps[0].printAreas[0].width": "9" }, "steps[0].printAreas[0].width"],
  ["a question that is a list", { "questions[4]": [] }, "questions[4]"],
  ["a question without id", { "questions[4]": { step: "s0", title: "", type: "text" } }, "questions[4].id"],
  ["an id that is a number", { "questions[4]": { id: 5, step: "s0", title: "", type: "text" } }, "questions[4].id"],
  ["a question without step", { "questions[0].step": undefined }, "questions[0].step"],
  ["a question without title", { "questions[0].title": undefined }, "questions[0].title"],
  ["an unknown question type", { "questions[0].type": "toString" }, "questions[0].type"],
  ["a missing question type", { "questions[3].type": undefined }, "questions[3].type"],
  ["hidden that is no boolean", { "questions[0].hidden": "yes" }, "questions[0].hidden"],
  ["required that is no boolean", { "questions[0].required": 1 }, "questions[0].required"],
  ["an orderKey that is no string", { "questions[0].orderKey": 1 }, "questions[0].orderKey"],
  ["a productionKey that is no string", { "questions[0].productionKey": null }, "questions[0].productionKey"],
  ["a printArea that is no string", { "questions[0].printArea": 1 }, "questions[0].printArea"],
  ["min on a single question", { "questions[0].min": 1 }, "questions[0].min"],
  ["max on a text question", { "questions[2].max": 1 }, "questions[2].max"],
  ["maxLength on an upload question", { "questions[3].maxLength": 9 }, "questions[3].maxLength"],
  ["a price on a multiple question", { "questions[1].price": 9 }, "questions[1].price"],
  ["a negative min", { "questions[1].min": -1 }, "questions[1].min"],
  ["a min that is no integer", { "questions[1].min": 0.5 }, "questions[1].min"],
  ["a max of 0", { "questions[1].min": 0, "questions[1].max": 0 }, "questions[1].max"],
  ["a max beyond 2^53", { "questions[1].max": 2 ** 53 }, "questions[1].max"],
  ["a min beyond 2^53", { "questions[1].min": 2 ** 53, "questions[1].max": undefined }, "questions[1].min"],
  ["a max beyond 2^53 on an upload", { "questions[3].max": 1e300 }, "questions[3].max"],
  ["a maxLength of 0", { "questions[2].maxLength": 0 }, "questions[2].maxLength"],
  ["a maxLength beyond 2^53", { "questions[2].maxLength": 2 ** 53 }, "questions[2].maxLength"],
  ["a text's price with a fraction", { "questions[2].price": 0.5 }, "questions[2].price"],
  ["a text's price beyond 2^53", { "questions[2].price": 2 ** 53 }, "questions[2].price"],
  ["an upload's price beyond −2^53", { "questions[3].price": -(2 ** 53) }, "questions[3].price"],
  ["an answer that is no object", { "questions[0].answers[2]": "brass" }, "questions[0].answers[2]"],
  [
    "an answer without id",
    { "questions[1].answers[2]": { title: "", productionCode: "" } },
    "questions[1].answers[2].id",
  ],
  ["an answer without title", { "questions[0].answers[0].title": undefined }, "questions[0].answers[0].title"],
  [
    "an answer without productionCode",
    { "questions[0].answers[0].productionCode": undefined },
    "questions[0].answers[0].productionCode",
  ],
  [
    "an orderValue that is no string",
    { "questions[0].answers[0].orderValue": 1 },
    "questions[0].answers[0].orderValue",
  ],
  ["a price with a fraction", { "questions[0].answers[0].price": 1.5 }, "questions[0].answers[0].price"],
  ["a price in text", { "questions[0].answers[0].price": "100" }, "questions[0].answers[0].price"],
  ["a price of null", { "questions[0].answers[0].price": null }, "questions[0].answers[0].price"],
  ["a price beyond 2^53", { "questions[0].answers[0].price": 2 ** 53 }, "questions[0].answers[0].price"],
  ["a variantId with a fraction", { "questions[0].answers[0].variantId": 0.5 }, "questions[0].answers[0].variantId"],
  ["a variantId beyond 2^53", { "questions[0].answers[0].variantId": 2 ** 53 }, "questions[0].answers[0].variantId"],
  ["a variantId of true", { "questions[0].answers[0].variantId": true }, "questions[0].answers[0].variantId"],
  ["layers that are no list", { "questions[0].answers[0].layers": "a.png" }, "questions[0].answers[0].layers"],
  [
    "a layer without view",
    { "questions[0].answers[1].layers[0].view": undefined },
    "questions[0].answers[1].layers[0].view",
  ],
  [
    "a layer without path",
    { "questions[0].answers[1].layers[0].path": undefined },
    "questions[0].answers[1].layers[0].path",
  ],
  ["a rule that is no object", { "rules[3]": 1 }, "rules[3]"],
  ["a rule without id", { "rules[0].id": undefined }, "rules[0].id"],
  ["a rule without condition", { "rules[0].when": undefined }, "rules[0].when"],
  ["a condition that is a list", { "rules[0].when": [] }, "rules[0].when"],
  ["show that is no list", { "rules[0].show": "line" }, "rules[0].show"],
  ["show with something that is no id", { "rules[0].show": ["line", 1] }, "rules[0].show[1]"],
  ["hide that is no list", { "rules[1].hide": {} }, "rules[1].hide"],
  ["disable that is no list", { "rules[2].disable": {} }, "rules[2].disable"],
  ["disable with something that is no object", { "rules[2].disable[1]": "x" }, "rules[2].disable[1]"],
  ["disable without question", { "rules[2].disable[0].question": undefined }, "rules[2].disable[0].question"],
  ["disable without answers", { "rules[2].disable[0].answers": undefined }, "rules[2].disable[0].answers"],
  ["an empty condition", { "rules[0].when": {} }, "rules[0].when"],
  ["a condition with a question alone", { "rules[0].when": { question: "metal" } }, "rules[0].when"],
  ["a condition without question", { "rules[0].when": { is: "gold" } }, "rules[0].when"],
  ["a condition of two forms", { "rules[0].when.answered": true }, "rules[0].when"],
  ["all beside any", { "rules[0].when": { all: [], any: [] } }, "rules[0].when"],
  ["answered that is no boolean", { "rules[0].when": { question: "metal", answered: 1 } }, "rules[0].when.answered"],
  ["is that is no string", { "rules[0].when": { question: "metal", is: ["gold"] } }, "rules[0].when.is"],
  ["all that is no list", { "rules[0].when": { all: {} } }, "rules[0].when.all"],
  ["any with something that is no condition", { "rules[0].when": { any: [1] } }, "rules[0].when.any[0]"],
  ["not that is no condition", { "rules[0].when": { not: [] } }, "rules[0].when.not"],
]

const wrongReferences: ReadonlyArray<Refusal> = [
  ["an id twice among the steps", { "steps[2]": { id: "s0", title: "", view: "front" } }, "steps[2].id"],
  [
    "an id twice among the questions",
    { "questions[4]": { id: "metal", step: "s0", title: "", type: "text" } },
    "questions[4].id",
  ],
  ["an id twice among the rules", { "rules[1].id": "r0" }, "rules[1].id"],
  [
    "an id twice among the print areas of one step",
    { "steps[0].printAreas[1]": { id: "p0", x: 0, y: 0, width: 1, height: 1 } },
    "steps[0].printAreas[1].id",
  ],
  [
    "an id twice among the print areas of two steps",
    { "steps[1].printAreas": [{ id: "p0", x: 0, y: 0, width: 1, height: 1 }] },
    "steps[1].printAreas[0].id",
  ],
  [
    "an id twice among the answers of one question",
    { "questions[1].answers[2]": { id: "ruby", title: "", productionCode: "" } },
    "questions[1].answers[2].id",
  ],
  [
    "a view that is named like the first view's thumbnail (D7)",
    {
      "steps[1].view": "front_thumb",
      "steps[2]": { id: "s2", title: "", view: "front_thumb" },
      questions: [],
      rules: [],
    },
    "steps[1].view",
    "steps[2].view",
  ],
  ["a step that does not exist", { "questions[0].step": "toString" }, "questions[0].step"],
  ["a print area that does not exist", { "questions[2].printArea": "constructor" }, "questions[2].printArea"],
  [
    "a layer on a view that no step shows",
    { "questions[0].answers[1].layers[0].view": "left" },
    "questions[0].answers[1].layers[0].view",
  ],
  ["a shown question that does not exist", { "rules[0].show": ["line", "__proto__"] }, "rules[0].show[1]"],
  ["a hidden question that does not exist", { "rules[1].hide": ["nope"] }, "rules[1].hide[0]"],
  [
    "a disabled question that does not exist",
    { "rules[2].disable[0].question": "nope" },
    "rules[2].disable[0].question",
  ],
  [
    "a disabled answer that does not exist",
    { "rules[2].disable[0].answers": ["opal", "silver"] },
    "rules[2].disable[0].answers[1]",
  ],
  [
    "a disabled answer of a question without answers",
    { "rules[2].disable[0].question": "line" },
    "rules[2].disable[0].answers[0]",
  ],
  [
    "a condition on a question that does not exist",
    { "rules[0].when": { question: "constructor", answered: false } },
    "rules[0].when.question",
  ],
  ["a condition on an answer that does not exist", { "rules[0].when.is": "toString" }, "rules[0].when.is"],
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
  ["a rule that shows the question that it reads", { "rules[0].show": ["metal"] }, "rules[0].when.question"],
  [
    "a rule that shows a question before the one it reads",
    { "rules[0].when": { question: "line", answered: true }, "rules[0].show": ["photo", "stones"] },
    "rules[0].when.question",
  ],
  [
    "a rule that hides a question before the one it reads",
    { "rules[1].hide": ["photo", "metal"] },
    "rules[1].when.all[0].question",
    "rules[1].when.all[1].not.any[0].question",
  ],
  [
    "a rule that disables an answer before the one it reads",
    { "rules[2].when": { question: "photo", answered: true } },
    "rules[2].when.question",
  ],
  [
    "a rule that reads a question deep inside that comes too late",
    { "rules[1].when.all[1].not.any[0]": { question: "photo", answered: true } },
    "rules[1].when.all[1].not.any[0].question",
  ],
  ["a single question with no answers", { "questions[0].answers": [], rules: [] }, "questions[0].answers"],
  ["a multiple question without answers", { "questions[1].answers": undefined, rules: [] }, "questions[1].answers"],
  [
    "a text question with answers",
    { "questions[2].answers": [{ id: "a", title: "", productionCode: "" }] },
    "questions[2].answers",
  ],
  [
    "an upload question with answers",
    { "questions[3].answers": [{ id: "a", title: "", productionCode: "" }] },
    "questions[3].answers",
  ],
  ["min above max", { "questions[1].min": 3 }, "questions[1].min"],
  ["min above max on an upload", { "questions[3].min": 3 }, "questions[3].min"],
  [
    "min above the max of 1 that an upload has when it names none",
    { "questions[3].min": 2, "questions[3].max": undefined },
    "questions[3].min",
  ],
  ["a rule that shows and hides the same question", { "rules[0].hide": ["photo", "line"] }, "rules[0].hide[1]"],
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
    const text = readFileSync(new URL("../../conformance/vectors/customizers.json", import.meta.url), "utf8")
    const customizers = JSON.parse(text) as ReadonlyArray<{ readonly definition: unknown }>
    expect(customizers).toHaveLength(3)
    for (const { definition } of customizers) {
      expect(Result.getOrThrow(publishCheck(definition))).toBe(definition)
    }
  })

  it.each(accepted)("MUST accept %s", (_, changes) => {
    expect(problemsOf(changed(changes))).toEqual([])
  })

  for (const [requirement, changes, ...paths] of [...wrongShapes, ...wrongReferences]) {
    it(`MUST refuse ${requirement}`, () => {
      expect(pathsOf(changed(changes))).toEqual(paths)
    })
  }

  it.each([null, undefined, 1, "{}", [], new Date(), new Map()])("MUST refuse %s instead of a definition", (input) => {
    expect(pathsOf(input)).toContain("")
  })

  it("MUST name what is wrong in words that a developer can act on", () => {
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

  const messages: ReadonlyArray<readonly [changes: Changes, path: string, message: string]> = [
    [{ rules: undefined }, "rules", "is missing; it must be a list"],
    [{ rules: {} }, "rules", "must be a list, not an object"],
    [{ steps: [], questions: [], rules: [] }, "steps", "must be a list of 1 to 200 steps, not an empty list"],
    [{ steps: stepsOf(201), questions: [], rules: [] }, "steps", "must be a list of 1 to 200 steps, not one of 201"],
    [
      { "steps[2]": { id: "s2", title: "", view: "front_thumb" } },
      "steps[2].view",
      'must not be "front_thumb": that is the name of the thumbnail of the first view, "front"',
    ],
    [{ schemaVersion: 2 }, "schemaVersion", "must be 1, not 2"],
    [{ "steps[2]": "s2" }, "steps[2]", 'must be a step, not "s2"'],
    [{ "steps[0].view": "" }, "steps[0].view", "must be a non-empty string, not an empty string"],
    [{ "questions[4]": [] }, "questions[4]", "must be a question, not an empty list"],
    [
      { "questions[0].type": "choice" },
      "questions[0].type",
      'must be "single", "multiple", "text" or "upload", not "choice"',
    ],
    [
      { "questions[0].type": undefined },
      "questions[0].type",
      'is missing; it must be "single", "multiple", "text" or "upload"',
    ],
    [{ "questions[0].required": 1 }, "questions[0].required", "must be true or false, not 1"],
    [{ "questions[0].min": 1 }, "questions[0].min", "must be left out: only multiple and upload questions have it"],
    [
      { "questions[1].price": 9 },
      "questions[1].price",
      "must be left out: only answers, and questions of type text and upload, have it",
    ],
    [
      { "questions[2].answers": [{ id: "a", title: "", productionCode: "" }] },
      "questions[2].answers",
      "must be left out: only single and multiple questions have answers",
    ],
    [
      { "questions[0].answers": [], rules: [] },
      "questions[0].answers",
      "must be a list of at least one answer, not an empty list",
    ],
    [{ "rules[0].show": ["line", 1] }, "rules[0].show[1]", "must be a string, not 1"],
    [{ "rules[0].when": undefined }, "rules[0].when", "is missing; it must be a condition"],
    [{ "rules[0].when": { any: [1] } }, "rules[0].when.any[0]", "must be a condition, not 1"],
    [
      { "rules[0].when.answered": true },
      "rules[0].when",
      "must have exactly question and is, question and answered, all, any or not; it has question and is and answered",
    ],
    [
      { "rules[0].when": {} },
      "rules[0].when",
      "must have exactly question and is, question and answered, all, any or not; it has none of them",
    ],
  ]

  for (const [changes, path, message] of messages) {
    it(`MUST say plainly what is wrong: ${path} ${message}`, () => {
      expect(problemsOf(changed(changes))).toEqual([{ path, message }])
    })
  }

  it("MUST check what all questions have where the type is unknown", () => {
    expect(pathsOf(changed({ "questions[4]": { id: "", step: "s0", type: "choice", hidden: 1, max: "x" } }))).toEqual([
      "questions[4].id",
      "questions[4].title",
      "questions[4].hidden",
      "questions[4].type",
    ])
  })

  it("MUST report problems of shape and of references in one go", () => {
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

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("MUST take %s for an id like any other", (id) => {
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

  it("MUST not read inherited properties", () => {
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

  it("MUST refuse NUL and lone surrogates in any text, in keys that we don't know too", () => {
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

describe("publishCheck under hostile input", () => {
  const nested = (depth: number): unknown => {
    let condition: unknown = { question: "metal", is: "gold" }
    for (let level = 1; level < depth; level++) condition = level % 2 === 0 ? { not: condition } : { all: [condition] }
    return changed({ "rules[0].when": condition })
  }

  it("MUST accept conditions that are nested as deep as documented, and refuse the next level", () => {
    expect(problemsOf(nested(MAX_CONDITION_DEPTH))).toEqual([])
    const [problem, ...others] = problemsOf(nested(MAX_CONDITION_DEPTH + 1))
    expect(others).toEqual([])
    expect(problem?.path).toMatch(/^rules\[0\]\.when\.(not|all)/)
    expect(problem?.message).toContain(`at most ${MAX_CONDITION_DEPTH} levels`)
  })

  it.each([1_000, 100_000])("MUST refuse conditions that are nested %d deep without overflowing", (depth) => {
    const problems = problemsOf(nested(depth))
    expect(problems.map(({ message }) => message)).toEqual(["is nested more than 100 levels deep"])
  })

  it("MUST refuse unknown keys that are nested 100,000 deep", () => {
    const input: unknown = JSON.parse(
      `{"schemaVersion":1,"steps":[],"questions":[],"rules":[],"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    )
    expect(pathsOf(input)).toEqual([`x${"[0]".repeat(99)}`])
  })

  it("MUST accept 10,000 questions with ids of one rule each", () => {
    const questions = Array.from({ length: 10_000 }, (_, index) => ({
      id: `q${index}`,
      step: "s0",
      title: "",
      type: "text",
    }))
    const rules = questions
      .slice(1)
      .map(({ id }, index) => ({ id, when: { question: `q${index}`, answered: true }, show: [id] }))
    expect(problemsOf(changed({ questions, rules }))).toEqual([])
  })

  it("MUST list 100 problems of 10,000 wrong questions and count them all (D46)", () => {
    const questions = Array.from({ length: 10_000 }, () => ({ id: "same", step: "gone", title: "", type: "text" }))
    const { listed, total } = refusalOf(changed({ questions, rules: [] }))
    expect([listed.length, total]).toEqual([100, 19_999])
    expect(listed[0]?.path).toBe("questions[0].step")
  })

  it("MUST stay linear where every condition of a rule comes after every question that it changes", () => {
    const size = 5_000
    const questions = Array.from({ length: 2 }, (_, index) => ({
      id: `q${index}`,
      step: "s0",
      title: "",
      type: "text",
    }))
    const when = { all: Array.from({ length: size }, () => ({ question: "q1", answered: true })) }
    const show = Array.from({ length: size }, () => "q0")
    expect(refusalOf(changed({ questions, rules: [{ id: "r", when, show }] })).total).toBe(size)
  })

  it("MUST bound what it answers to a small input with long keys and many problems (D46)", () => {
    const path = `${'{"'}${"k".repeat(1_000)}":`.repeat(98)
    const input: unknown = JSON.parse(`${path}[${Array(60_000).fill('"\\u0000"').join()}]${"}".repeat(98)}`)
    const { listed, total } = refusalOf(input)
    expect(JSON.stringify(listed).length).toBeLessThan(150_000)
    expect([listed.length, total]).toEqual([100, 60_004])
  })

  it("MUST end on cyclic objects and on objects that hold one another many times", () => {
    const cycle: Record<string, unknown> = {}
    cycle["one"] = cycle
    cycle["other"] = cycle
    expect(problemsOf(changed({ cycle }))).toEqual([
      { path: `cycle${".one".repeat(99)}`, message: "is nested more than 100 levels deep" },
    ])
    let shared: unknown = { question: "metal", is: "gold" }
    for (let level = 0; level < 30; level++) shared = { all: [shared, shared] }
    expect(problemsOf(changed({ "rules[0].when": shared }))).toEqual([
      { path: "", message: "must not hold more than 1000000 values" },
    ])
  })

  it.each([
    ["as many questions as fit", (index: number) => ({ id: `${index}`, step: "s0", title: "", type: "text" })],
    [
      "questions with answers and layers",
      (index: number) => ({
        id: `${index}`,
        step: "s0",
        title: "Question",
        type: "single",
        answers: Array.from({ length: 9 }, (_, answer) => ({
          id: `${answer}`,
          title: "Answer",
          productionCode: "C",
          layers: [{ view: "front", path: "p.png" }],
        })),
      }),
    ],
  ] as const)("MUST take 512 KiB of %s", (_, questionOf) => {
    const questions: Array<unknown> = []
    for (let size = 0; size < 500_000; size += JSON.stringify(questions.at(-1)).length + 1)
      questions.push(questionOf(questions.length))
    const text = JSON.stringify(changed({ questions, rules: [] }))
    expect(text.length).toBeGreaterThan(480 * 1024)
    expect(Result.isSuccess(publishCheck(JSON.parse(text)))).toBe(true)
  })
})

describe("the Schema of a definition", () => {
  const byte = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9_999 })))
  const junk: ReadonlyArray<unknown> = [
    null,
    0,
    1,
    -1,
    2,
    0.5,
    2 ** 53,
    "",
    "x",
    "gold",
    "single",
    "text",
    "upload",
    true,
    [],
    {},
    [{}],
    ["line"],
    undefined,
  ]

  const pathsIn = (value: unknown, path = ""): ReadonlyArray<string> => {
    if (!isContainer(value)) return [path]
    const below = Object.entries(value).flatMap(([key, child]) => pathsIn(child, `${path}.${key}`))
    return path === "" ? below : [path, ...below]
  }
  const optionalKeys = [
    "min",
    "max",
    "maxLength",
    "price",
    "answers",
    "hidden",
    "layers",
    "printAreas",
    "show",
    "disable",
    "is",
    "all",
  ]
  const everyPath = pathsIn(base())
  const objects = everyPath.filter((path) => everyPath.some((other) => other.startsWith(`${path}.`)))
  const places = [...everyPath, ...objects.flatMap((path) => optionalKeys.map((key) => `${path}.${key}`))]

  const ofReferences = /^names no|already the id|more than max|^hides|come before|changed by|thumbnail/

  it.prop(
    "MUST agree with publishCheck about the shape, whatever one or two places hold",
    [Arbitrary.array(byte, { minLength: 4, maxLength: 4 })],
    ([tape]) => {
      const [place = 0, value = 0, secondPlace = 0, secondValue = 0] = tape
      const input = changed({ [places[place % places.length] ?? ""]: structuredClone(junk[value % junk.length]) })
      const second = places[secondPlace % places.length] ?? ""
      const keys = second.match(/[^.]+/g) ?? []
      const holder = keys.slice(0, -1).reduce<unknown>((at, key) => (isContainer(at) ? at[key] : undefined), input)
      if (isContainer(holder) && !Array.isArray(holder) && secondValue % 2 === 0)
        holder[String(keys.at(-1))] = structuredClone(junk[secondValue % junk.length]) ?? 0
      const problems = problemsOf(input)
      if (problems.length === 0) expect(Schema.is(Definition)(input)).toBe(true)
      if (Schema.is(Definition)(input))
        expect(problems.filter(({ message }) => !ofReferences.test(message))).toEqual([])
      else expect(problems).not.toEqual([])
    },
    { arbitrary: { runs: 2_000 } },
  )

  it.prop("MUST leave publishCheck an answer to any JSON", [Arbitrary.schema(Schema.Json)], ([input]) => {
    expect(problemsOf(input)).not.toEqual([])
    expect(problemsOf(changed({ questions: input, "rules[0].when": input, "steps[1]": input }))).not.toEqual([])
  })

  it("MUST have a JSON Schema, for documentation", () => {
    const { definitions } = Schema.toJsonSchemaDocument(Definition)
    expect(Object.keys(definitions)).toContain("Condition")
  })
})
