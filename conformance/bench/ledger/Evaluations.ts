/** Evaluations of the demo's designs, alongside the fixed work: milliseconds of processor time. */
import { Result } from "effect"
import { compile } from "../../../core/rules/catalog/Compile.ts"
import { evaluate } from "../../../core/rules/catalog/Evaluation.ts"
import { publishCheck } from "../../../core/rules/catalog/PublishCheck.ts"
import customizers from "../../../hosts/cli/demo/customizers.json" with { type: "json" }
import choices from "../../../hosts/cli/demo/designs.json" with { type: "json" }
import { processorTime } from "../support/Child.ts"
import { fixedWork } from "./FixedWork.ts"
import type { Row } from "./Row.ts"

const count = 20_000

export const evaluations = (): Row => {
  const compiled = new Map(
    customizers.map(({ definition, id }) => [id, compile(Result.getOrThrow(publishCheck(definition)))]),
  )
  const own = () => {
    const before = processorTime()
    for (let index = 0; index < count; index++) {
      const { basePrice, customizerId, selection } = choices[index % choices.length] as (typeof choices)[number]
      const definition = compiled.get(customizerId)
      if (definition === undefined) throw new Error(`There is no customizer ${customizerId}`)
      Result.getOrThrow(evaluate(definition, { selection, basePrice, currency: "EUR", roundingStep: 1 }))
    }
    return processorTime() - before
  }
  return { name: "evaluate", unit: "ms", own: async () => own(), bare: async () => fixedWork() }
}
