import { Effect } from "effect"
import { Conflict, type PlanRequired } from "../../core/model/Errors.ts"

/**
 * Callers who manage a shop can change its plan: a feature that the plan lacks is 409 for them (D8), and 403 for
 * holders of tokens.
 */
export const planConflict = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E | PlanRequired, R>,
): Effect.Effect<A, Exclude<E, PlanRequired> | Conflict, R> =>
  Effect.mapError(effect, (error) =>
    error._tag === "PlanRequired"
      ? new Conflict({ message: (error as PlanRequired).message })
      : (error as Exclude<E, PlanRequired>),
  )
