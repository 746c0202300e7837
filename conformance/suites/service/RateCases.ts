import { Clock, Effect, type Redacted } from "effect"
import { equal, holds } from "../Assertion.ts"
import { CaseSkipped } from "../runner/CaseSkipped.ts"
import { ask, isError } from "./Asking.ts"
import { newShop, newToken, sell } from "./Filling.ts"
import { observed } from "./Observing.ts"
import { shopInput } from "./Samples.ts"
import { Driver, driving, observing, type RestAnswer } from "./ServiceCase.ts"

/** The members of `"default";r=119;t=60`. */
const standing = Effect.fnUntraced(function* (what: string, { headers }: RestAnswer) {
  const policy = headers["ratelimit-policy"]?.replaceAll(" ", "")
  yield* equal(`${what}: RateLimit-Policy`, policy, '"default";q=120;w=60')
  const text = headers["ratelimit"]?.replaceAll(" ", "") ?? "(none)"
  const [, left, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(text) ?? []
  yield* holds(`${what}: RateLimit has the form: ${text}`, left !== undefined && seconds !== undefined)
  return { left: Number(left), seconds: Number(seconds) }
})

/** Uses up a token's limit for a minute; returns the time of the first request. */
const exhaust = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
  const began = yield* Clock.currentTimeMillis
  const statuses = yield* Effect.forEach(
    Array.from({ length: 150 }),
    () => Effect.map(ask(token, "/orders?limit=1"), ({ status }) => status),
    { concurrency: 10 },
  )
  const took = (yield* Clock.currentTimeMillis) - began
  if (took > 40_000) yield* new CaseSkipped({ message: "150 requests took over 40 s: too long to judge a minute by" })
  const count = (wanted: number) => statuses.filter((status) => status === wanted).length
  yield* equal("accepted and refused of 150 requests at once", [count(200), count(429)], [120, 30])
  return began
})

const tooMany = Effect.fnUntraced(function* (what: string, answer: RestAnswer) {
  yield* isError(what, answer, 429)
  const wait = Number(answer.headers["retry-after"] ?? "x")
  yield* holds(
    `${what}: Retry-After is whole seconds, 1 to 60: ${wait}`,
    Number.isInteger(wait) && wait >= 1 && wait <= 60,
  )
  yield* equal(`${what}: remaining`, (yield* standing(what, answer)).left, 0)
  return wait
})

