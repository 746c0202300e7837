import { Context, Effect } from "effect"
import { logged } from "../model/log/LogEvent.ts"
import { notDone } from "./Unavailable.ts"

/**
 * Completes once the current change has taken as long as its host allows; `undefined` for reads, and if the host sets
 * no limit.
 */
export const ChangeLimit = Context.Reference<Effect.Effect<void> | undefined>("designwire/ChangeLimit", {
  defaultValue: () => undefined,
})

/**
 * Interrupts a change that takes too long, and fails once the interruption is complete: nothing takes effect after the
 * answer, which says whether anything was stored, if that is known (D49).
 */
export const inTime = Effect.fnUntraced(function* <A, E, R>(change: Effect.Effect<A, E, R>) {
  const limit = yield* ChangeLimit
  return yield* limit === undefined ? change : Effect.raceFirst(change, Effect.andThen(limit, tooLate))
})

const tooLate = Effect.andThen(
  Effect.logWarning("A change took too long and was interrupted").pipe(logged("http.change_too_late")),
  notDone,
)
