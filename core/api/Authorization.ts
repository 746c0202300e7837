import { Context, Effect, Layer, type Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import * as Errors from "../model/Errors.ts"
import { apiVersion } from "../model/Event.ts"
import { type Caller, identify, requireApi } from "../usecases/Authenticate.ts"
import { limitRequest, limitStanding } from "../usecases/LimitRequest.ts"
import { addHeaders, BadRequest, PlanRequired, RateLimited, Unauthorized, Unavailable, unavailable } from "./Errors.ts"
import { rateLimitHeaders } from "./RateLimit.ts"

/** Who makes the request at hand. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("designwire/api/CurrentCaller") {}

/** How a token comes with a request. In small letters, as tools that show the documentation expect it. */
export const bearer = HttpApiSecurity.http({ scheme: "bearer" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "A token of the store, `cmz_…`"),
)

/** Every endpoint of the REST API passes through it: token, plan, rate limit, API version, in this order (D11). */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentCaller }>()(
  "designwire/api/Authorization",
  {
    error: [Unauthorized, PlanRequired, RateLimited, BadRequest, Unavailable],
    security: { token: bearer },
  },
) {}

/**
 * Lets a request in: who makes it, or why it is refused. Whoever is known gets the headers of the rate limit with the answer,
 * whichever it is (D16); one that the plan refuses is not counted.
 */
export const admit = Effect.fnUntraced(
  function* (token: Redacted.Redacted<string>) {
    const caller = yield* identify(token)
    yield* Effect.tapErrorTag(requireApi(caller), "PlanRequired", () => tellStanding(caller))
    const limited = yield* limitRequest(caller.shop.id, caller.tokenId)
    if (limited === undefined) return caller
    yield* addHeaders(rateLimitHeaders(limited))
    if (!limited.accepted) return yield* new Errors.RateLimited({ message: "Too many requests: see Retry-After" })
    return caller
  },
  Effect.tapErrorTag("Unauthorized", () => addHeaders({ "www-authenticate": "Bearer" })),
  unavailable,
)

const tellStanding = Effect.fnUntraced(function* (caller: Caller) {
  const standing = yield* limitStanding(caller.shop.id, caller.tokenId)
  if (standing !== undefined) yield* addHeaders(rateLimitHeaders(standing))
})

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
