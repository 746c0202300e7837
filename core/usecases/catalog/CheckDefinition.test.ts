/** The check of a text that is about to be published (D69). */
import { describe, expect, it } from "vitest"
import { checkDefinition } from "./CheckDefinition.ts"

describe("The check of a definition", () => {
  it("MUST give the definition that may be published", () => {
    const definition = { schemaVersion: 1, steps: [{ id: "s", title: "S", view: "front" }], questions: [], rules: [] }
    expect(checkDefinition(JSON.stringify(definition))).toEqual({ definition, problems: [], total: 0 })
  })

  it("MUST name each problem with its place in the text, a missing field's with the place of what lacks it (D69)", () => {
    const text = `{
  "schemaVersion": 2,
  "steps": [{ "id": "s", "title": "S" }],
  "questions": [
    { "id": "q", "step": "t", "title": "Q", "type": "text" }
  ],
  "rules": []
}`
    const { definition, problems, total } = checkDefinition(text)
    expect([definition, total]).toEqual([null, 3])
    expect(problems.map(({ path, place }) => [path, place?.line, place?.column])).toEqual([
      ["schemaVersion", 2, 20],
      ["steps[0].view", 3, 13],
      ["questions[0].step", 5, 26],
    ])
  })

  it("MUST name the place from which a text is not JSON, and its end if more is missing", () => {
    expect(checkDefinition('{\n  "steps": [,]\n}').problems).toEqual([
      { path: "", message: "The text is not JSON from here on.", place: { line: 2, column: 13 } },
    ])
    expect(checkDefinition('{\n"steps": [').problems[0]?.place).toEqual({ line: 2, column: 11 })
    expect(checkDefinition("").problems[0]?.place).toEqual({ line: 1, column: 1 })
  })

  it("MUST say that a text has too many values, without a place (D38a)", () => {
    expect(checkDefinition(`{"steps":[${"1,".repeat(150_000)}1]}`).problems).toEqual([
      { path: "", message: "The JSON has more than 150000 values.", place: null },
    ])
  })

  it("MUST name the place of each number that would be changed (D44a)", () => {
    const { definition, problems, total } = checkDefinition('{\n  "size": 9007199254740993,\n  "sizes": [1, 1e400]\n}')
    expect([definition, total]).toEqual([null, 2])
    expect(problems.map(({ path, place }) => [path, place?.line, place?.column])).toEqual([
      ["size", 2, 11],
      ["sizes[1]", 3, 16],
    ])
  })

  it("MUST list the first 100 of many problems and count all, and refuse more than 512 KiB unread", () => {
    const many = JSON.stringify({
      schemaVersion: 1,
      steps: Array.from({ length: 200 }, () => 1),
      questions: [],
      rules: [],
    })
    const { problems, total } = checkDefinition(many)
    expect([problems.length, total]).toEqual([100, 200])
    const large = checkDefinition(JSON.stringify({ note: "x".repeat(512 * 1024) }))
    expect(large.problems.map(({ message }) => message)).toEqual(["A definition may have at most 512 KiB of JSON"])
  })
})
