import { Clock, Context, Effect, FiberSet, Layer, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { hasEnded, type TokenScope } from "../../model/access/Token.ts"
import { PlanRequired, ScopeRequired, Unauthorized } from "../../model/Errors.ts"
import type { Instant } from "../../model/Instant.ts"
import { logged } from "../../model/log/LogEvent.ts"
import { includesApi, type Shop } from "../../model/shops/Shop.ts"
import { TokenStore } from "../../ports/TokenStore.ts"
import * as TokenFormat from "../../rules/access/TokenFormat.ts"

/** The caller of a request: the shop whose data it may see, and its token. */
export interface Caller {
  readonly shop: Shop
  readonly tokenId: string
  /** The parts of the REST API that it may read. */
  readonly scopes: ReadonlyArray<TokenScope>
}

/**
 * How long a valid token is trusted if the host does not hear of changes on other hosts, in milliseconds: well within
 * the second that D18 allows.
 */
const trusted = 500

/** How long a valid token is trusted at most, in milliseconds. */
const longestTrusted = 30_000

/** How often a host checks that it hears of changes on other hosts, in milliseconds. */
const interval = 250

/** The most tokens in memory. The token whose look-up is oldest goes first. */
const capacity = 50_000

/** The precision of `lastUsedAt`, in milliseconds. */
const useResolution = 60_000

const utf8 = new TextEncoder()

/** A valid token. */
interface Known {
  readonly digest: string
  readonly caller: Caller
  /** When it was looked up. */
  readonly since: number
  /** When it ends, whatever this host hears; `null`: never. */
  readonly expiresAt: Instant | null
}

/**
 * The tokens that this host found valid a moment ago. It refuses a token from its end on, forgets it when it hears that
 * the token is revoked or its shop changes, and soon after its trust ends, so that no token's text stays in memory
 * without need.
 */
export class KnownTokens extends Context.Service<
  KnownTokens,
  {
    /** The caller of a token, if the token is known and still trusted at `now`. */
    readonly find: (text: string, now: number) => Caller | undefined
    /** Keeps a valid token, unless any token changed since `mark`: the look-up may have read an older state. */
    readonly remember: (text: string, known: Known, mark: number) => void
    /** Represents the changes heard of so far. */
    readonly mark: () => number
    /**
     * Records in the background, outside of any transaction, that a token was used: a request neither waits for it nor
     * fails with it.
     */
    readonly touch: (shop: string, id: string, now: number) => void
  }
>()("designwire/KnownTokens") {
  static readonly layer: Layer.Layer<KnownTokens, never, TokenStore> = Layer.effect(
    KnownTokens,
    Effect.gen(function* () {
      const tokens = yield* TokenStore
      const inBackground = yield* FiberSet.makeRuntime()
      // By the token's text, so that a known token needs no digest; in the order in which trust ends.
      const known = new Map<string, Known>()
      const texts = new Map<string, string>()
      let changes = 0
      // The host has heard of every change that other hosts made before this instant.
      let heardUntil = Number.NEGATIVE_INFINITY
      let watching = false

      const isTrusted = ({ since }: Known, now: number): boolean =>
        now < since + trusted || now < Math.min(since + longestTrusted, heardUntil + trusted)

      const forget = (digest: string) => {
        const text = texts.get(digest)
        if (text !== undefined) known.delete(text)
        texts.delete(digest)
      }
      yield* tokens.onChanged((digest) =>
        Effect.sync(() => {
          changes++
          if (digest !== undefined) return forget(digest)
          known.clear()
          texts.clear()
        }),
      )

      const watch = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (yield* tokens.caughtUp) heardUntil = now
        const after = yield* Clock.currentTimeMillis
        for (const entry of known.values()) {
          if (isTrusted(entry, after)) break
          forget(entry.digest)
        }
        watching = known.size > 0
      })
      const watchWhileKnown = Effect.repeat(Effect.delay(watch, interval), { while: () => watching })

      return {
        find: (text, now) => {
          const entry = known.get(text)
          return entry !== undefined && isTrusted(entry, now) && !hasEnded(entry, now) ? entry.caller : undefined
        },
        remember: (text, entry, mark) => {
          if (mark !== changes) return
          known.delete(text)
          known.set(text, entry)
          texts.set(entry.digest, text)
          const [oldest] = known.values()
          if (known.size > capacity && oldest !== undefined) forget(oldest.digest)
          if (watching) return
          watching = true
          inBackground(watchWhileKnown)
        },
        mark: () => changes,
        touch: (shop, id, now) =>
          void inBackground(
            tokens
              .touch(shop, id, now)
              .pipe(
                Effect.catch((error) =>
                  Effect.logWarning("Could not record the use of a token", error).pipe(
                    logged("tokens.use_unrecorded", { shop, token: id }),
                  ),
                ),
              ),
          ),
      }
    }),
  )
}

/**
 * Identifies the caller by its token (§5, D11, D18), whatever the shop's plan.
 *
 * Fails with `Unauthorized` for a missing, malformed, unknown, revoked or ended token. A valid token is trusted for
 * half a second, or for half a minute while this host hears of changes on other hosts, unless it hears that the token
 * is revoked or its shop changed. Look-ups within an outer transaction are not remembered.
 */
export const identify = (text: string) =>
  Effect.flatMap(KnownTokens, (known) =>
    Clock.clockWith((clock) => {
      const caller = known.find(text, clock.currentTimeMillisUnsafe())
      return caller === undefined ? lookUp(known, text) : Effect.succeed(caller)
    }),
  )

/** The refusal of a shop whose plan does not include the REST API (§1, D8). */
export const planRefusal = ({ plan }: Shop): PlanRequired | undefined =>
  includesApi(plan) ? undefined : new PlanRequired({ message: "The REST API is part of the Pro and Plus plans" })

/** The refusal of a token that lacks the scope of what it asks for (D77). */
export const scopeRefusal = ({ scopes }: Caller, scope: TokenScope): ScopeRequired | undefined =>
  scopes.includes(scope)
    ? undefined
    : new ScopeRequired({ message: `The token lacks the scope ${scope}, which this request needs` })

/** Like {@link identify}, but fails with `PlanRequired` if the shop's plan does not include the REST API (D8). */
export const authenticate = (token: Redacted.Redacted<string>) =>
  Effect.tap(identify(Redacted.value(token)), ({ shop }) => planRefusal(shop) ?? Effect.void)

const lookUp = Effect.fnUntraced(function* (known: KnownTokens["Service"], text: string) {
  if (!TokenFormat.isWellFormed(text)) return yield* new Unauthorized({ message })
  const mark = known.mark()
  const digest = yield* Digest.Digest.use((service) => service.digestHex(Digest.sha256, utf8.encode(text)))
  const found = yield* TokenStore.use((tokens) => tokens.find(digest))
  if (Option.isNone(found)) return yield* new Unauthorized({ message })
  const { committed, shop, token } = found.value
  const now = yield* Clock.currentTimeMillis
  if (hasEnded(token, now)) return yield* new Unauthorized({ message })
  if (token.lastUsedAt === null || now - token.lastUsedAt >= useResolution) known.touch(token.shop, token.id, now)
  const { expiresAt, scopes } = token
  const caller: Caller = { shop, tokenId: token.id, scopes }
  if (committed) known.remember(text, { digest, caller, since: now, expiresAt }, mark)
  return caller
})

const message = "A valid API token is needed: Authorization: Bearer cmz_…"
