import type { Result } from "effect"
import type { Definition } from "../../model/catalog/Definition.ts"
import type { Problems } from "../../model/Problem.ts"
import { compile } from "../../rules/catalog/Compile.ts"
import {
  type Choices,
  choicesOf,
  type Evaluated,
  type EvaluationInput,
  evaluate,
} from "../../rules/catalog/Evaluation.ts"

export type { Evaluated } from "../../rules/catalog/Evaluation.ts"

/** The result of a selection, and the choices that it leaves. */
export interface Tried {
  /** The content of a design with this selection, or why it can't be saved. */
  readonly result: Result.Result<Evaluated, Problems>
  readonly choices: Choices
}

/** Evaluates a selection with a published definition, as saving a design would. Stores nothing. */
export const tryDefinition = (definition: Definition, input: EvaluationInput): Tried => {
  const compiled = compile(definition)
  return { result: evaluate(compiled, input), choices: choicesOf(compiled, input.selection) }
}
