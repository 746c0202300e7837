import { Effect } from "effect"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { holdingsOf, type State } from "./State.ts"

/** Rate limits in memory: the times of all counted requests, of which there are never more than the limit. */
export const make = (state: State): RateLimits["Service"] =>
  RateLimits.of({
    take: ({ shop, tokenId, now, rate: { limit, window } }) =>
      Effect.sync(() => {
        const { counted } = holdingsOf(state, shop)
        const times = counted.get(tokenId) ?? []
        counted.set(tokenId, times)
        const at = Math.max(now, times.at(-1) ?? now)
        const gone = times.findIndex((time) => time > at - window)
        times.splice(0, gone === -1 ? times.length : gone)
        const accepted = times.length < limit
        if (accepted) times.push(at)
        // After the limit was lowered, more than one must leave before the next is accepted.
        const leaves = times[Math.max(0, times.length - limit)] ?? at
        return {
          accepted,
          remaining: Math.max(0, limit - times.length),
          resetAfter: (accepted ? (times[0] ?? at) : leaves) + window - at
        }
      })
  })
