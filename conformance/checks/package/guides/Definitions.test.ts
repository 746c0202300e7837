/** The guide to definitions, against the schema of definitions and the messages of refusals. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Definition } from "../../../../core/model/catalog/Definition.ts"
import { compile } from "../../../../core/rules/catalog/Compile.ts"
import { evaluate } from "../../../../core/rules/catalog/Evaluation.ts"
import { publishCheck } from "../../../../core/rules/catalog/PublishCheck.ts"
import board from "../../../../hosts/embed/examples/definition/board.json" with { type: "json" }
import { definitionTables, withDefinitionTables } from "../../../testkit/DefinitionTables.ts"

const [guide, fields] = (["DEFINITIONS", "FIELDS"] as const).map((name) =>
  readFileSync(join(import.meta.dirname, `../../../../core/${name}.md`), "utf8"),
) as [string, string]

const [step, yours] = board.steps
const [wood, extras, engrave, line] = board.questions
const [oiled, askText] = board.rules

/** Definitions that are refused, each as the parts in which it differs from the example's. */
const wrong: ReadonlyArray<object> = [
  { steps: undefined },
  { steps: [] },
  { questions: [{ ...wood, maxLength: 3 }, extras, engrave, line] },
  { questions: [wood, wood, extras, engrave, line] },
  { questions: [wood, extras, engrave, { ...line, step: "none" }] },
  { questions: [wood, { ...extras, min: 3 }, engrave, line] },
  { rules: [{ ...oiled, when: {} }] },
  { rules: [{ ...askText, when: { question: "file", answered: true } }] },
  { rules: [{ ...askText, when: { question: "line", answered: true } }] },
  { rules: [{ ...askText, hide: ["line"] }] },
  { steps: [step, { ...yours, view: "top_thumb" }] },
]

/** Selections that are refused. */
const refused: ReadonlyArray<object> = [
  { size: "L" },
  { wood: 1 },
  { wood: "oak" },
  { wood: "walnut", extras: ["raw"] },
  { extras: ["feet"] },
  { extras: ["feet", "feet", "groove"] },
  { engrave: "text", line: { text: `${"x".repeat(30)}\u0007` } },
  { engrave: "picture", file: "" },
]

const messagesOf = <A>(result: Result.Result<A, { readonly listed: ReadonlyArray<{ readonly message: string }> }>) =>
  Result.isFailure(result) ? result.failure.listed.map(({ message }) => message) : []

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** The messages that the guide lists, as patterns: `…` stands for anything. */
const listed = guide
  .slice(guide.indexOf("| of a definition"), guide.indexOf("## Limits"))
  .split("\n")
  .flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text))
  .map((text) => new RegExp(`^${text.split("…").map(escaped).join(".*")}`, "s"))

describe("The guide to definitions", () => {
  it("MUST have the fields of the schema (npm run guides)", () => {
    expect(withDefinitionTables(fields)).toBe(fields)
    for (const [heading, table] of definitionTables()) expect(fields).toContain(`## ${heading}\n\n${table}\n`)
  })

  it("MUST list every message of a refusal, and none that there is not", () => {
    const definitions = wrong.map((parts) => messagesOf(publishCheck(asJson({ ...board, ...parts }))))
    const atLeastTwo = {
      ...board,
      questions: board.questions.map((each) => (each === extras ? { ...each, min: 2 } : each)),
    }
    const compiled = compile(atLeastTwo as unknown as Definition)
    const terms = { basePrice: 3990, currency: "EUR", roundingStep: 50 }
    const selections = refused.map((selection) => messagesOf(evaluate(compiled, { selection, ...terms })))
    expect([...definitions, ...selections].filter((messages) => messages.length === 0)).toEqual([])
    const messages = [...definitions, ...selections].flat()
    expect(messages.filter((message) => !listed.some((pattern) => pattern.test(message)))).toEqual([])
    expect(listed.filter((pattern) => !messages.some((message) => pattern.test(message)))).toEqual([])
  })
})
