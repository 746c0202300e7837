/** Effect's router with paths matched as they were sent (D15), for the management API and the settings app. */
import { Cause, Effect } from "effect"
import { HttpServerError, HttpServerRequest } from "effect/http"
import { longestSegment, routable } from "./Paths.ts"

/** The configuration of a router whose paths are exact. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: longestSegment,
}

/** Passes an application requests with paths that Effect's router matches correctly. */
export const matchedAsSent = <A, E, R>(
  app: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> =>
  HttpServerRequest.HttpServerRequest.use((request) => {
    const url = routable(request.url)
    return url === request.url
      ? app
      : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })

/** Whether a router found no route for a request. */
export const isRouteNotFound = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isFailReason(reason) &&
      reason.error instanceof HttpServerError.HttpServerError &&
      reason.error.reason._tag === "RouteNotFound",
  )
