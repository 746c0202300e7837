import { Effect } from "effect"
import type { Instant } from "../../../../core/model/Instant.ts"
import { type RateDecision, type RateLimit, RateLimits, type RateState } from "../../../../core/ports/RateLimits.ts"
import { equal } from "../../Assertion.ts"
import { calling, type ListedCase, onOtherHost } from "../StorageCase.ts"
import { makeShop, unique } from "../support/Fixtures.ts"

const bothHosts = Effect.all([RateLimits, onOtherHost(RateLimits)])

/** A whole minute, at which fixed windows would start. */
const minute: Instant = Date.UTC(2026, 9, 5, 14, 48)

/** §8: 120 requests a minute. */
const specified: RateLimit = { limit: 120, window: 60_000 }

const accepted = (remaining: number, resetAfter: number): RateDecision => ({ accepted: true, remaining, resetAfter })
const refused = (resetAfter: number): RateDecision => ({ accepted: false, remaining: 0, resetAfter })

/** Requests of a unique token: `[milliseconds after the minute, limit, host, expected decision]`. */
type Step = readonly [at: number, limit: number, host: 0 | 1, expected: RateDecision]

/** A case of consecutive requests in a window of one second. */
const sequence = (id: string, title: string, steps: ReadonlyArray<Step>): ListedCase => ({
  id,
  title,
  requirements: ["§8-1", "D16"],
  run: Effect.gen(function* () {
    const hosts = yield* bothHosts
    const token = { shop: makeShop().id, tokenId: `tok_${unique()}` }
    for (const [index, [at, limit, host, expected]] of steps.entries()) {
      const decision = yield* hosts[host].take({ ...token, now: minute + at, rate: { limit, window: 1_000 } })
      yield* equal(`request ${index} at ${at} ms`, decision, expected)
    }
  }),
})

/** A case of 400 requests with random times and limits in a window of one second, each decided as defined. */
const model = (
  id: string,
  title: string,
  { behind, limits }: { readonly behind: number; readonly limits: ReadonlyArray<number> },
): ListedCase => ({
  id,
  title,
  requirements: ["§8-1", "D16"],
  run: Effect.gen(function* () {
    const hosts = yield* bothHosts
    const token = { shop: makeShop().id, tokenId: `tok_${unique()}` }
    const decide = defined(1_000)
    let now = minute
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let index = 0; index < 400; index++) {
      now += random(10) === 0 ? random(1_500) : random(150)
      const at = now - (random(4) === 0 ? random(behind) : 0)
      const limit = limits[random(limits.length)] ?? 1
      const decision = yield* hosts[random(2) === 0 ? 0 : 1].take({ ...token, now: at, rate: { limit, window: 1_000 } })
      yield* equal(`request ${index} at ${at - minute} ms, limit ${limit}`, decision, decide(at, limit))
    }
  }),
})

