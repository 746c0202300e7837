import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { Caller } from "../usecases/Authenticate.ts"
import { admit } from "./Admission.ts"
import { toResponse } from "./Answer.ts"
import { addHeaders, BadRequest, PlanRequired, RateLimited, Unauthorized, Unavailable } from "./Errors.ts"

/** Who makes the request at hand. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("designwire/api/CurrentCaller") {}

/** How a token comes with a request. In small letters, as tools that show the documentation expect it. */
const bearer = HttpApiSecurity.http({ scheme: "bearer" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "A token of the store, `cmz_…`"),
)

/** Every endpoint of the REST API passes through it: token, plan, rate limit (D11). */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentCaller }>()(
  "designwire/api/Authorization",
  {
    error: [Unauthorized, PlanRequired, RateLimited, BadRequest, Unavailable],
    security: { token: bearer },
  },
) {}

/** What {@link admit} needs. */
type Ports = Effect.Services<ReturnType<typeof admit>>

/** Lets the request at hand in, as {@link admit} does; fails with the answer that refuses it. */
export const admitRequest = HttpServerRequest.HttpServerRequest.use(({ headers }) => admit(headers.authorization)).pipe(
  Effect.tap(({ headers }) => addHeaders(headers)),
  Effect.mapError(toResponse),
)

export const layer = Layer.effect(
  Authorization,
  Effect.map(Effect.context<Ports>(), (services) => ({
    token: (answer) =>
      Effect.matchEffect(Effect.provideContext(admitRequest, services), {
        onFailure: Effect.succeed,
        onSuccess: ({ caller }) => Effect.provideService(answer, CurrentCaller, caller),
      }),
  })),
)
