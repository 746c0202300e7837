/** Effect's router with paths matched as they were sent (D15), for the management API and the settings app. */

import { Cause, Context, Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { noteRequest } from "../model/log/RequestRecord.ts"
import { longestSegment, routable } from "./Paths.ts"

/** The configuration of a router whose paths are exact. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: longestSegment,
}

/** Passes an application at a prefix requests with paths that Effect's router matches correctly. */
export const matchedAsSent = <A, E, R>(
  prefix: string,
  app: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> =>
  HttpServerRequest.HttpServerRequest.use((request) => {
    const url = routable(request.url, prefix)
    return url === request.url
      ? app
      : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })

/** Fails as a router does that has no route for the request. */
export const routeNotFound = HttpServerRequest.HttpServerRequest.use((request) =>
  Effect.fail(new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })),
)

/** Whether a router found no route for a request. */
export const isRouteNotFound = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isFailReason(reason) &&
      reason.error instanceof HttpServerError.HttpServerError &&
      reason.error.reason._tag === "RouteNotFound",
  )

/** Notes the route that Effect's router has found for the current request, and its shop if the route names one. */
export const noteRoute = <E, R>(
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.withFiber((fiber) => {
    const found = Context.getOrUndefined(
      fiber.context as Context.Context<HttpRouter.RouteContext>,
      HttpRouter.RouteContext,
    )
    return found === undefined
      ? answer
      : Effect.andThen(noteRequest({ route: found.route.path, shop: found.params["shop"] }), answer)
  })
