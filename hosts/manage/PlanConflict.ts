import { Effect } from "effect"
import { Conflict, type PlanRequired } from "../../core/model/Errors.ts"

/** To whoever manages a shop its plan is a state that can be changed: what it does not include is 409 (D8), while 403 is for the holders of tokens. */
export const planConflict = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E | PlanRequired, R>,
): Effect.Effect<A, Exclude<E, PlanRequired> | Conflict, R> =>
  Effect.mapError(effect, (error) =>
    error._tag === "PlanRequired"
      ? new Conflict({ message: (error as PlanRequired).message })
      : (error as Exclude<E, PlanRequired>),
  )
