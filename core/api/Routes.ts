import { Cause, Effect, Layer } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiScalar, HttpApiSecurity } from "effect/http-api"
import { apiVersion } from "../model/Event.ts"
import * as Authorization from "./Authorization.ts"
import { Contract } from "./Contract.ts"
import { errorResponse } from "./Errors.ts"
import * as Handlers from "./Handlers.ts"

/** Where the REST API is found. */
const prefix = "/api/v1"

/** How paths are told apart: to the letter, with ids of up to 255 characters, percent-encoded. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 4096,
}

/** The REST API of §4 under `/api/v1`, `/openapi.json` and a page to read it, `/docs`. */
export const layer = Layer.merge(
  HttpApiBuilder.layer(Contract, { openapiPath: "/openapi.json" }),
  HttpApiScalar.layer(Contract, { path: "/docs", scalar: { withDefaultFonts: false } }),
).pipe(Layer.provide(Handlers.layer), Layer.provide(Authorization.layer))

/**
 * Makes every answer of a host one that D11 allows: unknown routes and methods, and what should not have happened, get
 * `{message}`; on the REST API those are told only to who may know, and every answer carries `X-Api-Version` (D19).
 */
export const answerAll = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  R | HttpServerRequest.HttpServerRequest | Authorization.Ports
> =>
  HttpServerRequest.HttpServerRequest.use((request) => {
    const answered = Effect.catchCause(app, (cause) => (isRouteNotFound(cause) ? unknownRoute(request) : failed(cause)))
    return isApi(request) ? Effect.map(answered, HttpServerResponse.setHeader("x-api-version", apiVersion)) : answered
  })

const pathOf = (request: HttpServerRequest.HttpServerRequest): string => request.url.split("?", 1)[0] as string

const isApi = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.url.startsWith(prefix) &&
  (request.url.length === prefix.length || "/?".includes(request.url[prefix.length] as string))

const isRouteNotFound = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isFailReason(reason) &&
      reason.error instanceof HttpServerError.HttpServerError &&
      reason.error.reason._tag === "RouteNotFound",
  )

/** The paths of the contract: each answers GET and HEAD and nothing else. */
const known = /^\/api\/v1\/(orders|(orders|designs|customizers)\/[^/]+)$/

const unknownRoute = (request: HttpServerRequest.HttpServerRequest) => {
  if (!isApi(request)) return Effect.succeed(errorResponse(404, "There is nothing at this address"))
  return Effect.gen(function* () {
    yield* Authorization.admit(yield* bearerToken)
    const readable = request.method === "GET" || request.method === "HEAD"
    return known.test(pathOf(request)) && !readable
      ? errorResponse(405, "Only GET and HEAD are allowed here", { allow: "GET, HEAD" })
      : errorResponse(404, "There is nothing at this address")
  }).pipe(
    Effect.catchTags({
      Unauthorized: (error) => Effect.succeed(errorResponse(401, error.message)),
      PlanRequired: (error) => Effect.succeed(errorResponse(403, error.message)),
      RateLimited: (error) => Effect.succeed(errorResponse(429, error.message)),
      Unavailable: (error) => Effect.succeed(errorResponse(503, error.message)),
    }),
  )
}

const bearerToken = HttpApiBuilder.securityDecode(HttpApiSecurity.bearer).pipe(
  Effect.provideService(HttpServerRequest.ParsedSearchParams, {}),
)

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
