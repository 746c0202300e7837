import { Effect, Option, type Scope } from "effect"
import type { TokenRecord } from "../../../../core/model/access/Token.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { equal, holds, none, some } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { hostileTexts, makeShop, makeToken, newShop, someTime, unique } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"

const bothHosts = Effect.all([TokenStore, onOtherHost(TokenStore)])

/** The contract of `TokenStore`. */
export const tokenStoreCases = calling(
  ShopStore,
  TokenStore,
)([
  {
    id: "tokens.find.digest",
    title: "MUST find a token by its digest exactly as added, with its shop, at once on every host",
    requirements: ["§5-3", "D18", "D77"],
    run: Effect.gen(function* () {
      const shop = makeShop({ plan: "plus", roundingStep: 5 })
      yield* (yield* ShopStore).put(shop)
      const given = [
        makeToken(shop.id),
        makeToken(shop.id, { createdAt: 0, lastUsedAt: 1 }),
        makeToken(shop.id, { createdAt: -62_135_596_800_000, lastUsedAt: 253_402_300_799_999 }),
        makeToken(shop.id, { createdAt: 0, expiresAt: 1, scopes: ["events:read"] }),
        makeToken(shop.id, { expiresAt: 253_402_300_799_999, scopes: ["designs:read", "orders:read"] }),
        makeToken(shop.id, { name: "\u{1f600}".repeat(255), hint: "0000" }),
        ...hostileTexts.filter((text) => text.length < 255).map((name) => makeToken(shop.id, { name })),
      ]
      const [tokens, otherTokens] = yield* bothHosts
      for (const token of given) {
        yield* tokens.add(token, 100)
        for (const host of [tokens, otherTokens]) {
          const found = Option.some({ token, shop, committed: true })
          yield* equal("the token", yield* host.find(token.digest), found)
        }
      }
      const listed = yield* otherTokens.list(shop.id)
      for (const token of given) {
        yield* equal(
          "the token in the list",
          listed.find(({ id }) => id === token.id),
          token,
        )
      }
    }),
  },
  {
    id: "tokens.add.maximum",
    title:
      "MUST store up to the caller's maximum of tokens per shop and return false for one more, until one is revoked",
    requirements: ["D56"],
    run: Effect.gen(function* () {
      const [shop, otherShop] = [yield* newShop, yield* newShop]
      const both = yield* bothHosts
      const [first, second, third, fourth] = [
        makeToken(shop, { createdAt: 1 }),
        makeToken(shop, { createdAt: 2 }),
        makeToken(shop, { createdAt: 3 }),
        makeToken(shop, { createdAt: 4 }),
      ] as const
      for (const token of [first, second, third]) yield* equal("one of three", yield* both[0].add(token, 3), true)
      for (const host of both) {
        yield* equal("the fourth", yield* host.add(fourth, 3), false)
        yield* none("the fourth", yield* host.find(fourth.digest))
        yield* equal("all of them", yield* host.list(shop), [third, second, first])
      }
      yield* equal("another shop's", yield* both[1].add(makeToken(otherShop), 3), true)
      yield* both[0].revoke(shop, second.id)
      yield* equal("with a lower maximum", yield* both[1].add(fourth, 2), false)
      yield* equal("the fourth, in place of another", yield* both[1].add(fourth, 3), true)
      yield* equal("all of them", yield* both[0].list(shop), [fourth, third, first])
    }),
  },
  {
    id: "tokens.add.race",
    rounds: 5,
    title: "MUST store exactly the maximum of many tokens that are added concurrently on two hosts, even if some exist",
    requirements: ["D56"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const before of [0, 3]) {
        const shop = yield* newShop
        for (let index = 0; index < before; index++) yield* both[0].add(makeToken(shop), 5)
        const racing = Array.from({ length: 20 }, (_, index) => ({
          token: makeToken(shop),
          host: both[index % 2] ?? both[0],
        }))
        const answers = yield* Effect.forEach(racing, ({ host, token }) => host.add(token, 5), {
          concurrency: "unbounded",
        })
        yield* equal("additions that returned true", answers.filter((added) => added).length, 5 - before)
        const found = yield* Effect.forEach(racing, ({ token }) => both[1].find(token.digest))
        yield* equal("found", found.map(Option.isSome), answers)
        for (const host of both) yield* equal("kept", (yield* host.list(shop)).length, 5)
      }
    }),
  },
  {
    id: "tokens.find.unknown",
    title: "MUST return none for a digest that no token has",
    requirements: ["§5-5"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* none("before the token is added", yield* tokens.find(token.digest))
      yield* tokens.add(token, 100)
      const lastDigit = token.digest.endsWith("0") ? "1" : "0"
      yield* none("a digest with another last digit", yield* tokens.find(`${token.digest.slice(0, -1)}${lastDigit}`))
      yield* some("the token, after others were not found", yield* tokens.find(token.digest))
    }),
  },
  {
    id: "tokens.find.shop-now",
    title: "MUST return the current shop: the next find on every host sees a new plan",
    requirements: ["D8"],
    run: Effect.gen(function* () {
      const [tokens, otherTokens] = yield* bothHosts
      const shops = yield* ShopStore
      const shop = makeShop()
      const token = makeToken(shop.id)
      yield* shops.put(shop)
      yield* tokens.add(token, 100)
      for (const plan of ["free", "plus", "pro"] as const) {
        yield* shops.put({ ...shop, plan })
        for (const host of [tokens, otherTokens]) {
          const found = yield* some("the token", yield* host.find(token.digest))
          yield* equal("its shop", found.shop, { ...shop, plan })
        }
      }
    }),
  },
  {
    id: "tokens.list.order",
    title: "MUST list a shop's tokens exactly, newest first to the millisecond",
    requirements: ["§1-7"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const shop = yield* newShop
      yield* equal("no tokens", yield* tokens.list(shop), [])
      const ages = [0, 1, 2, 1_000, 86_400_000, someTime + 1]
      const newestFirst = ages.map((age) => makeToken(shop, { createdAt: someTime - age }))
      for (const at of [3, 0, 5, 1, 4, 2]) {
        yield* Effect.forEach(newestFirst.slice(at, at + 1), (token) => tokens.add(token, 100))
      }
      yield* equal("the tokens", yield* tokens.list(shop), newestFirst)
    }),
  },
  {
    id: "tokens.list.shop",
    title: "MUST NOT list the tokens of another shop",
    requirements: ["§5-3"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const given = [makeToken(yield* newShop), makeToken(yield* newShop)]
      for (const token of given) yield* tokens.add(token, 100)
      for (const token of given) yield* equal("the shop's tokens", yield* tokens.list(token.shop), [token])
    }),
  },
  {
    id: "tokens.revoke.gone",
    title: "MUST remove a revoked token at once, on every host, and no other",
    requirements: ["§5-4", "D18"],
    run: Effect.gen(function* () {
      const [tokens, otherTokens] = yield* bothHosts
      const shop = yield* newShop
      const revoked = makeToken(shop)
      const kept = makeToken(shop)
      yield* tokens.add(revoked, 100)
      yield* tokens.add(kept, 100)
      // Found by both before, to expose a host that caches what it found.
      for (const host of [tokens, otherTokens]) yield* some("the token", yield* host.find(revoked.digest))
      yield* equal("the answer", yield* tokens.revoke(shop, revoked.id), true)
      for (const host of [tokens, otherTokens]) {
        yield* none("the revoked token", yield* host.find(revoked.digest))
        yield* some("the other token", yield* host.find(kept.digest))
        yield* equal("the list", yield* host.list(shop), [kept])
      }
    }),
  },
  {
    id: "tokens.revoke.again",
    title: "MUST return false if the shop never had or no longer has the token",
    requirements: ["§5-4"],
    run: Effect.gen(function* () {
      const [tokens, otherTokens] = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* equal("never there", yield* tokens.revoke(token.shop, token.id), false)
      yield* tokens.add(token, 100)
      yield* equal("there", yield* tokens.revoke(token.shop, token.id), true)
      yield* equal("no longer there", yield* tokens.revoke(token.shop, token.id), false)
      yield* equal("no longer there, for the other host", yield* otherTokens.revoke(token.shop, token.id), false)
    }),
  },
  {
    id: "tokens.revoke.shop",
    title: "MUST NOT revoke a token through another shop",
    requirements: ["§5-3"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* tokens.add(token, 100)
      const heard = yield* listen(tokens)
      yield* equal("the answer", yield* tokens.revoke(yield* newShop, token.id), false)
      yield* some("the token", yield* tokens.find(token.digest))
      yield* holds("no listener was called", !heard.has(token.digest))
    }),
  },
  {
    id: "tokens.revoke.concurrent",
    rounds: 5,
    title: "MUST return true to exactly one of many concurrent revocations of a token on two hosts",
    requirements: ["D18"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* both[0].add(token, 100)
      const answers = yield* Effect.forEach(
        Array.from({ length: 10 }, () => both).flat(),
        (host) => host.revoke(token.shop, token.id),
        { concurrency: "unbounded" },
      )
      yield* equal("revocations that returned true", answers.filter(Boolean).length, 1)
    }),
  },
  {
    id: "tokens.listen.here",
    title: "MUST have run every listener of this host with the token's digest to its end when revoke returns",
    requirements: ["D18"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const shop = yield* newShop
      const [first, second] = [yield* listen(tokens), yield* listen(tokens)]
      for (const token of [makeToken(shop), makeToken(shop)]) {
        yield* tokens.add(token, 100)
        yield* holds("no listener hears of a token that exists", !first.has(token.digest))
        yield* tokens.revoke(shop, token.id)
        yield* holds("the first listener has run", first.has(token.digest))
        yield* holds("the second listener has run", second.has(token.digest))
      }
    }),
  },
  {
    id: "tokens.listen.shop",
    title: "MUST have notified this host's listeners of exactly the shop's tokens when put returns",
    requirements: ["D8"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const shops = yield* ShopStore
      const [shop, other] = [makeShop(), makeShop()]
      yield* shops.put(shop)
      yield* shops.put(other)
      const [first, second, foreign] = [makeToken(shop.id), makeToken(shop.id), makeToken(other.id)]
      for (const token of [first, second, foreign]) yield* tokens.add(token, 100)
      const heard = yield* listen(tokens)
      yield* shops.put({ ...shop, plan: "free" })
      yield* equal(
        "digests heard",
        [first, second, foreign].map(({ digest }) => heard.has(digest)),
        [true, true, false],
      )
    }),
  },
  {
    id: "tokens.listen.scope",
    title: "MUST NOT call a listener after its scope has closed, but still call the others",
    requirements: ["D18"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const shop = yield* newShop
      const [before, after] = [makeToken(shop), makeToken(shop)]
      yield* tokens.add(before, 100)
      yield* tokens.add(after, 100)
      const stays = yield* listen(tokens)
      const goes = yield* Effect.scoped(
        Effect.gen(function* () {
          const heard = yield* listen(tokens)
          yield* tokens.revoke(shop, before.id)
          return heard
        }),
      )
      yield* tokens.revoke(shop, after.id)
      yield* equal(
        "digests heard by the first",
        [before, after].map(({ digest }) => goes.has(digest)),
        [true, false],
      )
      yield* equal(
        "digests heard by the second",
        [before, after].map(({ digest }) => stays.has(digest)),
        [true, true],
      )
    }),
  },
  {
    id: "tokens.listen.same",
    title: "MUST treat a listener that is added twice as two: the end of one leaves the other",
    requirements: ["D18"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const shop = yield* newShop
      const token = makeToken(shop)
      yield* tokens.add(token, 100)
      let heard = 0
      const listener = (digest: string | undefined) =>
        Effect.sync(() => {
          if (digest === token.digest) heard++
        })
      yield* tokens.onChanged(listener)
      yield* Effect.scoped(tokens.onChanged(listener))
      yield* tokens.revoke(shop, token.id)
      yield* holds("the one that stays was called", heard > 0)
    }),
  },
  {
    id: "tokens.listen.transaction",
    title: "MUST notify of a revocation or a put shop in an outer transaction when it is committed, and not before",
    requirements: ["D8", "D18"],
    needs: ["transaction", "notify"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const shops = yield* ShopStore
      const transaction = yield* outerTransaction
      const shop = makeShop()
      yield* shops.put(shop)
      const changes = [
        ["revoked", (token: TokenRecord) => tokens.revoke(token.shop, token.id)],
        ["put", () => shops.put(shop)],
      ] as const
      for (const [what, change] of changes) {
        const token = makeToken(shop.id)
        yield* tokens.add(token, 100)
        const heard = yield* listen(tokens)
        const within = Effect.andThen(
          change(token),
          Effect.suspend(() => holds(`${what}: nobody has heard before the commit`, !heard.has(token.digest))),
        )
        yield* Effect.flip(transaction.run(Effect.andThen(within, Effect.fail("given up"))))
        yield* holds(`${what}: nobody hears of the rolled-back change`, !heard.has(token.digest))
        yield* some(`${what}: the token whose revocation was rolled back`, yield* tokens.find(token.digest))
        yield* transaction.run(within)
        // The commit of another host is heard of a little later.
        yield* waitFor(heard, token.digest)
        yield* holds(`${what}: the listener has run once it is committed`, heard.has(token.digest))
      }
    }),
  },
  {
    id: "tokens.find.transaction",
    title: "MUST mark a token as not committed if it is found within an outer transaction, and only there",
    requirements: ["D18"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [tokens, otherTokens] = yield* bothHosts
      const shops = yield* ShopStore
      const transaction = yield* outerTransaction
      const shop = makeShop({ plan: "free" })
      const token = makeToken(shop.id)
      yield* shops.put(shop)
      yield* transaction.run(
        Effect.gen(function* () {
          yield* tokens.add(token, 100)
          yield* shops.put({ ...shop, plan: "plus" })
          const found = yield* tokens.find(token.digest)
          yield* equal("within", found, Option.some({ token, shop: { ...shop, plan: "plus" }, committed: false }))
          yield* none("elsewhere", yield* otherTokens.find(token.digest))
        }),
      )
      for (const host of [tokens, otherTokens]) {
        const found = yield* some("the token", yield* host.find(token.digest))
        yield* equal("once it is committed", found.committed, true)
      }
    }),
  },
  {
    id: "tokens.listen.elsewhere",
    title: "MUST notify the listeners of the other hosts of a revocation within a second",
    requirements: ["D18"],
    needs: ["notify"],
    run: Effect.gen(function* () {
      const [tokens, otherTokens] = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* tokens.add(token, 100)
      const heard = yield* listen(otherTokens)
      yield* tokens.revoke(token.shop, token.id)
      yield* waitFor(heard, token.digest)
      yield* holds("the listener of the other host was called", heard.has(token.digest))
    }),
  },
  {
    id: "tokens.find.without-transaction",
    title: "MUST mark every token that it finds as committed",
    requirements: ["D18"],
    without: "transaction",
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* both[0].add(token, 100)
      for (const host of both) {
        const found = yield* some("the token", yield* host.find(token.digest))
        yield* equal("whether it is committed", found.committed, true)
      }
    }),
  },
  {
    id: "tokens.listen.without-notify",
    title: "MUST NOT find a token that another host has revoked, even without notification",
    requirements: ["D18"],
    without: "notify",
    run: Effect.gen(function* () {
      const [tokens, otherTokens] = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* tokens.add(token, 100)
      yield* some("before", yield* otherTokens.find(token.digest))
      yield* tokens.revoke(token.shop, token.id)
      yield* none("after", yield* otherTokens.find(token.digest))
    }),
  },
  {
    id: "tokens.caught-up.elsewhere",
    title:
      "MUST have notified listeners of all earlier revocations by other hosts once it reports that it has caught up",
    requirements: ["D18"],
    needs: ["notify"],
    run: Effect.gen(function* () {
      const [tokens, otherTokens] = yield* bothHosts
      const shop = yield* newShop
      const heard = new Set<string | undefined>()
      yield* otherTokens.onChanged((digest) => Effect.sync(() => void heard.add(digest)))
      for (let count = 0; count < 10; count++) {
        const token = makeToken(shop)
        yield* tokens.add(token, 100)
        yield* tokens.revoke(shop, token.id)
        // A host that has just started to listen may not know yet.
        const known = yield* Effect.repeat(otherTokens.caughtUp, { until: (known) => known, times: 20 })
        yield* holds("it has caught up", known)
        yield* holds("the listener of the other host was called", heard.has(token.digest))
      }
    }),
  },
  {
    id: "tokens.touch.later",
    title: "MUST set a token's last use, to the millisecond and never backwards, on every host",
    requirements: ["§1-7"],
    run: Effect.gen(function* () {
      const [tokens, otherTokens] = yield* bothHosts
      const token = makeToken(yield* newShop)
      const untouched = makeToken(token.shop, { createdAt: someTime - 1 })
      yield* tokens.add(token, 100)
      yield* tokens.add(untouched, 100)
      const touches = [
        [tokens, 10, 10],
        [otherTokens, 11, 11],
        [tokens, 11, 11],
        [tokens, 10, 11],
        [otherTokens, -86_400_000, 11],
        [tokens, 61_234, 61_234],
      ] as const
      for (const [host, at, expected] of touches) {
        yield* host.touch(token.shop, token.id, someTime + at)
        const now = { ...token, lastUsedAt: someTime + expected }
        yield* equal("the tokens", yield* tokens.list(token.shop), [now, untouched])
        yield* equal("found", (yield* some("the token", yield* otherTokens.find(token.digest))).token, now)
      }
    }),
  },
  {
    id: "tokens.touch.concurrent",
    rounds: 5,
    title: "MUST keep the latest of concurrent touches on two hosts",
    requirements: ["§1-7"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* both[0].add(token, 100)
      const times = Array.from({ length: 40 }, (_, index) => someTime + ((index * 17) % 40))
      yield* Effect.forEach(times, (now, index) => both[index % 2]?.touch(token.shop, token.id, now) ?? Effect.void, {
        concurrency: "unbounded",
      })
      yield* equal("the token", yield* both[0].list(token.shop), [{ ...token, lastUsedAt: someTime + 39 }])
    }),
  },
  {
    id: "tokens.touch.gone",
    title: "MUST do nothing if the token to touch does not exist or is another shop's",
    requirements: ["§5-3"],
    run: Effect.gen(function* () {
      const [tokens] = yield* bothHosts
      const token = makeToken(yield* newShop)
      yield* tokens.add(token, 100)
      yield* tokens.touch(yield* newShop, token.id, someTime)
      yield* tokens.touch(token.shop, `tok_${unique()}`, someTime)
      yield* equal("the token", yield* tokens.list(token.shop), [token])
      yield* tokens.revoke(token.shop, token.id)
      yield* tokens.touch(token.shop, token.id, someTime)
      yield* equal("no token", yield* tokens.list(token.shop), [])
      yield* none("the revoked token", yield* tokens.find(token.digest))
    }),
  },
])

/** The digests heard by a new listener, each recorded after a delay. */
const listen = Effect.fnUntraced(function* (
  tokens: TokenStore["Service"],
): Effect.fn.Return<ReadonlySet<string>, never, Scope.Scope> {
  const heard = new Set<string>()
  yield* tokens.onChanged((digest) => {
    if (digest === undefined) return Effect.void
    const pause = Effect.forEach(Array.from({ length: 10 }), () => Effect.yieldNow, { discard: true })
    return Effect.andThen(
      pause,
      Effect.sync(() => void heard.add(digest)),
    )
  })
  return heard
})

/** Waits until a digest is heard of, for at most a second. */
const waitFor = Effect.fnUntraced(function* (heard: ReadonlySet<string>, digest: string) {
  for (let waited = 0; waited < 1_000 && !heard.has(digest); waited += 10) yield* Effect.sleep(10)
})
