import { Context, type Effect, type Option } from "effect"
import type { Audited } from "../model/audit/AuditEntry.ts"
import type { Instant } from "../model/Instant.ts"
import type { Shop } from "../model/shops/Shop.ts"
import type { StorageError } from "./StorageError.ts"

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
    /** All shops by id, ascending by code point. */
    readonly list: Effect.Effect<ReadonlyArray<Shop>, StorageError>
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
  }
>()("designwire/ShopStore") {}
