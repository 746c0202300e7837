import { Effect } from "effect"
import { BeforeStep, type MoveError } from "./Move.ts"

/** Announces a change that a move makes next. */
export const step = (name: string): Effect.Effect<void, MoveError> =>
  Effect.flatMap(BeforeStep, (beforeStep) => beforeStep(name))
