import { Clock, Context, Effect, Layer } from "effect"
import { type RateDecision, type RateLimit, RateLimits } from "../ports/RateLimits.ts"
import type { StorageError } from "../ports/StorageError.ts"

/** The limit of every token: 120 requests in any 60 seconds (§8, D16). `null` lifts it, e.g. to measure without it. */
export const TokenRateLimit = Context.Reference<RateLimit | null>("designwire/TokenRateLimit", {
  defaultValue: () => ({ limit: 120, window: 60_000 }),
})

/** A decision and the limit that it was made by; times in milliseconds. */
export interface LimitedRequest extends RateDecision {
  readonly rate: RateLimit
}

/** Counts requests against their token's limit, over all hosts that share the store (D16). */
export class LimitRequests extends Context.Service<
  LimitRequests,
  {
    /** Counts one request, if it is accepted; `undefined` where there is no limit. */
    readonly take: (shop: string, tokenId: string) => Effect.Effect<LimitedRequest | undefined, StorageError>
  }
>()("designwire/LimitRequests") {
  static readonly layer: Layer.Layer<LimitRequests, never, RateLimits> = Layer.effect(
    LimitRequests,
    Effect.map(RateLimits, (limits) => ({
      take: Effect.fnUntraced(function* (shop: string, tokenId: string) {
        const rate = yield* TokenRateLimit
        if (rate === null) return undefined
        const now = yield* Clock.currentTimeMillis
        return { ...(yield* limits.take({ shop, tokenId, now, rate })), rate }
      }),
    })),
  )
}
