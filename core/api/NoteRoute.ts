import { Context, Effect } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { noteRequest } from "../model/log/RequestRecord.ts"

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
