import { describe, expect, it } from "@effect/vitest"
import { rateLimitHeaders } from "./RateLimit.ts"

const rate = { limit: 120, window: 60_000 }

describe("rateLimitHeaders (D16)", () => {
  it.each([
    [{ accepted: true, remaining: 119, resetAfter: 60_000 }, '"default";r=119;t=60', undefined],
    [{ accepted: true, remaining: 0, resetAfter: 1 }, '"default";r=0;t=1', undefined],
    [{ accepted: true, remaining: 5, resetAfter: 0 }, '"default";r=5;t=0', undefined],
    [{ accepted: false, remaining: 0, resetAfter: 59_001 }, '"default";r=0;t=60', "60"],
    [{ accepted: false, remaining: 0, resetAfter: 59_000 }, '"default";r=0;t=59', "59"],
    [{ accepted: false, remaining: 0, resetAfter: 1 }, '"default";r=0;t=1', "1"],
    // At least 1, though it be over already.
    [{ accepted: false, remaining: 0, resetAfter: 0 }, '"default";r=0;t=1', "1"],
  ])("MUST write %j", (decision, ratelimit, retryAfter) => {
    expect(rateLimitHeaders({ ...decision, rate })).toEqual({
      "ratelimit-policy": '"default";q=120;w=60',
      ratelimit,
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    })
  })
})
