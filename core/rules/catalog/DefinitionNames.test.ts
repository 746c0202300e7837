import { describe, expect, it } from "vitest"
import { problemsOf } from "../../../conformance/testkit/definitions/Definitions.ts"

const step = (id: string, view: string) => ({ id, title: id, view })

const definition = (steps: ReadonlyArray<unknown>) => ({ schemaVersion: 1, steps, questions: [], rules: [] })

describe("Ids of a definition", () => {
  it("MUST be reported for each duplicate with the path of the first one", () => {
    const problems = problemsOf(
      definition([step("a", "front"), step("b", "back"), step("a", "left"), step("a", "right")]),
    )
    expect(problems).toEqual([
      { path: "steps[2].id", message: '"a" is already the id of steps[0]; ids must differ among the steps' },
      { path: "steps[3].id", message: '"a" is already the id of steps[0]; ids must differ among the steps' },
    ])
  })

  it("MUST be reported once each if they are empty or missing, and not as duplicates", () => {
    for (const id of ["", undefined]) {
      const steps = ["front", "back"].map((view) => ({ title: view, view, ...(id === undefined ? {} : { id }) }))
      const problems = problemsOf(definition(steps))
      expect(problems.map(({ path }) => path)).toEqual(["steps[0].id", "steps[1].id"])
      expect(problems.every(({ message }) => !message.includes("already"))).toBe(true)
    }
  })
})
