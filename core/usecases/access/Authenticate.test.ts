import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { layer as memory } from "../../../adapters/memory/index.ts"
import { allScopes } from "../../model/access/Token.ts"
import { format } from "../../model/Instant.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { TokenStore } from "../../ports/TokenStore.ts"
import { putShop } from "../shops/ManageShops.ts"
import { authenticate, type Caller, KnownTokens } from "./Authenticate.ts"
import { createToken, deleteToken, listTokens } from "./ManageTokens.ts"

const settings = { domain: "a.example", currency: "EUR", imageBase: "https://i.example" }

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

type Services<C> = C extends Context.Context<infer S> ? S : never

/** A shop with a token, over a store whose `find` and `touch` a test may change. */
const prepared = Effect.fnUntraced(function* (
  change: (tokens: TokenStore["Service"]) => Partial<TokenStore["Service"]> = () => ({}),
) {
  const stores = yield* Layer.build(Layer.merge(memory, NodeCrypto.layer))
  const tokens = Context.get(stores, TokenStore)
  let finds = 0
  const changed = { ...tokens, ...change(tokens) }
  const counting = TokenStore.of({
    ...changed,
    find: (digest) => {
      finds += 1
      return changed.find(digest)
    },
  })
  const services = yield* Layer.build(
    Layer.provideMerge(KnownTokens.layer, Layer.succeedContext(Context.add(stores, TokenStore, counting))),
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Services<typeof services>>) => Effect.provideContext(effect, services)
  yield* run(putShop("s", settings))
  const { text, token } = yield* run(createToken("s", { name: "Test" }))
  return {
    run,
    record: token,
    token: text,
    authenticate: (given = text) => run(authenticate(given)),
    finds: () => finds,
  }
})

/** A store as a host without a channel sees it. */
const hearsNothing = { onChanged: () => Effect.void, caughtUp: Effect.succeed(false) }

