import { Context, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { errorResponse } from "../../core/api/Errors.ts"
import { make, versionHeaders } from "../../core/api/Routes.ts"
import { webPart } from "./mount/WebPart.ts"

/** The REST API over the services at hand: answers the requests that are for it. */
export class RestApi extends Context.Service<RestApi, (request: Request) => Promise<Response>>()(
  "designwire/embed/RestApi",
) {
  static layer(options: Parameters<typeof make>[0]) {
    return Layer.effect(
      RestApi,
      Effect.map(make(options), (mountable) => webPart(mountable, Context.empty()).handle),
    )
  }
}

/** The answer while the database can't be used, and after `stop()`. */
export const unavailable = (): Response =>
  HttpServerResponse.toWeb(errorResponse(503, "The service is not available at the moment; try again", versionHeaders))
