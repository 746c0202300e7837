import type { LimitedRequest } from "../usecases/LimitRequest.ts"

/**
 * `RateLimit-Policy` and `RateLimit` as in the IETF draft (D16): what is left, and in how many seconds more is; a refusal says
 * in whole seconds, at least 1, when a request is accepted again.
 */
export const rateLimitHeaders = (request: LimitedRequest): Record<string, string> => {
  const seconds = Math.max(request.accepted ? 0 : 1, Math.ceil(request.resetAfter / 1000))
  return {
    "ratelimit-policy": `"default";q=${request.rate.limit};w=${request.rate.window / 1000}`,
    ratelimit: `"default";r=${request.remaining};t=${seconds}`,
    ...(request.accepted ? {} : { "retry-after": String(seconds) }),
  }
}
