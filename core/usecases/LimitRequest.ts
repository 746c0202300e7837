import { Clock, Context, Effect } from "effect"
import { type RateDecision, type RateLimit, RateLimits, type RateStanding } from "../ports/RateLimits.ts"

/** The limit of every token: 120 requests in any 60 seconds (§8, D16). `null` lifts it, e.g. to measure without it. */
export const TokenRateLimit = Context.Reference<RateLimit | null>("designwire/TokenRateLimit", {
  defaultValue: () => ({ limit: 120, window: 60_000 }),
})

/** How a token stands, and the limit that this is told by; times in milliseconds. */
export interface LimitStanding extends RateStanding {
  readonly rate: RateLimit
}

/** A decision and the limit that it was made by; times in milliseconds. */
export interface LimitedRequest extends RateDecision, LimitStanding {}

/**
 * Counts a request against its token's limit, if it is accepted, over all hosts that share the store (D16).
 * `undefined` where there is no limit.
 */
export const limitRequest = Effect.fnUntraced(function* (shop: string, tokenId: string) {
  const rate = yield* TokenRateLimit
  if (rate === null) return undefined
  const now = yield* Clock.currentTimeMillis
  const decision = yield* RateLimits.use((limits) => limits.take({ shop, tokenId, now, rate }))
  const limited: LimitedRequest = { ...decision, rate }
  return limited
})

/** How a token stands against its limit (D16), counting nothing. `undefined` where there is no limit. */
export const limitStanding = Effect.fnUntraced(function* (shop: string, tokenId: string) {
  const rate = yield* TokenRateLimit
  if (rate === null) return undefined
  const now = yield* Clock.currentTimeMillis
  const standing: LimitStanding = {
    ...(yield* RateLimits.use((limits) => limits.peek({ shop, tokenId, now, rate }))),
    rate,
  }
  return standing
})
