import { Cause, Effect, Layer } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiVersion } from "../model/Event.ts"
import { answerUnknown, area, isRouteNotFound, liesIn, matchedAsSent, nothingHere } from "./Addresses.ts"
import * as Authorization from "./Authorization.ts"
import { Contract } from "./Contract.ts"
import { layerDocument, layerPage } from "./Docs.ts"
import { errorResponse } from "./Errors.ts"
import * as Handlers from "./Handlers.ts"

/** How paths are told apart: to the letter, with ids of up to 255 characters, percent-encoded. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 4096,
}

/** The REST API of §4 under `/api/v1`, and its OpenAPI document at `/openapi.json`. */
export const layer = Layer.merge(HttpApiBuilder.layer(Contract), layerDocument("/openapi.json", Contract)).pipe(
  Layer.provide(Handlers.layer),
  Layer.provide(Authorization.layer),
)

/** A page to read the REST API's documentation, at `/docs`. */
export const layerDocs = layerPage("/docs", Contract)

const restApi = area("/api/v1", Contract)

/** The headers of every answer to an address of the REST API (D19). */
export const headersAt = (url: string): Readonly<Record<string, string>> =>
  liesIn(restApi, url) ? { "x-api-version": apiVersion } : {}

const statusOf = { Unauthorized: 401, PlanRequired: 403, RateLimited: 429, Unavailable: 503 } as const

/** What the REST API's middleware does, for requests without a route. */
const admitted = HttpApiBuilder.securityDecode(Authorization.bearer).pipe(
  Effect.provideService(HttpServerRequest.ParsedSearchParams, {}),
  Effect.flatMap(Authorization.admit),
  Effect.mapError((error) => errorResponse(statusOf[error._tag], error.message)),
)

/**
 * Makes every answer of a host one that D11 allows: what has no route, and what should not have happened, get `{message}`.
 * Paths are matched as they were sent (D15).
 */
export const answerErrors = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  matchedAsSent(withoutFailures(app))

/**
 * The same for a host with the REST API: unknown routes and methods of it are told only to who may know, and every answer of it
 * carries `X-Api-Version` (D19).
 */
export const answerAll = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
  const answered = withoutFailures(answerUnknown(restApi, admitted)(app))
  return matchedAsSent(
    HttpServerRequest.HttpServerRequest.use(({ url }) =>
      liesIn(restApi, url) ? Effect.map(answered, HttpServerResponse.setHeaders(headersAt(url))) : answered,
    ),
  )
}

const withoutFailures = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchCause(app, (cause) => (isRouteNotFound(cause) ? Effect.succeed(nothingHere) : failed(cause)))

/** What should not have happened: the log gets the cause, the caller learns nothing about the inside (D11). */
const failed = (cause: Cause.Cause<unknown>) => {
  // The caller has gone: there is nobody to answer.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const body = cause.reasons.map(bodyProblem).find((response) => response !== undefined)
  return body !== undefined
    ? Effect.succeed(body)
    : Effect.as(Effect.logError("A request failed", cause), errorResponse(500, "Something went wrong on our side"))
}

const bodyProblem = (reason: Cause.Reason<unknown>): HttpServerResponse.HttpServerResponse | undefined => {
  const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
  if (!(error instanceof HttpServerError.HttpServerError) || error.reason._tag !== "RequestParseError") return undefined
  return error.reason.reason === "BodyTooLarge"
    ? errorResponse(413, "The body may have at most 1 MiB")
    : errorResponse(400, "The body could not be read")
}
