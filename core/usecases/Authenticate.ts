import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Option, Redacted } from "effect"
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
const trusted = Duration.millis(500)

/** How exact `lastUsedAt` is. */
const useResolution = Duration.toMillis(Duration.minutes(1))

const utf8 = new TextEncoder()

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

      const lookUp = Effect.fnUntraced(function* (digest: string) {
        const found = yield* tokens.find(digest)
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
        return { shop, tokenId: token.id }
      })

      const scope = yield* Effect.scope
      const callers = yield* Cache.makeWith(lookUp, {
        capacity: 50_000,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? trusted : Duration.zero),
      })
      yield* tokens.onChanged((digest) => Cache.invalidate(callers, digest))

      return {
        authenticate: Effect.fnUntraced(function* (token) {
          const text = Redacted.value(token)
          if (!TokenFormat.isWellFormed(text)) return yield* new Unauthorized({ message })
          const caller = yield* Cache.get(callers, yield* digest.digestHex(Digest.sha256, utf8.encode(text)))
          if (!includesApi(caller.shop.plan)) {
            return yield* new PlanRequired({ message: "The REST API is part of the Pro and Plus plans" })
          }
          return caller
        }),
      }
    }),
  )
}

const message = "A valid API token is needed: Authorization: Bearer cmz_…"
