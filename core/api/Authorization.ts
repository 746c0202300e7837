import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import {
  BadRequest,
  PlanRequired,
  RateLimited,
  ScopeRequired,
  Unauthorized,
  Unavailable,
} from "../operations/Errors.ts"

/** In lower case, as tools that show the documentation expect it. */
const bearer = HttpApiSecurity.http({ scheme: "bearer" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "A token of the store, `cmz_…`"),
)

/** Admission as the contract describes it to clients: the token, and the errors that any request may get (D11). */
export class Authorization extends HttpApiMiddleware.Service<Authorization>()("designwire/api/Authorization", {
  error: [Unauthorized, PlanRequired, ScopeRequired, RateLimited, BadRequest, Unavailable],
  security: { token: bearer },
}) {}
