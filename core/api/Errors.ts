/**
 * Errors as clients see them: a status and `{"message": …}` (§7, D11). Input errors of the management API add
 * `problems`.
 */
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { type ChangeOutcome, CurrentOutcome } from "../model/ChangeOutcome.ts"
import * as Errors from "../model/Errors.ts"
import { logged } from "../model/log/LogEvent.ts"

/** The status of every error that an API answers. */
export const statusOf = {
  InvalidInput: 400,
  BadRequest: 400,
  Unauthorized: 401,
  PlanRequired: 403,
  ScopeRequired: 403,
  NotFound: 404,
  Conflict: 409,
  DesignFrozen: 409,
  Gone: 410,
  TooLarge: 413,
  UnknownFields: 422,
  Refused: 422,
  RateLimited: 429,
  Unavailable: 503,
} as const

export const Unauthorized = Errors.Unauthorized.annotate({
  description: "The token is missing, unknown or has ended",
}).pipe(HttpApiSchema.status(statusOf.Unauthorized))
export const PlanRequired = Errors.PlanRequired.annotate({ description: "The store's plan has no REST API" }).pipe(
  HttpApiSchema.status(statusOf.PlanRequired),
)
export const ScopeRequired = Errors.ScopeRequired.annotate({
  description: "The token lacks the scope of the request",
}).pipe(HttpApiSchema.status(statusOf.ScopeRequired))
export const NotFound = Errors.NotFound.annotate({ description: "No such object in the token's store" }).pipe(
  HttpApiSchema.status(statusOf.NotFound),
)
export const Conflict = Errors.Conflict.annotate({ description: "The request conflicts with the current state" }).pipe(
  HttpApiSchema.status(statusOf.Conflict),
)
export const DesignFrozen = Errors.DesignFrozen.annotate({ description: "The design is ordered or cancelled" }).pipe(
  HttpApiSchema.status(statusOf.DesignFrozen),
)
export const Gone = Errors.Gone.annotate({
  description: "Events behind this position are no longer stored: begin again without `after`",
}).pipe(HttpApiSchema.status(statusOf.Gone))
export const TooLarge = Errors.TooLarge.annotate({ description: "The input is too large" }).pipe(
  HttpApiSchema.status(statusOf.TooLarge),
)
export const InvalidInput = Errors.InvalidInput.annotate({
  description: "The input does not have the required form",
}).pipe(HttpApiSchema.status(statusOf.InvalidInput))
export const UnknownFields = Errors.UnknownFields.annotate({
  description: "The input has fields that do not exist",
}).pipe(HttpApiSchema.status(statusOf.UnknownFields))
export const Refused = Errors.Refused.annotate({ description: "The input is well-formed, but not allowed" }).pipe(
  HttpApiSchema.status(statusOf.Refused),
)
export const RateLimited = Errors.RateLimited.annotate({ description: "Too many requests: see Retry-After" }).pipe(
  HttpApiSchema.status(statusOf.RateLimited),
)

/** The request can't be answered as it is (§7). */
export class BadRequest extends Schema.Error<BadRequest>("designwire/BadRequest")(
  { message: Schema.String },
  {
    httpApiStatus: statusOf.BadRequest,
    description: "The request can't be answered as it is: the message says why",
  },
) {
  readonly _tag = "BadRequest"
}

/**
 * The store can't be reached or is too busy. The same request may succeed later; the message says if it is not known
 * whether a change was stored (D49).
 */
export class Unavailable extends Schema.Error<Unavailable>("designwire/Unavailable")(
  { message: Schema.String },
  { httpApiStatus: statusOf.Unavailable, description: "The service is not available at the moment" },
) {
  readonly _tag = "Unavailable"
}

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
export const notDone: Effect.Effect<never, Unavailable> = Effect.flatMap(unavailableNow, (message) =>
  Effect.fail(new Unavailable({ message })),
)
