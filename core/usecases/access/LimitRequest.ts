import { Clock, Context, Effect } from "effect"
import { type RateDecision, type RateLimit, RateLimits, type RateState } from "../../ports/RateLimits.ts"

/** A limit of requests in any 60 seconds. */
export const perMinute = (limit: number): RateLimit => ({ limit, window: 60_000 })

/** The specified limit of a token: requests in any 60 seconds (§8, D16). */
export const defaultRateLimit = 120

/** The limit of every token: {@link defaultRateLimit} a minute. `null` lifts it, e.g. for benchmarks. */
export const TokenRateLimit = Context.Reference<RateLimit | null>("designwire/TokenRateLimit", {
  defaultValue: () => perMinute(defaultRateLimit),
})

/** A token's use of its limit, and the limit; times in milliseconds. */
export interface LimitState extends RateState {
  readonly rate: RateLimit
}

/** A decision and its limit; times in milliseconds. */
export interface LimitedRequest extends RateDecision, LimitState {}

/**
 * Decides on a request by its token's limit, and counts it if it is accepted, over all hosts that share the store
 * (D16). `undefined` without a limit.
 */
export const limitRequest = Effect.fnUntraced(function* (shop: string, tokenId: string) {
  const rate = yield* TokenRateLimit
  if (rate === null) return undefined
  const now = yield* Clock.currentTimeMillis
  const decision = yield* RateLimits.use((limits) => limits.take({ shop, tokenId, now, rate }))
  const limited: LimitedRequest = { ...decision, rate }
  return limited
})

/** A token's use of its limit (D16); counts nothing. `undefined` without a limit. */
export const readLimit = Effect.fnUntraced(function* (shop: string, tokenId: string) {
  const rate = yield* TokenRateLimit
  if (rate === null) return undefined
  const now = yield* Clock.currentTimeMillis
  const standing: LimitState = {
    ...(yield* RateLimits.use((limits) => limits.peek({ shop, tokenId, now, rate }))),
    rate,
  }
  return standing
})