describe("Authenticate (§5, D18)", () => {
  it.effect("MUST return the shop and the token, and ask the store again only after half a second", () =>
    Effect.gen(function* () {
      const { authenticate, finds, record } = yield* prepared(() => hearsNothing)
      for (let times = 0; times < 3; times++) {
        expect(yield* authenticate()).toMatchObject({ shop: { id: "s", ...settings }, tokenId: record.id })
      }
      expect(finds()).toBe(1)
      yield* TestClock.adjust("500 millis")
      yield* authenticate()
      expect(finds()).toBe(2)
    }),
  )

  it.effect("MUST NOT ask the store again for half a minute while it hears of changes on other hosts", () =>
    Effect.gen(function* () {
      let hears = true
      const { authenticate, finds } = yield* prepared(() => ({ caughtUp: Effect.sync(() => hears) }))
      for (let half = 0; half < 60; half++) {
        yield* authenticate()
        yield* TestClock.adjust("500 millis")
      }
      expect(finds()).toBe(1)
      yield* authenticate()
      expect(finds()).toBe(2)
      hears = false
      yield* TestClock.adjust("750 millis")
      yield* authenticate()
      expect(finds()).toBe(3)
    }),
  )

  it.effect(
    "MUST check four times a second that it hears of other hosts, once for all tokens, while it knows any",
    () =>
      Effect.gen(function* () {
        let asked = 0
        const { authenticate, run } = yield* prepared(() => ({
          ...hearsNothing,
          caughtUp: Effect.sync(() => asked++ < 0),
        }))
        const other = yield* run(createToken("s", { name: "Other" }))
        yield* authenticate()
        yield* authenticate(other.text)
        const counts: Array<number> = []
        for (const wait of [249, 1, 250, 10_000]) {
          yield* TestClock.adjust(wait)
          counts.push(asked)
        }
        expect(counts).toEqual([0, 1, 2, 2])
        yield* authenticate()
        yield* TestClock.adjust(250)
        expect(asked).toBe(3)
      }),
  )

  it.effect("MUST ask the store about every token again if it may have missed changes on other hosts", () =>
    Effect.gen(function* () {
      let missed = (): Effect.Effect<void> => Effect.void
      const { authenticate, finds } = yield* prepared((tokens) => ({
        onChanged: (listener) => {
          missed = () => listener(undefined)
          return tokens.onChanged(listener)
        },
      }))
      yield* authenticate()
      yield* missed()
      yield* authenticate()
      expect(finds()).toBe(2)
    }),
  )

  it.effect("MUST refuse a token from its end on, even if it is known and nobody changed it (D77)", () =>
    Effect.gen(function* () {
      const { authenticate, finds, run } = yield* prepared(() => ({ caughtUp: Effect.succeed(true) }))
      const { text } = yield* run(createToken("s", { name: "Short", expiresAt: format(10_000) }))
      expect(yield* authenticate(text)).toMatchObject({ scopes: allScopes })
      yield* TestClock.adjust(9_999)
      yield* authenticate(text)
      expect(finds()).toBe(1)
      yield* TestClock.adjust(1)
      const [listed] = yield* run(listTokens("s"))
      const ended = yield* Effect.flip(authenticate(text))
      expect(ended).toEqual(yield* Effect.flip(authenticate(Redacted.make(`${Redacted.value(text)}x`))))
      // It was not used once more.
      yield* TestClock.adjust("2 minutes")
      expect(yield* Effect.flip(authenticate(text))).toEqual(ended)
      expect((yield* run(listTokens("s")))[0]).toEqual(listed)
      yield* authenticate()
    }),
  )

  it.effect("MUST NOT ask the store about a text that does not have the form of a token", () =>
    Effect.gen(function* () {
      const { authenticate, finds } = yield* prepared()
      for (const text of ["", "cmz_", "cmz_x", "x".repeat(100_000)]) {
        expect((yield* Effect.flip(authenticate(Redacted.make(text))))._tag).toBe("Unauthorized")
      }
      expect(finds()).toBe(0)
    }),
  )

  it.effect("MUST refuse a token at once on the host that revoked it, even during a look-up (D18)", () =>
    Effect.gen(function* () {
      const found = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const { authenticate, record, run } = yield* prepared((tokens) => ({
        // A store answers later: until then other fibers can't see the look-up.
        find: (digest) =>
          tokens
            .find(digest)
            .pipe(
              Effect.tap(Effect.yieldNow),
              Effect.tap(Deferred.succeed(found, undefined)),
              Effect.tap(Deferred.await(goOn)),
            ),
      }))
      const early = yield* Effect.forkChild(Effect.exit(authenticate()))
      yield* Deferred.await(found)
      yield* run(deleteToken("s", record.id))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(early)
      expect((yield* Effect.flip(authenticate()))._tag).toBe("Unauthorized")
    }),
  )

  it.effect("MUST trust a revoked token for less than a second if it does not hear of the revocation (D18)", () =>
    Effect.gen(function* () {
      const { authenticate, record, run } = yield* prepared(() => hearsNothing)
      yield* authenticate()
      yield* run(deleteToken("s", record.id))
      yield* TestClock.adjust("999 millis")
      expect((yield* Effect.flip(authenticate()))._tag).toBe("Unauthorized")
    }),
  )

  it.effect("MUST NOT remember uncommitted tokens: each request asks the store", () =>
    Effect.gen(function* () {
      let committed = false
      const { authenticate, finds } = yield* prepared((tokens) => ({
        find: (digest) =>
          Effect.map(
            tokens.find(digest),
            Option.map((found) => ({ ...found, committed })),
          ),
      }))
      for (const times of [1, 2, 3]) {
        yield* authenticate()
        expect(finds()).toBe(times)
      }
      committed = true
      for (const _ of [1, 2]) yield* authenticate()
      expect(finds()).toBe(4)
    }),
  )

  it.effect("MUST ask the store again about a token that changed, but not about others", () =>
    Effect.gen(function* () {
      const { authenticate, finds, record, run } = yield* prepared()
      const other = yield* run(createToken("s", { name: "Other" }))
      yield* authenticate()
      yield* authenticate(other.text)
      yield* run(deleteToken("s", record.id))
      yield* authenticate(other.text)
      expect(finds()).toBe(2)
      expect((yield* Effect.flip(authenticate()))._tag).toBe("Unauthorized")
      expect(finds()).toBe(3)
    }),
  )

  it.effect("MUST remember the 50,000 tokens that it found last, and forget older ones", () =>
    Effect.gen(function* () {
      const { authenticate, run } = yield* prepared()
      const caller = yield* authenticate()
      const known = yield* run(KnownTokens)
      const find = (number: number) => known.find(`cmz_${number}`, 0)
      const remember = (number: number) =>
        known.remember(`cmz_${number}`, { digest: `${number}`, caller, since: 0, expiresAt: null }, known.mark())
      // In addition to the token found before.
      for (let number = 1; number < 50_000; number++) remember(number)
      remember(50_000)
      expect([find(1), find(2), find(50_000)]).toEqual([caller, caller, caller])
      remember(50_001)
      expect([find(1), find(2), find(50_001)]).toEqual([undefined, caller, caller])
      // A token that is found again is the newest.
      remember(2)
      remember(50_002)
      expect([find(2), find(3), find(4)]).toEqual([caller, undefined, caller])
    }),
  )

  it.effect("MUST NOT keep a token's text in memory long after its trust has ended", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* prepared(() => hearsNothing)
      const callers: Array<WeakRef<Caller>> = []
      for (let half = 0; half < 3; half++) {
        callers.push(new WeakRef(yield* authenticate()))
        yield* TestClock.adjust("500 millis")
      }
      yield* TestClock.adjust("500 millis")
      collectGarbage()
      expect(callers.map((caller) => caller.deref())).toEqual([undefined, undefined, undefined])
    }),
  )

  it.effect("MUST NOT remember that a token was unknown, nor that the store failed", () =>
    Effect.gen(function* () {
      let down = true
      const { authenticate } = yield* prepared((tokens) => ({
        find: (digest) =>
          down
            ? Effect.fail(new StorageError({ message: "down", cause: undefined, isRetryable: true }))
            : tokens.find(digest),
      }))
      expect((yield* Effect.flip(authenticate()))._tag).toBe("StorageError")
      down = false
      yield* authenticate()
    }),
  )

  it.effect("MUST mention a plan without the REST API only to callers with a valid token (D8, D11)", () =>
    Effect.gen(function* () {
      const { authenticate, run } = yield* prepared()
      yield* run(putShop("s", { ...settings, plan: "free" }))
      expect(yield* Effect.flip(authenticate())).toMatchObject({
        _tag: "PlanRequired",
        message: "The REST API is part of the Pro and Plus plans",
      })
      expect((yield* Effect.flip(authenticate(Redacted.make("cmz_x"))))._tag).toBe("Unauthorized")
    }),
  )

  it.effect("MUST record a use outside of the request's context, such as its transaction", () =>
    Effect.gen(function* () {
      const Surroundings = Context.Reference("test/Surroundings", { defaultValue: () => "none" })
      const seen: Array<string> = []
      const { authenticate } = yield* prepared((tokens) => ({
        touch: (shop, id, now) =>
          Effect.gen(function* () {
            seen.push(yield* Surroundings)
            yield* tokens.touch(shop, id, now)
          }),
      }))
      yield* Effect.provideService(authenticate(), Surroundings, "a transaction")
      yield* Effect.yieldNow
      expect(seen).toEqual(["none"])
    }),
  )

  it.effect("MUST record a use once a minute, without making the request wait or fail", () =>
    Effect.gen(function* () {
      let touched = 0
      let broken = false
      const { authenticate, run } = yield* prepared((tokens) => ({
        touch: (shop, id, now) => {
          touched += 1
          return broken
            ? Effect.fail(new StorageError({ message: "down", cause: undefined, isRetryable: true }))
            : tokens.touch(shop, id, now)
        },
      }))
      yield* TestClock.adjust("5 seconds")
      for (let second = 0; second < 120; second++) {
        yield* authenticate()
        yield* TestClock.adjust("1 second")
      }
      expect(touched).toBe(2)
      const [listed] = yield* run(listTokens("s"))
      expect(listed?.lastUsedAt).toBe("1970-01-01T00:01:05.000+00:00")
      broken = true
      yield* TestClock.adjust("1 minute")
      yield* authenticate()
      expect(touched).toBe(3)
    }),
  )
})
