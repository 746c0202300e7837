import { Context, type Effect, type Option } from "effect"
import type { Audited } from "../model/audit/AuditEntry.ts"
import type { Instant } from "../model/Instant.ts"
import type { Shop } from "../model/shops/Shop.ts"
import type { StorageError } from "./StorageError.ts"

/** A page of shops. Without `search`, of all shops. */
export interface ShopsQuery {
  /** The beginning of the ids or of the domains, byte for byte. Not empty. */
  readonly search: string | null
  /** Only shops with a greater id. */
  readonly after: string | null
  readonly limit: number
}

/**
 * Shops. Callers guarantee shops that passed the schema of `core/model/shops/Shop`. Every later call on the same host
 * sees a change at once.
 */
export class ShopStore extends Context.Service<
  ShopStore,
  {
    /** The shop with this id, if any. */
    readonly find: (id: string) => Effect.Effect<Option.Option<Shop>, StorageError>
    /**
     * Whether a shop is there with all its records: `false` from the first step of its removal on, until it is put
     * again, and for one that is not there. Fails if it has moved elsewhere.
     */
    readonly isComplete: (id: string) => Effect.Effect<boolean, StorageError>
    /** Up to `limit` shops by id, ascending by code point. */
    readonly list: (query: ShopsQuery) => Effect.Effect<ReadonlyArray<Shop>, StorageError>
    /**
     * Creates a shop or replaces its fields; its records stay. Signals workers if its pending deliveries can be claimed
     * again because its plan now has webhooks (D8). Stores the entry that `audited` makes (D59).
     */
    readonly put: (shop: Shop, audited?: Audited<Shop>) => Effect.Effect<void, StorageError>
    /**
     * Removes some of a shop's records in a short, atomic step: about `limit` records, 1 or more, tokens and endpoints
     * first. Returns whether the shop is gone with all its records, which the last step ensures; `true` for a shop that
     * was never put. Hosts are notified of its tokens.
     *
     * Records that a concurrent call stores afterwards are dropped by `Upkeep.purgeRemoved` and `Upkeep.prune`, or when
     * a shop with this id is put again.
     */
    readonly remove: (step: {
      readonly shop: string
      readonly now: Instant
      readonly limit: number
    }) => Effect.Effect<boolean, StorageError>

    /**
     * A text that is different after a change of the shop's fields, its endpoints, its tokens (but not their use), its
     * newest events, deliveries, orders and notices until `now`, its attempts, or the claims of what is due first.
     * Records far from the newest may change without a difference; nothing else makes one. Cheap enough to read every
     * second: its cost does not grow with what is kept.
     */
    readonly mark: (shop: string, now: Instant) => Effect.Effect<string, StorageError>
  }
>()("designwire/ShopStore") {}
