import { describe, expect, it } from "@effect/vitest"
import { ProblemReport } from "../../model/Problem.ts"
import { checkJson } from "./JsonCheck.ts"

const reported = (input: unknown) => {
  const report = new ProblemReport()
  const alone = checkJson(report, input)
  return alone === undefined ? report.problems.listed : alone
}

describe("checkJson (D44)", () => {
  it("MUST report values that can't be stored, with their paths", () => {
    expect(reported({ a: Number.NaN, b: [Number.POSITIVE_INFINITY], "c\0": 1, d: "\ud800", e: undefined })).toEqual([
      { path: '["c\\u0000"]', message: expect.stringMatching(/^has a key that holds a NUL /) },
      { path: "a", message: "must be a finite number, not NaN" },
      { path: "b[0]", message: "must be a finite number, not Infinity" },
      { path: "d", message: expect.stringMatching(/^holds a NUL /) },
      { path: "e", message: expect.stringMatching(/^must be JSON: /) },
    ])
  })

  it("MUST report numbers that are not kept exactly, with their paths", () => {
    expect(reported({ a: [2 ** 53 - 1, 2 ** 53], b: -(2 ** 53) })).toMatchObject([
      { path: "a[1]", message: expect.stringContaining("not 9007199254740992") },
      { path: "b", message: expect.stringContaining("not -9007199254740992") },
    ])
  })

  it("MUST read a million values, and no more", () => {
    expect(reported(Array(999_999).fill(0))).toEqual([])
    expect(reported(Array(1_000_000).fill(0))).toEqual({
      path: "",
      message: "must not hold more than 1000000 values",
    })
  })
})
