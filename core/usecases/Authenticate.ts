import { Clock, Context, Effect, FiberSet, Layer, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { PlanRequired, Unauthorized } from "../model/Errors.ts"
import { includesApi, type Shop } from "../model/Shop.ts"
import { TokenStore } from "../ports/TokenStore.ts"
import * as TokenFormat from "../rules/TokenFormat.ts"

/** Who makes a request: the shop whose data it may see, and the token that it came with. */
export interface Caller {
  readonly shop: Shop
  readonly tokenId: string
}

/** How long a token that was found good is trusted where nothing is heard of other hosts, in milliseconds; well within the second that D18 allows them. */
const trusted = 500

/** How long a token that was found good is trusted at most, in milliseconds. */
const longestTrusted = 30_000

/** How often a host makes sure that it hears of other hosts, in milliseconds. */
const interval = 250

/** Tokens that are kept for that long at most; the one looked up longest ago goes first. */
const capacity = 50_000

/** How exact `lastUsedAt` is, in milliseconds. */
const useResolution = 60_000

const utf8 = new TextEncoder()

/** A token that was found good. */
interface Known {
  readonly digest: string
  readonly caller: Caller
  /** When it was found. */
  readonly since: number
}

/**
 * The tokens that this host found good a moment ago. It hears of those that are revoked or whose shop changes, and forgets them; and it
 * forgets each soon after it is no longer trusted, so that no text of a token stays in memory without need.
 */
export class KnownTokens extends Context.Service<
  KnownTokens,
  {
    /** Who a token belongs to, if it is known and still trusted at `now`. */
    readonly find: (text: string, now: number) => Caller | undefined
    /** Keeps a token that was found good, unless one changed since `mark`: what was read may be that token as it was. */
    readonly remember: (text: string, known: Known, mark: number) => void
    /** Stands for the changes heard of until now. */
    readonly mark: () => number
    /** Records in the background, outside of any transaction at hand, that a token was used: a request neither waits for it nor fails with it. */
    readonly touch: (shop: string, id: string, now: number) => void
  }
>()("designwire/KnownTokens") {
  static readonly layer: Layer.Layer<KnownTokens, never, TokenStore> = Layer.effect(
    KnownTokens,
    Effect.gen(function* () {
      const tokens = yield* TokenStore
      const inBackground = yield* FiberSet.makeRuntime()
      // By the token's text: a token that is known costs no digest. In the order in which they were found, and so in which their trust ends.
      const known = new Map<string, Known>()
      const texts = new Map<string, string>()
      let changes = 0
      // All that other hosts changed until then has been heard of.
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
          return entry !== undefined && isTrusted(entry, now) ? entry.caller : undefined
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
              .pipe(Effect.catch((error) => Effect.logWarning("Could not record the use of a token", error))),
          ),
      }
    }),
  )
}

/**
 * Tells who a token belongs to (§5, D11, D18), whatever the shop's plan.
 *
 * Fails with `Unauthorized` for a missing, malformed, unknown or revoked token. A token that was found good is trusted for half a
 * second, and for half a minute while this host hears what others change, or until it hears that the token is revoked or its shop changed; what is
 * read within an outer transaction is not remembered.
 */
export const identify = (text: string) =>
  Effect.flatMap(KnownTokens, (known) =>
    Clock.clockWith((clock) => {
      const caller = known.find(text, clock.currentTimeMillisUnsafe())
      return caller === undefined ? lookUp(known, text) : Effect.succeed(caller)
    }),
  )

/** Why a shop is refused whose plan has no REST API (§1, D8). */
export const planRefusal = ({ plan }: Shop): PlanRequired | undefined =>
  includesApi(plan) ? undefined : new PlanRequired({ message: "The REST API is part of the Pro and Plus plans" })

/** Tells who a token belongs to, as {@link identify} does, and fails with `PlanRequired` where the shop's plan has no REST API (D8). */
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
  if (token.lastUsedAt === null || now - token.lastUsedAt >= useResolution) known.touch(token.shop, token.id, now)
  const caller: Caller = { shop, tokenId: token.id }
  if (committed) known.remember(text, { digest, caller, since: now }, mark)
  return caller
})

const message = "A valid API token is needed: Authorization: Bearer cmz_…"