/** The contract of `RateLimits`. */
export const rateLimitsCases = calling(RateLimits)([
  {
    id: "rate.limit",
    title: "MUST accept exactly 120 a minute and return how many are left and when the first one expires",
    requirements: ["§8-1", "D16"],
    run: Effect.gen(function* () {
      const [limits] = yield* bothHosts
      const token = { shop: makeShop().id, tokenId: `tok_${unique()}` }
      for (let index = 0; index < 120; index++) {
        const decision = yield* limits.take({ ...token, now: minute + index, rate: specified })
        yield* equal(`request ${index}`, decision, accepted(119 - index, 60_000 - index))
      }
      yield* equal("one more", yield* limits.take({ ...token, now: minute + 120, rate: specified }), refused(59_880))
    }),
  },
  sequence("rate.values", "MUST count each request for one window from its time, and return exact values", [
    [0, 3, 0, accepted(2, 1_000)],
    [100, 3, 0, accepted(1, 900)],
    [400, 3, 0, accepted(0, 600)],
    [500, 3, 0, refused(500)],
    [999, 3, 0, refused(1)],
    [1_000, 3, 0, accepted(0, 100)],
    [1_099, 3, 0, refused(1)],
    [1_100, 3, 0, accepted(0, 300)],
    [1_900, 3, 0, accepted(0, 100)],
    // Two expire together.
    [2_150, 3, 0, accepted(1, 750)],
    [9_000, 3, 0, accepted(2, 1_000)],
  ]),
  sequence(
    "rate.one",
    "MUST hold a limit of 1: refused a millisecond before the window has passed, accepted after it",
    [
      [0, 1, 0, accepted(0, 1_000)],
      [0, 1, 0, refused(1_000)],
      [999, 1, 0, refused(1)],
      [1_000, 1, 0, accepted(0, 1_000)],
      [1_999, 1, 0, refused(1)],
      [2_000, 1, 0, accepted(0, 1_000)],
    ],
  ),
  sequence("rate.sliding", "MUST slide: no span holds more than the limit, wherever it starts", [
    [998, 2, 0, accepted(1, 1_000)],
    [999, 2, 0, accepted(0, 999)],
    [1_000, 2, 0, refused(998)],
    [1_500, 2, 0, refused(498)],
    [1_997, 2, 0, refused(1)],
    [1_998, 2, 0, accepted(0, 1)],
    [1_998, 2, 0, refused(1)],
    [1_999, 2, 0, accepted(0, 999)],
    [2_000, 2, 0, refused(998)],
  ]),
  sequence("rate.refused", "MUST NOT count refused requests", [
    [0, 1, 0, accepted(0, 1_000)],
    ...Array.from(
      { length: 50 },
      (_, index): Step => [index * 20, 1, index % 2 === 0 ? 0 : 1, refused(1_000 - index * 20)],
    ),
    [1_000, 1, 0, accepted(0, 1_000)],
  ]),
  sequence("rate.hosts", "MUST count the requests of all hosts together", [
    [0, 3, 0, accepted(2, 1_000)],
    [1, 3, 1, accepted(1, 999)],
    [2, 3, 0, accepted(0, 998)],
    [3, 3, 1, refused(997)],
    [3, 3, 0, refused(997)],
    [1_000, 3, 1, accepted(0, 1)],
    [1_000, 3, 0, refused(1)],
  ]),
  sequence(
    "rate.clock.behind",
    "MUST treat a time before the latest counted one as that one, and measure the wait from the caller's own time",
    [
      [5_000, 3, 0, accepted(2, 1_000)],
      // A host with a slow clock finds no room in the past, and its requests do not expire early.
      // Its wait is in its own time: the counted requests expire at 6 s.
      [0, 3, 1, accepted(1, 6_000)],
      [4_999, 3, 1, accepted(0, 1_001)],
      [0, 3, 1, refused(6_000)],
      [5_999, 3, 0, refused(1)],
      [4_000, 3, 1, refused(2_000)],
      [6_000, 3, 0, accepted(2, 1_000)],
    ],
  ),
  sequence("rate.clock.refused", "MUST NOT treat the time of a refused request as a counted one", [
    [0, 1, 0, accepted(0, 1_000)],
    [900, 1, 0, refused(100)],
    [100, 1, 1, refused(900)],
    [1_000, 1, 1, accepted(0, 1_000)],
  ]),
  sequence("rate.limit.raised", "MUST apply a higher limit to requests counted under a lower one", [
    [0, 1, 0, accepted(0, 1_000)],
    [1, 1, 0, refused(999)],
    [2, 3, 1, accepted(1, 998)],
    [3, 3, 0, accepted(0, 997)],
    [4, 3, 0, refused(996)],
  ]),
  sequence("rate.limit.lowered", "MUST apply a lower limit, and return when enough have expired for one more", [
    [0, 4, 0, accepted(3, 1_000)],
    [100, 4, 0, accepted(2, 900)],
    [200, 4, 0, accepted(1, 800)],
    [300, 2, 0, refused(800)],
    [300, 1, 1, refused(900)],
    [300, 3, 0, refused(700)],
    [1_099, 2, 0, refused(1)],
    [1_100, 2, 0, accepted(0, 100)],
    [1_199, 1, 0, refused(901)],
  ]),
  {
    id: "rate.peek",
    title: "MUST report a token's standing on every host as the next request would find it, without counting",
    requirements: ["D16"],
    run: Effect.gen(function* () {
      const [limits, other] = yield* bothHosts
      const token = { shop: makeShop().id, tokenId: `tok_${unique()}` }
      const asked = (at: number, limit = 2) => ({ ...token, now: minute + at, rate: { limit, window: 1_000 } })
      const stands = Effect.fnUntraced(function* (at: number, expected: RateState, limit?: number) {
        for (const host of [limits, other, limits]) {
          yield* equal(`at ${at} ms, limit ${limit}`, yield* host.peek(asked(at, limit)), expected)
        }
      })
      yield* stands(0, { remaining: 2, resetAfter: 0 })
      yield* equal("the first", yield* limits.take(asked(0)), accepted(1, 1_000))
      yield* stands(400, { remaining: 1, resetAfter: 600 })
      yield* equal("the second", yield* limits.take(asked(500)), accepted(0, 500))
      yield* stands(600, { remaining: 0, resetAfter: 400 })
      yield* stands(600, { remaining: 1, resetAfter: 400 }, 3)
      yield* stands(600, { remaining: 0, resetAfter: 900 }, 1)
      // A slow clock.
      yield* stands(300, { remaining: 0, resetAfter: 700 })
      yield* stands(1_000, { remaining: 1, resetAfter: 500 })
      yield* equal("the third", yield* limits.take(asked(1_000)), accepted(0, 500))
      yield* stands(2_000, { remaining: 2, resetAfter: 0 })
      const elsewhere = yield* limits.peek({ ...asked(1_000), tokenId: `tok_${unique()}` })
      yield* equal("another token", elsewhere, { remaining: 2, resetAfter: 0 })
    }),
  },
  {
    id: "rate.apart.concurrent",
    title: "MUST count each token of each shop separately when requests of many arrive at once",
    requirements: ["§8-1", "D9", "D16"],
    run: Effect.gen(function* () {
      const [limits] = yield* bothHosts
      const shops = [makeShop().id, makeShop().id, makeShop().id]
      const tokenIds = [`tok_${unique()}`, `tok_${unique()}`]
      const rate = { limit: 2, window: 1_000 }
      const tokens = shops.flatMap((shop) => tokenIds.map((tokenId) => ({ shop, tokenId, now: minute, rate })))
      const decisions = yield* Effect.forEach([...tokens, ...tokens, ...tokens], (token) => limits.take(token), {
        concurrency: "unbounded",
      })
      for (const [index, token] of tokens.entries()) {
        const own = decisions.filter((_, at) => at % tokens.length === index)
        yield* equal(
          "remaining requests of each",
          own.map(({ accepted, remaining }) => [accepted, remaining]).toSorted(),
          [
            [false, 0],
            [true, 0],
            [true, 1],
          ],
        )
        yield* equal("how it stands", (yield* limits.peek(token)).remaining, 0)
      }
    }),
  },
  {
    id: "rate.apart",
    title: "MUST count each token of each shop separately, even tokens with the same id in two shops",
    requirements: ["§8-1", "D9"],
    run: Effect.gen(function* () {
      const [limits] = yield* bothHosts
      const [shop, otherShop] = [makeShop().id, makeShop().id]
      const [tokenId, otherTokenId] = [`tok_${unique()}`, `tok_${unique()}`]
      const rate = { limit: 1, window: 1_000 }
      const first = { shop, tokenId, now: minute, rate }
      yield* equal("the first", yield* limits.take(first), accepted(0, 1_000))
      yield* equal("another token", yield* limits.take({ ...first, tokenId: otherTokenId }), accepted(0, 1_000))
      yield* equal("another shop", yield* limits.take({ ...first, shop: otherShop }), accepted(0, 1_000))
      yield* equal("the first again", yield* limits.take(first), refused(1_000))
    }),
  },
  {
    id: "rate.concurrent",
    rounds: 5,
    title:
      "MUST accept exactly the limit of many simultaneous requests on two hosts, each with a different number left",
    requirements: ["§8-1", "D16"],
    run: Effect.gen(function* () {
      const hosts = yield* bothHosts
      const token = { shop: makeShop().id, tokenId: `tok_${unique()}` }
      const decisions = yield* Effect.forEach(
        Array.from({ length: 150 }, () => hosts).flat(),
        (limits) => limits.take({ ...token, now: minute, rate: specified }),
        { concurrency: "unbounded" },
      )
      const left = decisions.filter((decision) => decision.accepted).map(({ remaining }) => remaining)
      yield* equal(
        "remaining requests after each accepted one",
        left.toSorted((a, b) => b - a),
        Array.from({ length: 120 }, (_, index) => 119 - index),
      )
      for (const decision of decisions) {
        if (!decision.accepted) yield* equal("a refused request", decision, refused(60_000))
      }
    }),
  },
  {
    id: "rate.concurrent.clocks",
    title: "MUST NOT expire a request early because one with an earlier time arrived at the same moment",
    requirements: ["§8-1", "D16"],
    run: Effect.gen(function* () {
      const [limits] = yield* bothHosts
      const token = { shop: makeShop().id, tokenId: `tok_${unique()}` }
      const take = (at: number) => limits.take({ ...token, now: minute + at, rate: { limit: 2, window: 1_000 } })
      yield* Effect.all([take(5_000), take(4_001)], { concurrency: "unbounded" })
      yield* take(5_002)
      // Whichever came first, one of 5,000 and two others are within the window, or one and the two at 5,000.
      yield* equal("whether another is accepted", (yield* take(5_003)).accepted, false)
    }),
  },
  {
    id: "rate.concurrent.spread",
    rounds: 5,
    title: "MUST accept at most the limit in any span when hosts' clocks differ and requests arrive at once",
    requirements: ["§8-1", "D16"],
    run: Effect.gen(function* () {
      const hosts = yield* bothHosts
      const token = { shop: makeShop().id, tokenId: `tok_${unique()}` }
      const rate = { limit: 10, window: 1_000 }
      // All within one window: whichever comes first, exactly ten are accepted.
      const decisions = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, index) => ((index * 7) % 60) * 16),
        (at, index) => hosts[index % 2 === 0 ? 0 : 1].take({ ...token, now: minute + at, rate }),
        { concurrency: "unbounded" },
      )
      yield* equal("accepted", decisions.filter((decision) => decision.accepted).length, 10)
    }),
  },
  sequence("rate.refused.later", "MUST NOT expire counted requests because of a refused request with a later time", [
    [0, 2, 0, accepted(1, 1_000)],
    [900, 2, 0, accepted(0, 100)],
    [1_050, 1, 1, refused(850)],
    // On this host's clock the first was less than a second ago.
    [950, 2, 0, refused(50)],
    [1_000, 2, 0, accepted(0, 900)],
  ]),
  model("rate.model.clocks", "MUST decide a long run of requests as defined while clocks differ", {
    behind: 300,
    limits: [6],
  }),
  model("rate.model.limits", "MUST decide a long run of requests as defined while the limit changes", {
    behind: 1,
    limits: [6, 6, 6, 6, 1, 3, 8],
  }),
])

/** D16 word for word, ignoring speed. */
const defined = (window: number) => {
  const counted: Array<Instant> = []
  return (now: Instant, limit: number): RateDecision => {
    const at = Math.max(now, ...counted)
    const within = (time: Instant) => counted.filter((other) => time < other + window)
    if (within(at).length < limit) {
      counted.push(at)
      return accepted(limit - within(at).length, Math.min(...within(at)) + window - now)
    }
    let later = at
    while (within(later).length >= limit) later++
    return refused(later - now)
  }
}
