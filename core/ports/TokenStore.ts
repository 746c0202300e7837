import { Context, type Effect, type Option, type Scope } from "effect"
import type { TokenRecord } from "../model/access/Token.ts"
import type { Audited } from "../model/audit/AuditEntry.ts"
import type { Instant } from "../model/Instant.ts"
import type { Shop } from "../model/shops/Shop.ts"
import type { StorageError } from "./StorageError.ts"

/** A token and its shop. */
export interface FoundToken {
  readonly token: TokenRecord
  /** The current shop. */
  readonly shop: Shop
  /**
   * Whether others see the same: `false` within an outer transaction that may have changed it and may be rolled back.
   */
  readonly committed: boolean
}

/**
 * API tokens, found by the digest of their text: tokens themselves are never stored (D18).
 *
 * Callers guarantee unique ids and digests. Adapters guarantee: every method may be called concurrently.
 */
export class TokenStore extends Context.Service<
  TokenStore,
  {
    /**
     * Stores a new token, the notice of its end (`NoticeRules.endingOf`, D77) and the entry that `audited` makes (D59),
     * or returns `false` if the shop has `maximum` of them already, even if calls race (D56).
     */
    readonly add: (
      token: TokenRecord,
      maximum: number,
      audited?: Audited<TokenRecord>,
    ) => Effect.Effect<boolean, StorageError>

    /** A shop's tokens, newest first: by `createdAt` and then by id, both descending, ids by code point. */
    readonly list: (shop: string) => Effect.Effect<ReadonlyArray<TokenRecord>, StorageError>

    /** The token with a digest, of any shop, and its shop, even if the token has ended. Never cached. */
    readonly find: (digest: string) => Effect.Effect<Option.Option<FoundToken>, StorageError>

    /**
     * Removes a token, with the notice of its end (`NoticeRules.endingId`) if that was neither sent nor given up, and
     * stores the entry that `audited` makes (D59); `false` if the shop has no token with that id. Listeners on this
     * host have run when it returns (but see {@link onChanged}).
     */
    readonly revoke: (shop: string, id: string, audited?: Audited<TokenRecord>) => Effect.Effect<boolean, StorageError>

    /** Sets a token's last use, if it still exists and this is later than the stored time. */
    readonly touch: (shop: string, id: string, now: Instant) => Effect.Effect<void, StorageError>

    /**
     * Calls a listener, until the scope closes, with the digest of every token that is revoked or whose shop is put: at
     * least once and before that call returns for calls on this host, and as soon as possible (perhaps never) for other
     * hosts. Changes within an outer transaction are reported when it is committed, not before, because until then
     * others still find the old state: before the commit returns if the adapter commits it, otherwise as soon as the
     * commit is heard of. The digest is `undefined` if changes of other hosts may have been missed: any token may have
     * changed.
     */
    readonly onChanged: (
      listener: (digest: string | undefined) => Effect.Effect<void>,
    ) => Effect.Effect<void, never, Scope.Scope>

    /**
     * Waits, for at most half a second, until listeners have been called for everything that other hosts had committed
     * before this call. `true` once they have, `false` if that is not known.
     */
    readonly caughtUp: Effect.Effect<boolean>
  }
>()("designwire/TokenStore") {}
