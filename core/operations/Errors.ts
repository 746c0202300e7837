/**
 * Errors as clients see them: a status and `{"message": …}` (§7, D11). Input errors of the management API add
 * `problems`.
 */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import * as Errors from "../model/Errors.ts"

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
export const PlanRequired = Errors.PlanRequired.annotate({ description: "The shop's plan has no REST API" }).pipe(
  HttpApiSchema.status(statusOf.PlanRequired),
)
export const ScopeRequired = Errors.ScopeRequired.annotate({
  description: "The token lacks the scope of the request",
}).pipe(HttpApiSchema.status(statusOf.ScopeRequired))
export const NotFound = Errors.NotFound.annotate({ description: "No such object in the token's shop" }).pipe(
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