/** The request limit of a token: §8, D16. */
export const rateCases = [
  ...observing([
    {
      id: "rates.headers",
      title:
        "MUST send policy, remaining requests and reset time with every response to a known token, and count errors",
      requirements: ["D16"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const [method, path, status] of [
          ["GET", "/orders?limit=1", 200],
          ["HEAD", "/orders?limit=1", 200],
          ["GET", "/orders?limit=0", 400],
          ["GET", "/orders/nobodys-order", 404],
          ["GET", "/nothing", 404],
          ["POST", "/orders", 405],
        ] as const) {
          const answer = yield* ask(token, path, { method })
          yield* equal(`${method} ${path}`, answer.status, status)
          const { left, seconds } = yield* standing(`${method} ${path}`, answer)
          yield* holds(`r is 0 to 119 (${left}), t 1 to 60 (${seconds})`, left <= 119 && seconds >= 1 && seconds <= 60)
          yield* equal(`${method} ${path}: Retry-After`, answer.headers["retry-after"], undefined)
        }
      }),
    },
  ]),
  ...driving([
    {
      id: "rates.count",
      title: "MUST count every request of a known token, including those answered with 304, 400, 404 and 405",
      requirements: ["D16"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sell(shop, "o", ["d"])
        const first = yield* ask(shop.token, "/designs/d")
        yield* equal("the first request", (yield* standing("the first request", first)).left, 119)
        let left = 119
        for (const [method, path, status, headers] of [
          ["GET", "/orders", 200, {}],
          ["HEAD", "/orders", 200, {}],
          ["GET", "/designs/d", 304, { "if-none-match": first.headers["etag"] ?? "" }],
          ["GET", "/orders?limit=0", 400, {}],
          ["GET", "/orders", 400, { "x-api-version": "1" }],
          ["GET", "/orders/nobodys", 404, {}],
          ["GET", "/nothing", 404, {}],
          ["POST", "/orders", 405, {}],
        ] as const) {
          const answer = yield* ask(shop.token, path, { method, headers })
          yield* equal(`${method} ${path}`, answer.status, status)
          left -= 1
          yield* equal(`${method} ${path}: r`, (yield* standing(`${method} ${path}`, answer)).left, left)
        }
      }),
    },
    {
      id: "rates.plan",
      title: "MUST send the token's standing with each 403, and not count it",
      requirements: ["D8", "D16"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        yield* equal("the first request", (yield* standing("it", yield* ask(shop.token, "/orders"))).left, 119)
        yield* driver.putShop({ shop: shop.id, input: { ...shopInput, plan: "free" } })
        // No bound says how soon every host knows; requests accepted until then count.
        const asked = Effect.delay(ask(shop.token, "/orders"), 50)
        const first = yield* Effect.repeat(asked, { until: ({ status }) => status === 403, times: 60 })
        yield* equal("off the plan", first.status, 403)
        const { left } = yield* standing("403", first)
        for (const path of ["/orders", "/orders?limit=0", "/nothing"]) {
          const answer = yield* ask(shop.token, path)
          yield* equal(`${path}: status`, answer.status, 403)
          yield* equal(`${path}: r`, (yield* standing(path, answer)).left, left)
        }
      }),
    },
    {
      id: "rates.limit",
      title:
        "MUST accept exactly 120 requests of a token per minute, answer 429 with Retry-After to others, and count each token",
      requirements: ["§7-4", "§8-1", "D16"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const second = yield* newToken(shop.id)
        yield* exhaust(shop.token)
        yield* tooMany("one more", yield* ask(shop.token, "/orders"))
        const other = yield* ask(second.token, "/orders")
        yield* equal("another token of the shop", [other.status, (yield* standing("it", other)).left], [200, 119])
      }),
    },
    {
      id: "rates.checks",
      title: "MUST answer 429 before 404, 405 and 400",
      requirements: ["D11"],
      run: Effect.gen(function* () {
        const { token } = yield* newShop()
        yield* exhaust(token)
        for (const [method, path, headers] of [
          ["GET", "/orders?limit=0", {}],
          ["GET", "/nothing", {}],
          ["POST", "/orders", {}],
          ["GET", "/orders/nobodys", { "x-api-version": "1999-01" }],
          ["GET", "/customizers/x", {}],
        ] as const) {
          yield* tooMany(`${method} ${path}`, yield* ask(token, path, { method, headers }))
        }
      }),
    },
    {
      id: "rates.window",
      title: "MUST accept a request after Retry-After, when the first one expires, and not count refused requests",
      requirements: ["§8-1", "D16"],
      slow: true,
      timeoutMs: 150_000,
      run: Effect.gen(function* () {
        const { token } = yield* newShop()
        yield* exhaust(token)
        let wait = 0
        for (let index = 0; index < 20; index++) {
          wait = yield* tooMany("refused", yield* ask(token, "/orders"))
          if (wait <= 2) break
          yield* Effect.sleep("2 seconds")
        }
        yield* Effect.sleep(`${wait} seconds`)
        const answer = yield* ask(token, "/orders")
        yield* equal("after Retry-After", answer.status, 200)
        // All were made within a moment, so all expire with the first or shortly after it.
        yield* Effect.sleep("5 seconds")
        const later = yield* ask(token, "/orders")
        const { left } = yield* standing("a little later", later)
        yield* holds(`refused requests did not count: ${left} left`, left >= 100)
      }),
    },
  ]),
]
