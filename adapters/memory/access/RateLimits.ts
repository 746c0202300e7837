import { Effect } from "effect"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import { holdingsOf, type State } from "../State.ts"

/** Rate limits in memory: the times of counted requests, at most the limit per window. */
export const makeRateLimits = (state: State): RateLimits["Service"] =>
  RateLimits.of({
    take: ({ shop, tokenId, now, rate: { limit, window } }) =>
      Effect.sync(() => {
        const { counted } = holdingsOf(state, shop)
        const kept = counted.get(tokenId) ?? []
        const at = Math.max(now, kept.at(-1) ?? now)
        const times = kept.filter((time) => time > at - window)
        const accepted = times.length < limit
        if (accepted) {
          times.push(at)
          // Only now may any be forgotten: the next request's time may be before a refused request's time.
          counted.set(tokenId, times)
        }
        // After the limit was lowered, more than one must leave before the next is accepted.
        const leaves = times[accepted ? 0 : times.length - limit] ?? at
        return { accepted, remaining: Math.max(0, limit - times.length), resetAfter: leaves + window - now }
      }),
    peek: ({ shop, tokenId, now, rate: { limit, window } }) =>
      Effect.sync(() => {
        const kept = holdingsOf(state, shop).counted.get(tokenId) ?? []
        const at = Math.max(now, kept.at(-1) ?? now)
        const times = kept.filter((time) => time > at - window)
        const leaves = times[Math.max(0, times.length - limit)]
        return {
          remaining: Math.max(0, limit - times.length),
          resetAfter: leaves === undefined ? 0 : leaves + window - now,
        }
      }),
  })
