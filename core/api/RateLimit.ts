import type { LimitStanding } from "../usecases/LimitRequest.ts"

/**
 * `RateLimit-Policy` and `RateLimit` as in the IETF draft (D16): what is left, and in how many seconds more is; a refusal says
 * in whole seconds, at least 1, when a request is accepted again.
 */
export const rateLimitHeaders = (
  request: LimitStanding & { readonly accepted?: boolean },
): Readonly<Record<string, string>> => {
  const refused = request.accepted === false
  const seconds = Math.max(refused ? 1 : 0, Math.ceil(request.resetAfter / 1000))
  return {
    "ratelimit-policy": `"default";q=${request.rate.limit};w=${request.rate.window / 1000}`,
    ratelimit: `"default";r=${request.remaining};t=${seconds}`,
    ...(refused ? { "retry-after": String(seconds) } : {}),
  }
}
