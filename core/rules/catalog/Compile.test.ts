import { describe, expect, it } from "@effect/vitest"
import { answeredIn, definitionOf, questions } from "../../../conformance/testkit/definitions/Evaluations.ts"
import type { Question, Rule } from "../../model/catalog/Definition.ts"
import { compile } from "./Compile.ts"

describe("a compiled definition", () => {
  it("MUST name each view once, in the order of the steps", () => {
    const step = (view: string) => ({ id: view, title: "", view })
    const steps = [step("left"), step("__proto__"), step("left"), step("box"), step("__proto__")] as const
    expect(compile({ schemaVersion: 1, steps, questions: [], rules: [] }).views).toEqual(["left", "__proto__", "box"])
  })

  it("MUST say so if a definition was not checked", () => {
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
