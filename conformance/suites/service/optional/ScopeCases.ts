import { Effect, Redacted } from "effect"
import { allScopes, type TokenScope } from "../../../../core/model/access/Token.ts"
import { equal, holds } from "../../Assertion.ts"
import { ask, isError } from "../Asking.ts"
import { isRefused, newShop, type OwnShop, sell } from "../Filling.ts"
import { Driver, driving } from "../ServiceCase.ts"

const limitedToken = Effect.fnUntraced(function* (
  { id }: OwnShop,
  limits: { readonly expiresAt?: string; readonly scopes?: ReadonlyArray<string> },
) {
  const { token } = yield* (yield* Driver).createLimitedToken({ shop: id, ...limits })
  return Redacted.make(token)
})

/** Paths of things that exist and of things that don't, by scope. */
const paths: ReadonlyArray<readonly [TokenScope, ReadonlyArray<string>]> = [
  ["orders:read", ["/orders", "/orders?limit=0", "/orders/1", "/orders/nobodys"]],
  ["designs:read", ["/designs/a", "/designs/nobodys"]],
  ["customizers:read", ["/customizers/101", "/customizers/999", "/customizers/x"]],
]

/** The first path of each scope, where there is something. */
const found = paths.map(([scope, [path = ""]]) => [scope, path] as const)

/** Milliseconds until a token of a case ends: enough to use it once before. */
const lifetime = 5_000

/** A day in milliseconds. */
const day = 86_400_000

const fromNow = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()

/** Tokens with an end or with some scopes, which the specification does not require: a service may lack them. */
export const scopeCases = driving([
  {
    id: "scopes.refused",
    title: "MUST answer 403 and name the scope at every path out of a token's scopes, whatever is there",
    requirements: ["D11", "D77"],
    needs: ["tokenScopes"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      yield* sell(shop, "1", ["a"])
      for (const [scope, path] of found) {
        const token = yield* limitedToken(shop, { scopes: [scope] })
        yield* equal(`${path} with ${scope}`, (yield* ask(token, path)).status, 200)
        for (const [needed, others] of paths.filter(([other]) => other !== scope)) {
          const messages: Array<string> = []
          for (const other of others) {
            const what = `${other} with ${scope}`
            const answer = yield* ask(token, other)
            messages.push(yield* isError(what, answer, 403))
            const challenge = answer.headers["www-authenticate"]
            yield* equal(`${what}: challenge`, challenge, `Bearer error="insufficient_scope", scope="${needed}"`)
          }
          yield* holds(`the message names ${needed}: ${messages[0]}`, messages[0]?.includes(needed) === true)
          yield* equal(`messages for ${needed}`, new Set(messages).size, 1)
        }
        yield* isError(`no address with ${scope}`, yield* ask(token, "/nothing"), 404)
      }
    }),
  },
  {
    id: "scopes.feed",
    title: "MUST show the feed to tokens with its scope alone",
    requirements: ["D39", "D77"],
    needs: ["tokenScopes", "feed"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const [feed, rest] = [
        yield* limitedToken(shop, { scopes: ["events:read"] }),
        yield* limitedToken(shop, { scopes: allScopes.filter((scope) => scope !== "events:read") }),
      ]
      yield* equal("the feed", (yield* ask(feed, "/events")).status, 200)
      yield* isError("orders", yield* ask(feed, "/orders"), 403)
      yield* equal("orders", (yield* ask(rest, "/orders")).status, 200)
      yield* isError("the feed", yield* ask(rest, "/events?after=x"), 403)
    }),
  },
  {
    id: "scopes.end",
    title: "MUST answer to a token from its end on as to an unknown one, even if it was used just before",
    requirements: ["§5-5", "D11", "D77"],
    needs: ["tokenScopes"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const token = yield* limitedToken(shop, { expiresAt: fromNow(lifetime) })
      const later = yield* limitedToken(shop, { expiresAt: fromNow(day) })
      const ending = yield* Effect.repeat(Effect.delay(ask(token, "/orders"), 100), {
        until: ({ status }) => status !== 200,
        times: (10 * lifetime) / 100,
      })
      const unknown = yield* ask(Redacted.make("cmz_UtbT7scko0MKa9Wy4s8OSJE3vER9AkuRDqeB3z4Pg2n3mzM6b"), "/orders")
      yield* isError("the token after its end", ending, 401)
      yield* equal("the body", ending.text, unknown.text)
      const names = ["www-authenticate", "ratelimit", "ratelimit-policy", "content-length"]
      for (const name of names) yield* equal(name, ending.headers[name], unknown.headers[name])
      for (const path of ["/orders/nobodys", "/nothing"]) yield* isError(path, yield* ask(token, path), 401)
      yield* equal("a token that ends later", (yield* ask(later, "/orders")).status, 200)
    }),
  },
  {
    id: "scopes.input",
    title: "MUST refuse a token without scopes, with an unknown one, with one twice, and with an end that has come",
    requirements: ["D77"],
    needs: ["tokenScopes"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      for (const scopes of [[], ["orders:write"], ["orders:read", "orders:read"]]) {
        yield* isRefused(`the scopes ${JSON.stringify(scopes)}`, limitedToken(shop, { scopes }))
      }
      for (const expiresAt of ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00", "tomorrow", ""]) {
        yield* isRefused(`the end ${JSON.stringify(expiresAt)}`, limitedToken(shop, { expiresAt }))
      }
      const token = yield* limitedToken(shop, {})
      for (const [, path] of found.filter(([scope]) => scope !== "designs:read")) {
        yield* equal(`${path} without limits`, (yield* ask(token, path)).status, 200)
      }
    }),
  },
])
