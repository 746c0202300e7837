import { type Effect, Metric } from "effect"
import { combinations, counters } from "../model/log/Counters.ts"
import type { LimitState } from "../usecases/access/LimitRequest.ts"

/**
 * `RateLimit-Policy` and `RateLimit` of the IETF draft (D16): how many requests are left, and how many seconds until
 * there are more. A refusal adds `Retry-After`, in whole seconds, at least 1.
 */
export const rateLimitHeaders = (
  request: LimitState & { readonly accepted?: boolean },
): Readonly<Record<string, string>> => {
  const refused = request.accepted === false
  const seconds = Math.max(refused ? 1 : 0, Math.ceil(request.resetAfter / 1000))
  return {
    "ratelimit-policy": `"default";q=${request.rate.limit};w=${request.rate.window / 1000}`,
    ratelimit: `"default";r=${request.remaining};t=${seconds}`,
    ...(refused ? { "retry-after": String(seconds) } : {}),
  }
}

const refusals = counters(
  "designwire_rate_limit_refusals_total",
  "Requests that a rate limit has refused, by the limit",
  combinations({ limit: ["token", "manage_key"] }),
)

/** Counts a request that the rate limit of an API token has refused, or the limit on wrong management keys. */
export const countRefusal = (limit: "token" | "manage_key"): Effect.Effect<void> =>
  Metric.update(refusals({ limit }), 1)
