/** Choices of buyers, each with the price and the codes that the description has for it, or with what it forbids. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { compile, evaluate, publishCheck } from "../../../../core/index.ts"
import type { Check } from "../Attempt.ts"
import { expect, Missing } from "../Program.ts"
import type { Json } from "../Service.ts"

const plain = { paper: "matt", size: "a4", present: "no" }

/** Choices that are allowed, with the total in cents and the production data. */
const allowed: ReadonlyArray<readonly [selection: Json, total: number, data: string]> = [
  [plain, 900, "PAPER=M170 SIZE=A4 PRESENT=NOGIFT"],
  [{ ...plain, paper: "gloss", size: "a3" }, 1_750, "PAPER=G200 SIZE=A3 PRESENT=NOGIFT"],
  [{ ...plain, size: "a2", extras: ["frame", "tube"] }, 4_440, "PAPER=M170 SIZE=A2 EXTRAS=FRAME,TUBE PRESENT=NOGIFT"],
  [{ ...plain, extras: ["clips"] }, 990, "PAPER=M170 SIZE=A4 EXTRAS=CLIPS PRESENT=NOGIFT"],
  [
    { ...plain, present: "yes", greeting: { text: "For Jo" } },
    1_300,
    "PAPER=M170 SIZE=A4 PRESENT=GIFT GREETING=For Jo",
  ],
  [{ ...plain, greeting: { text: "Left over" } }, 900, "PAPER=M170 SIZE=A4 PRESENT=NOGIFT"],
]

/** Choices that are not, with the question that has the problem. */
const forbidden: ReadonlyArray<readonly [selection: Json, question: string]> = [
  [{ size: "a4", present: "no" }, "paper"],
  [{ paper: "matt", present: "no" }, "size"],
  [{ paper: "matt", size: "a4" }, "present"],
  [{ ...plain, paper: "gloss", size: "a2" }, "size"],
  [{ ...plain, extras: ["frame", "tube", "clips"] }, "extras"],
  [{ ...plain, present: "yes" }, "greeting"],
  [{ ...plain, present: "yes", greeting: { text: "x".repeat(61) } }, "greeting"],
]

export const check: Check = async (attempt) => {
  attempt.requireFile("definition.json")
  const published = publishCheck(JSON.parse(readFileSync(join(attempt.directory, "definition.json"), "utf8")))
  if (Result.isFailure(published)) throw new Missing(`designwire refuses it: ${JSON.stringify(published.failure)}`)
  const definition = compile(published.success)
  expect(new Set(published.success.questions.map(({ step }) => step)).size >= 2, "All questions are on one page")
  const evaluated = (selection: Json) =>
    evaluate(definition, { selection, basePrice: 900, roundingStep: 10, currency: "EUR" })
  for (const [selection, total, data] of allowed) {
    const result = evaluated(selection)
    const given = JSON.stringify(selection)
    if (Result.isFailure(result)) throw new Missing(`${given} is refused: ${JSON.stringify(result.failure)}`)
    const { price, productionData } = result.success
    expect(price.total === total, `${given} costs ${price.total} cents, not ${total}`)
    const codes = productionData.map((entry: Json) => `${entry.key}=${entry.value ?? entry.values}`).join(" ")
    expect(codes === data, `${given} has the production data ${codes}, not ${data}`)
  }
  for (const [selection, question] of forbidden) {
    const result = evaluated(selection)
    const isRefused = Result.isFailure(result) && result.failure.listed.some(({ path }) => path === question)
    expect(isRefused, `${JSON.stringify(selection)} has no problem of the question ${question}`)
  }
}
