import { Context, type Effect, type Option, type Scope } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { Shop } from "../model/Shop.ts"
import type { TokenRecord } from "../model/Token.ts"
import type { StorageError } from "./StorageError.ts"

/** A token and the shop that it belongs to. */
export interface FoundToken {
  readonly token: TokenRecord
  /** As it is now. */
  readonly shop: Shop
  /** Whether others see the same: `false` within an outer transaction, which may have changed it and may yet be rolled back. */
  readonly committed: boolean
}

/**
 * API tokens, found by the digest of their text: tokens themselves are never stored (D18).
 *
 * Callers guarantee ids and digests that are unique. Adapters: every method may be called concurrently.
 */
export class TokenStore extends Context.Service<
  TokenStore,
  {
    readonly add: (token: TokenRecord) => Effect.Effect<void, StorageError>

    /** A shop's tokens, newest first: by `createdAt` and then by id, both descending, ids by code point. */
    readonly list: (shop: string) => Effect.Effect<ReadonlyArray<TokenRecord>, StorageError>

    /** The token of a digest, of any shop, and its shop. Never answers from a cache. */
    readonly find: (digest: string) => Effect.Effect<Option.Option<FoundToken>, StorageError>

    /** Removes a token; `false` if the shop has none of that id. Listeners on this host have run when it answers (but see {@link onChanged}). */
    readonly revoke: (shop: string, id: string) => Effect.Effect<boolean, StorageError>

    /** Sets when a token was last used, if it is still there and this is later than what is kept. */
    readonly touch: (shop: string, id: string, now: Instant) => Effect.Effect<void, StorageError>

    /**
     * Calls a listener, at least once, with the digest of every token that is revoked, or whose shop is put, on this host, before that call
     * answers; and as soon as it is heard of (possibly never) with those of other hosts; until the scope closes. What changes within an outer
     * transaction is told when that is committed, and not before: until then everybody else still finds what was. Where the adapter commits it, it is told
     * before the commit answers; where somebody else does, as soon as it is heard of.
     * With `undefined` where some of other hosts may have been missed: any token may have changed.
     */
    readonly onChanged: (
      listener: (digest: string | undefined) => Effect.Effect<void>,
    ) => Effect.Effect<void, never, Scope.Scope>

    /**
     * Waits until listeners have been called for all that other hosts had committed when this was called, half a second at most. `true` once they have,
     * `false` where it is not known.
     */
    readonly caughtUp: Effect.Effect<boolean>
  }
>()("designwire/TokenStore") {}
