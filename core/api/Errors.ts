/**
 * Errors on the wire: a status and exactly `{"message": string}` (§7, D11), for the management API's input errors also `problems`.
 */
import { Effect, Schema } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import * as Errors from "../model/Errors.ts"
import { type Answer, toResponse } from "./Answer.ts"

/** The status of every error that a caller can be told. */
const statusOf = {
  InvalidInput: 400,
  BadRequest: 400,
  Unauthorized: 401,
  PlanRequired: 403,
  NotFound: 404,
  Conflict: 409,
  DesignFrozen: 409,
  Gone: 410,
  TooLarge: 413,
  Refused: 422,
  RateLimited: 429,
  Unavailable: 503,
} as const

export const Unauthorized = Errors.Unauthorized.annotate({ description: "The token is missing or unknown" }).pipe(
  HttpApiSchema.status(statusOf.Unauthorized),
)
export const PlanRequired = Errors.PlanRequired.annotate({ description: "The store's plan has no REST API" }).pipe(
  HttpApiSchema.status(statusOf.PlanRequired),
)
export const NotFound = Errors.NotFound.annotate({ description: "No such object in the token's store" }).pipe(
  HttpApiSchema.status(statusOf.NotFound),
)
export const Conflict = Errors.Conflict.annotate({ description: "It does not fit the state that things are in" }).pipe(
  HttpApiSchema.status(statusOf.Conflict),
)
export const DesignFrozen = Errors.DesignFrozen.annotate({ description: "The design is ordered or cancelled" }).pipe(
  HttpApiSchema.status(statusOf.DesignFrozen),
)
export const Gone = Errors.Gone.annotate({
  description: "Events behind this position are no longer kept: begin again without `after`",
}).pipe(HttpApiSchema.status(statusOf.Gone))
export const TooLarge = Errors.TooLarge.annotate({ description: "The input is too large" }).pipe(
  HttpApiSchema.status(statusOf.TooLarge),
)
export const InvalidInput = Errors.InvalidInput.annotate({
  description: "The input does not have the form that is asked for",
}).pipe(HttpApiSchema.status(statusOf.InvalidInput))
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

/** The store can't be reached or is too busy; nothing was changed, and the same request may succeed later. */
export class Unavailable extends Schema.Error<Unavailable>("designwire/Unavailable")(
  { message: Schema.String },
  { httpApiStatus: statusOf.Unavailable, description: "The service is not available at the moment" },
) {
  readonly _tag = "Unavailable"
}

/** What a caller is told who may come again. */
export const notAvailable = "The service is not available at the moment; try again"

/** A store that fails is the service's trouble, not the caller's: the log gets the cause, the caller may come again. */
export const unavailable = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, Exclude<E, { readonly _tag: "StorageError" }> | Unavailable, R> =>
  Effect.catch(
    effect,
    (error): Effect.Effect<never, Exclude<E, { readonly _tag: "StorageError" }> | Unavailable> =>
      error._tag === "StorageError"
        ? Effect.andThen(Effect.logError(error), Effect.fail(new Unavailable({ message: notAvailable })))
        : Effect.fail(error as Exclude<E, { readonly _tag: "StorageError" }>),
  )

/** Adds headers to whatever the answer to the request at hand will be. */
export const addHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers)),
  )

/** An answer that says what is wrong. */
export const errorAnswer = (status: number, message: string, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers,
  body: JSON.stringify({ message }),
})

/** An error that a caller can be told. */
type Told = { readonly _tag: keyof typeof statusOf; readonly message: string }

/** The answer to an error. */
export const answerOf = ({ _tag, message }: Told, headers?: Answer["headers"]): Answer =>
  errorAnswer(statusOf[_tag], message, _tag === "Unauthorized" ? { "www-authenticate": "Bearer" } : headers)

/** The same effect, which fails with the answer to each of its errors. */
export const orAnswer = <A, E extends Told | { readonly _tag: "StorageError" }, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, Answer, R> => Effect.mapError(unavailable(effect), (error) => answerOf(error))

/** An error answer outside the routes of a contract. */
export const errorResponse = (
  status: number,
  message: string,
  headers?: Answer["headers"],
): HttpServerResponse.HttpServerResponse => toResponse(errorAnswer(status, message, headers))
