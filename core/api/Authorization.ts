import { Context, Effect, Layer, type Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import * as Errors from "../model/Errors.ts"
import { apiVersion } from "../model/Event.ts"
import { authenticate, type Caller } from "../usecases/Authenticate.ts"
import { limitRequest } from "../usecases/LimitRequest.ts"
import { addHeaders, BadRequest, PlanRequired, RateLimited, Unauthorized, Unavailable, unavailable } from "./Errors.ts"
import { rateLimitHeaders } from "./RateLimit.ts"

/** Who makes the request at hand. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("designwire/api/CurrentCaller") {}

/** Every endpoint of the REST API passes through it: token, plan, rate limit, API version, in this order (D11). */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentCaller }>()(
  "designwire/api/Authorization",
  {
    error: [Unauthorized, PlanRequired, RateLimited, BadRequest, Unavailable],
    security: { token: HttpApiSecurity.bearer },
  },
) {}

/** Lets a request in: who makes it, or why it is refused. Its answer, whichever, gets the headers of its rate limit (D16). */
export const admit = Effect.fnUntraced(
  function* (token: Redacted.Redacted<string>) {
    const caller = yield* authenticate(token)
    const limited = yield* limitRequest(caller.shop.id, caller.tokenId)
    if (limited === undefined) return caller
    yield* addHeaders(rateLimitHeaders(limited))
    if (!limited.accepted) return yield* new Errors.RateLimited({ message: "Too many requests: see Retry-After" })
    return caller
  },
  Effect.tapErrorTag("Unauthorized", () => addHeaders({ "www-authenticate": "Bearer" })),
  unavailable,
)

/** What {@link admit} needs beside the request at hand. */
export type Ports = Exclude<Effect.Services<ReturnType<typeof admit>>, HttpServerRequest.HttpServerRequest>

export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const services = yield* Effect.context<Ports>()
    return {
      token: Effect.fnUntraced(function* (answer, { credential }) {
        const caller = yield* Effect.provideContext(admit(credential), services)
        const request = yield* HttpServerRequest.HttpServerRequest
        const asked = request.headers["x-api-version"]
        if (asked !== undefined && asked !== apiVersion) {
          return yield* new BadRequest({ message: `X-Api-Version must be ${apiVersion} or left out` })
        }
        return yield* Effect.provideService(answer, CurrentCaller, caller)
      }),
    }
  }),
)
