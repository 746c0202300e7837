import { Clock, Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { PlanRequired, Unauthorized } from "../model/Errors.ts"
import { includesApi, type Shop } from "../model/Shop.ts"
import type { StorageError } from "../ports/StorageError.ts"
import { TokenStore } from "../ports/TokenStore.ts"
import * as TokenFormat from "../rules/TokenFormat.ts"

/** Who makes a request: the shop whose data it may see, and the token that it came with. */
export interface Caller {
  readonly shop: Shop
  readonly tokenId: string
}

/** How long a token that was found good is trusted; well within the second that D18 allows other hosts. */
const trusted = 500

/** Tokens that are kept for that long at most; the one looked up longest ago goes first. */
const capacity = 50_000

/** How exact `lastUsedAt` is. */
const useResolution = Duration.toMillis(Duration.minutes(1))

const utf8 = new TextEncoder()

/** A token that was found good. */
interface Known {
  readonly digest: string
  readonly caller: Caller
  readonly until: number
}

/**
 * Tells who a token belongs to (§5, D8, D11, D18).
 *
 * Fails with `Unauthorized` for a missing, malformed, unknown or revoked token, with `PlanRequired` where the shop's plan has no
 * REST API. A token that was found good is trusted for half a second, or until this host hears that it is revoked or its shop changed.
 */
export class Authenticate extends Context.Service<
  Authenticate,
  {
    readonly authenticate: (
      token: Redacted.Redacted<string>,
    ) => Effect.Effect<Caller, Unauthorized | PlanRequired | StorageError>
  }
>()("designwire/Authenticate") {
  static readonly layer: Layer.Layer<Authenticate, never, TokenStore | Digest.Digest> = Layer.effect(
    Authenticate,
    Effect.gen(function* () {
      const tokens = yield* TokenStore
      const digest = yield* Digest.Digest
      const scope = yield* Effect.scope

      // By the token's text: a token that is known costs no digest.
      const known = new Map<string, Known>()
      const texts = new Map<string, string>()
      let changes = 0

      const remember = (text: string, entry: Known) => {
        known.delete(text)
        known.set(text, entry)
        texts.set(entry.digest, text)
        if (known.size <= capacity) return
        const [oldest] = known
        if (oldest !== undefined) forget(oldest[1].digest)
      }
      const forget = (digest: string) => {
        const text = texts.get(digest)
        if (text !== undefined) known.delete(text)
        texts.delete(digest)
      }
      yield* tokens.onChanged((digest) =>
        Effect.sync(() => {
          changes++
          forget(digest)
        }),
      )

      const lookUp = Effect.fnUntraced(function* (text: string) {
        if (!TokenFormat.isWellFormed(text)) return yield* new Unauthorized({ message })
        const seen = changes
        const digestHex = yield* digest.digestHex(Digest.sha256, utf8.encode(text))
        const found = yield* tokens.find(digestHex)
        if (Option.isNone(found)) return yield* new Unauthorized({ message })
        const { shop, token } = found.value
        const now = yield* Clock.currentTimeMillis
        if (token.lastUsedAt === null || now - token.lastUsedAt >= useResolution) {
          // A request does not wait for it, nor fail with it.
          yield* tokens.touch(token.shop, token.id, now).pipe(
            Effect.catch((error) => Effect.logWarning("Could not record the use of a token", error)),
            Effect.forkIn(scope),
          )
        }
        const caller: Caller = { shop, tokenId: token.id }
        // What was read while a token changed may be that token as it was.
        if (seen === changes) remember(text, { digest: digestHex, caller, until: now + trusted })
        return caller
      })

      const admitted = (caller: Caller) =>
        includesApi(caller.shop.plan)
          ? Effect.succeed(caller)
          : new PlanRequired({ message: "The REST API is part of the Pro and Plus plans" })

      return {
        authenticate: (token) =>
          Clock.clockWith((clock) => {
            const text = Redacted.value(token)
            const entry = known.get(text)
            return entry !== undefined && clock.currentTimeMillisUnsafe() < entry.until
              ? admitted(entry.caller)
              : Effect.flatMap(lookUp(text), admitted)
          }),
      }
    }),
  )
}

const message = "A valid API token is needed: Authorization: Bearer cmz_…"
