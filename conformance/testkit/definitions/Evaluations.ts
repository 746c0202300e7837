/** Inputs of evaluation tests: one question of each kind, and definitions of them. */
import { Result } from "effect"
import type { Definition, DefinitionAnswer, Question, Rule } from "../../../core/model/catalog/Definition.ts"
import type { Problem } from "../../../core/model/Problem.ts"
import { compile } from "../../../core/rules/catalog/Compile.ts"
import { type Evaluated, type EvaluationInput, evaluate } from "../../../core/rules/catalog/Evaluation.ts"
import { publishCheck } from "../../../core/rules/catalog/PublishCheck.ts"

export const terms = { basePrice: 1_000, currency: "EUR", roundingStep: 1 }

export const answer = (id: string, more: Partial<DefinitionAnswer> = {}): DefinitionAnswer => ({
  id,
  title: `title of ${id}`,
  productionCode: `P-${id}`,
  ...more,
})

/** `one`, `many`, `text`, `file`, `files`, and `late`, which starts hidden. */
export const questions = {
  one: { id: "one", step: "s", title: "One", type: "single", answers: [answer("a"), answer("b", { price: 5 })] },
  many: {
    id: "many",
    step: "s",
    title: "Many",
    type: "multiple",
    min: 2,
    max: 3,
    answers: [answer("a"), answer("b", { price: -3 }), answer("c", { variantId: "v" }), answer("d")],
  },
  text: { id: "text", step: "s", title: "Text", type: "text", maxLength: 5, price: 7 },
  file: { id: "file", step: "s", title: "File", type: "upload", price: 11 },
  files: { id: "files", step: "s", title: "Files", type: "upload", min: 2, max: 3, price: 13 },
  late: { id: "late", step: "s", title: "Late", type: "single", hidden: true, answers: [answer("x"), answer("y")] },
} satisfies Record<string, Question>

export const definitionOf = (list: ReadonlyArray<Question>, rules: ReadonlyArray<Rule> = []): Definition => ({
  schemaVersion: 1,
  steps: [{ id: "s", title: "Step", view: "front" }],
  questions: list,
  rules,
})

export const run = (
  definition: Definition,
  selection: unknown,
  { basePrice = terms.basePrice, roundingStep = terms.roundingStep }: Partial<EvaluationInput> = {},
) => evaluate(compile(Result.getOrThrow(publishCheck(definition))), { ...terms, selection, basePrice, roundingStep })

export const evaluated = (...args: Parameters<typeof run>): Evaluated => Result.getOrThrow(run(...args))

export const problemsOf = (...args: Parameters<typeof run>): ReadonlyArray<Problem> =>
  Result.match(run(...args), { onFailure: ({ listed }) => listed, onSuccess: () => [] })

export const every = Object.values(questions)
export const everyDefinition = definitionOf(every)

/** The answered questions, by their keys in `productionData`. */
export const answeredIn = (...args: Parameters<typeof run>): ReadonlyArray<string> =>
  evaluated(...args).productionData.map(({ key }) => key)
