import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { changed, pathsOf, problemsOf, refusalOf } from "../../../conformance/testkit/definitions/Definitions.ts"
import { MAX_CONDITION_DEPTH } from "../../model/catalog/Definition.ts"
import { publishCheck } from "./PublishCheck.ts"

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

  it("MUST stay linear if every condition of a rule comes after every question that it changes", () => {
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

  it("MUST bound its report for a small input with long keys and many problems (D46)", () => {
    const path = `${'{"'}${"k".repeat(1_000)}":`.repeat(98)
    const input: unknown = JSON.parse(`${path}[${Array(60_000).fill('"\\u0000"').join()}]${"}".repeat(98)}`)
    const { listed, total } = refusalOf(input)
    expect(JSON.stringify(listed).length).toBeLessThan(150_000)
    expect([listed.length, total]).toEqual([100, 60_004])
  })

  it("MUST terminate on cyclic objects and on objects with many shared parts", () => {
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
