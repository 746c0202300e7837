import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import {
  base,
  type Changes,
  changed,
  isContainer,
  pathsOf,
  problemsOf,
  type Refusal,
  stepsOf,
} from "../../../conformance/testkit/definitions/Definitions.ts"
import { Definition } from "../../model/catalog/Definition.ts"
import { ProblemReport } from "../../model/Problem.ts"
import { shapeCheck } from "./ShapeCheck.ts"

const wrongShapes: ReadonlyArray<Refusal> = [
  ["another schemaVersion (§9-3, F-1)", { schemaVersion: 2 }, "schemaVersion"],
  ["a schemaVersion that is text (§9-3)", { schemaVersion: "1" }, "schemaVersion"],
  ["a missing schemaVersion (§2.3-8, §9-3)", { schemaVersion: undefined }, "schemaVersion"],
  ["rules that are not a list (§2.3-8, F-1)", { rules: {} }, "rules"],
  ["missing rules (§2.3-8, F-1, F-17)", { rules: undefined }, "rules"],
  ["no steps (D7, F-22)", { steps: [], questions: [], rules: [] }, "steps"],
  ["201 steps (D46)", { steps: stepsOf(201), questions: [], rules: [] }, "steps"],
  ["a step that is not an object (F-2)", { "steps[2]": "s2" }, "steps[2]"],
  ["an empty step id (F-2)", { "steps[2]": { id: "", title: "", view: "front" } }, "steps[2].id"],
  ["a step without title (F-2)", { "steps[0].title": undefined }, "steps[0].title"],
  ["a step without view (§2.3-9, F-2)", { "steps[0].view": undefined }, "steps[0].view"],
  ["an empty view name", { "steps[0].view": "" }, "steps[0].view"],
  ["print areas that are not a list (F-2)", { "steps[1].printAreas": {} }, "steps[1].printAreas"],
  ["a print area that is not an object", { "steps[0].printAreas[1]": null }, "steps[0].printAreas[1]"],
  ["a print area left of the view (F-3)", { "steps[0].printAreas[0].x": -1 }, "steps[0].printAreas[0].x"],
  ["a print area above the view (F-3)", { "steps[0].printAreas[0].y": -0.5 }, "steps[0].printAreas[0].y"],
  ["a print area without width (F-3)", { "steps[0].printAreas[0].width": 0 }, "steps[0].printAreas[0].width"],
  ["a print area without height (F-3)", { "steps[0].printAreas[0].height": 0 }, "steps[0].printAreas[0].height"],
  ["a print area with a size in text (F-3)", { "steps[0].printAreas[0].width": "9" }, "steps[0].printAreas[0].width"],
  ["a question that is a list", { "questions[4]": [] }, "questions[4]"],
  ["a question without id (F-4)", { "questions[4]": { step: "s0", title: "", type: "text" } }, "questions[4].id"],
  ["an id that is a number", { "questions[4]": { id: 5, step: "s0", title: "", type: "text" } }, "questions[4].id"],
  ["a question without step (F-4)", { "questions[0].step": undefined }, "questions[0].step"],
  ["a question without title (§2.3-9, F-4)", { "questions[0].title": undefined }, "questions[0].title"],
  ["an unknown question type (F-4)", { "questions[0].type": "toString" }, "questions[0].type"],
  ["a missing question type", { "questions[3].type": undefined }, "questions[3].type"],
  ["hidden that is not a boolean (F-4)", { "questions[0].hidden": "yes" }, "questions[0].hidden"],
  ["required that is not a boolean (F-4)", { "questions[0].required": 1 }, "questions[0].required"],
  ["an orderKey that is not a string (F-4)", { "questions[0].orderKey": 1 }, "questions[0].orderKey"],
  ["a productionKey that is not a string (F-4)", { "questions[0].productionKey": null }, "questions[0].productionKey"],
  ["a printArea that is not a string (F-9)", { "questions[0].printArea": 1 }, "questions[0].printArea"],
  ["min on a single question", { "questions[0].min": 1 }, "questions[0].min"],
  ["max on a text question", { "questions[2].max": 1 }, "questions[2].max"],
  ["maxLength on an upload question", { "questions[3].maxLength": 9 }, "questions[3].maxLength"],
  ["a price on a multiple question", { "questions[1].price": 9 }, "questions[1].price"],
  ["a negative min", { "questions[1].min": -1 }, "questions[1].min"],
  ["a min that is not an integer", { "questions[1].min": 0.5 }, "questions[1].min"],
  ["a max of 0", { "questions[1].min": 0, "questions[1].max": 0 }, "questions[1].max"],
  ["a max beyond 2^53", { "questions[1].max": 2 ** 53 }, "questions[1].max"],
  ["a min beyond 2^53", { "questions[1].min": 2 ** 53, "questions[1].max": undefined }, "questions[1].min"],
  ["a max beyond 2^53 on an upload", { "questions[3].max": 1e300 }, "questions[3].max"],
  ["a maxLength of 0", { "questions[2].maxLength": 0 }, "questions[2].maxLength"],
  ["a maxLength beyond 2^53", { "questions[2].maxLength": 2 ** 53 }, "questions[2].maxLength"],
  ["a text's price with a fraction", { "questions[2].price": 0.5 }, "questions[2].price"],
  ["a text's price beyond 2^53", { "questions[2].price": 2 ** 53 }, "questions[2].price"],
  ["an upload's price beyond −2^53", { "questions[3].price": -(2 ** 53) }, "questions[3].price"],
  ["an answer that is not an object", { "questions[0].answers[2]": "brass" }, "questions[0].answers[2]"],
  [
    "an answer without id (F-10)",
    { "questions[1].answers[2]": { title: "", productionCode: "" } },
    "questions[1].answers[2].id",
  ],
  ["an answer without title (F-10)", { "questions[0].answers[0].title": undefined }, "questions[0].answers[0].title"],
  [
    "an answer without productionCode (§2.3-9, F-10)",
    { "questions[0].answers[0].productionCode": undefined },
    "questions[0].answers[0].productionCode",
  ],
  [
    "an orderValue that is not a string (F-10)",
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
  [
    "layers that are not a list (F-12)",
    { "questions[0].answers[0].layers": "a.png" },
    "questions[0].answers[0].layers",
  ],
  [
    "a layer without view (F-12)",
    { "questions[0].answers[1].layers[0].view": undefined },
    "questions[0].answers[1].layers[0].view",
  ],
  [
    "a layer without path (F-12)",
    { "questions[0].answers[1].layers[0].path": undefined },
    "questions[0].answers[1].layers[0].path",
  ],
  ["a rule that is not an object", { "rules[3]": 1 }, "rules[3]"],
  ["a rule without id (F-13)", { "rules[0].id": undefined }, "rules[0].id"],
  ["a rule without condition (F-13)", { "rules[0].when": undefined }, "rules[0].when"],
  ["a condition that is a list", { "rules[0].when": [] }, "rules[0].when"],
  ["show that is not a list (F-13)", { "rules[0].show": "line" }, "rules[0].show"],
  ["show with an item that is not an id", { "rules[0].show": ["line", 1] }, "rules[0].show[1]"],
  ["hide that is not a list (F-13)", { "rules[1].hide": {} }, "rules[1].hide"],
  ["disable that is not a list (F-13)", { "rules[2].disable": {} }, "rules[2].disable"],
  ["disable with an item that is not an object", { "rules[2].disable[1]": "x" }, "rules[2].disable[1]"],
  ["disable without question (F-13)", { "rules[2].disable[0].question": undefined }, "rules[2].disable[0].question"],
  ["disable without answers (F-13)", { "rules[2].disable[0].answers": undefined }, "rules[2].disable[0].answers"],
  ["an empty condition", { "rules[0].when": {} }, "rules[0].when"],
  ["a condition with a question alone", { "rules[0].when": { question: "metal" } }, "rules[0].when"],
  ["a condition without question", { "rules[0].when": { is: "gold" } }, "rules[0].when"],
  ["a condition of two forms", { "rules[0].when.answered": true }, "rules[0].when"],
  ["all alongside any", { "rules[0].when": { all: [], any: [] } }, "rules[0].when"],
  ["answered that is not a boolean", { "rules[0].when": { question: "metal", answered: 1 } }, "rules[0].when.answered"],
  ["is that is not a string", { "rules[0].when": { question: "metal", is: ["gold"] } }, "rules[0].when.is"],
  ["all that is not a list", { "rules[0].when": { all: {} } }, "rules[0].when.all"],
  ["any with an item that is not a condition", { "rules[0].when": { any: [1] } }, "rules[0].when.any[0]"],
  ["not that is not a condition", { "rules[0].when": { not: [] } }, "rules[0].when.not"],
]

describe("the shape of a definition", () => {
  for (const [requirement, changes, ...paths] of wrongShapes) {
    it(`MUST refuse ${requirement}`, () => {
      expect(pathsOf(changed(changes))).toEqual(paths)
    })
  }

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

  it("MUST check the common fields of questions of unknown type", () => {
    expect(pathsOf(changed({ "questions[4]": { id: "", step: "s0", type: "choice", hidden: 1, max: "x" } }))).toEqual([
      "questions[4].id",
      "questions[4].title",
      "questions[4].hidden",
      "questions[4].type",
    ])
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

  const ofReferences = /^names no|already the id|more than max|^hides|come before|changed by|thumbnail|kept exactly/

  it.prop(
    "MUST agree with publishCheck about the shape for any values at one or two paths (§2.3-9, F-17)",
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

  it.prop(
    "MUST let publishCheck accept or refuse any JSON without throwing",
    [Arbitrary.schema(Schema.Json)],
    ([input]) => {
      expect(problemsOf(input)).not.toEqual([])
      expect(problemsOf(changed({ questions: input, "rules[0].when": input, "steps[1]": input }))).not.toEqual([])
    },
  )

  it("MUST have a JSON Schema, for documentation (§2.3-9)", () => {
    const { definitions } = Schema.toJsonSchemaDocument(Definition)
    expect(Object.keys(definitions)).toContain("Condition")
  })
})

describe("the check of a schema", () => {
  it("MUST NOT be made if the schema lacks words for an expected value", () => {
    expect(() => shapeCheck(Schema.Struct({ a: Schema.String }))).toThrow("lacks the annotation")
    expect(() => shapeCheck(Schema.String)).toThrow('A schema of kind String lacks the annotation "expected"')
  })

  it("MUST hold a list to each of several checks that the schema groups", () => {
    const oneOrTwo = Schema.makeFilterGroup([Schema.isMinLength(1), Schema.isMaxLength(2)])
    const text = Schema.String.annotate({ expected: "a string" })
    const check = shapeCheck(Schema.Array(text).check(oneOrTwo).annotate({ expected: "a list of one or two" }))
    const messageOf = (value: unknown) => {
      const report = new ProblemReport()
      check(report, "", value)
      return report.problems.listed[0]?.message
    }
    expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(messageOf)).toEqual([
      "must be a list of one or two, not an empty list",
      undefined,
      undefined,
      "must be a list of one or two, not one of 3",
    ])
  })
})
