/** What becomes of a request that the service could not complete. */

import { Context, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { type ChangeOutcome, CurrentOutcome } from "../model/ChangeOutcome.ts"
import { logged } from "../model/log/LogEvent.ts"
import { Unavailable } from "../operations/Errors.ts"

/** The message for callers that may try again. */
export const notAvailable = "The service is not available at the moment; try again"

/** The message for a change of which the service can't know the outcome (D49). */
const outcomeUnknown =
  "The service is not available at the moment, and your change may or may not be stored: look before you repeat it"

/** The message for a change that had no effect (D49). */
const nothingStored = "The service is not available at the moment, and nothing was stored; try again"

/**
 * The message for a request with this method that the service could not complete. `outcome` is what stores have
 * reported of its changes.
 */
export const unavailableMessage = (method: string | undefined, outcome?: ChangeOutcome): string => {
  if (method === undefined || method === "GET" || method === "HEAD") return notAvailable
  return outcome?.isNothing === true ? nothingStored : outcomeUnknown
}

/**
 * Turns a failure of the store into `Unavailable`: the log gets the cause. A connection may have been lost while the
 * change was committed: the answer says that nothing was stored only if that is known.
 */
export const unavailable = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, Exclude<E, { readonly _tag: "StorageError" }> | Unavailable, R> =>
  Effect.catch(
    effect,
    (error): Effect.Effect<never, Exclude<E, { readonly _tag: "StorageError" }> | Unavailable> =>
      error._tag === "StorageError"
        ? Effect.andThen(Effect.logError(error).pipe(logged("http.store_failed")), notDone)
        : Effect.fail(error as Exclude<E, { readonly _tag: "StorageError" }>),
  )

const methodOfRequest = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  Option.match({ onNone: () => undefined, onSome: ({ method }) => method }),
)

/** The message for the current request if the service could not complete it. */
export const unavailableNow: Effect.Effect<string> = Effect.gen(function* () {
  return unavailableMessage(yield* methodOfRequest, yield* CurrentOutcome)
})

/** Fails with the message for the current request. */
const notDone: Effect.Effect<never, Unavailable> = Effect.flatMap(unavailableNow, (message) =>
  Effect.fail(new Unavailable({ message })),
)

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
