/** What is answered instead of a failure (D11). */
import { Cause, Effect } from "effect"
import { HttpServerError, type HttpServerResponse } from "effect/http"
import { isRouteNotFound, matchedAsSent, nothingHere } from "./Addresses.ts"
import { type Answer, toResponse } from "./Answer.ts"
import { errorAnswer, errorResponse } from "./Errors.ts"

/**
 * Makes every answer of a host one that D11 allows: what has no route, and what should not have happened, get `{message}`.
 * Paths are matched as they were sent (D15).
 */
export const answerErrors = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  matchedAsSent(withoutFailures(app))

/** The same application, with an answer of D11 instead of every failure: `{message}`, which tells nothing of the inside. */
export const withoutFailures = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchCause(app, (cause) => {
    if (isRouteNotFound(cause)) return Effect.succeed(nothingHere)
    const body = cause.reasons.map(bodyProblem).find((response) => response !== undefined)
    return body === undefined ? Effect.map(unexpected(cause), toResponse) : Effect.succeed(body)
  })

/** The answer to what should not have happened: the log gets the cause, the caller learns nothing about the inside (D11). */
export const unexpected = (cause: Cause.Cause<unknown>): Effect.Effect<Answer> =>
  // The caller has gone: there is nobody to answer.
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.as(Effect.logError("A request failed", cause), errorAnswer(500, "Something went wrong on our side"))

const bodyProblem = (reason: Cause.Reason<unknown>): HttpServerResponse.HttpServerResponse | undefined => {
  const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
  if (!(error instanceof HttpServerError.HttpServerError) || error.reason._tag !== "RequestParseError") return undefined
  return error.reason.reason === "BodyTooLarge"
    ? errorResponse(413, "The body may have at most 1 MiB")
    : errorResponse(400, "The body could not be read")
}
