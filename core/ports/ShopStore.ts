import { Context, type Effect, type Option } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { Shop } from "../model/Shop.ts"
import type { StorageError } from "./StorageError.ts"

/**
 * Shops. Callers guarantee shops that passed the schema of `core/model/Shop`.
 * A change is seen by every later call on the same host at once.
 */
export class ShopStore extends Context.Service<
  ShopStore,
  {
    /** The shop of this id, if there is one. */
    readonly find: (id: string) => Effect.Effect<Option.Option<Shop>, StorageError>
    /** All shops by id, ascending by code point. */
    readonly list: Effect.Effect<ReadonlyArray<Shop>, StorageError>
    /**
     * Makes a shop or replaces its settings; what it holds stays. Workers are told where its pending deliveries can be claimed again, because its plan has
     * webhooks now (D8).
     */
    readonly put: (shop: Shop) => Effect.Effect<void, StorageError>
    /**
     * Removes some of what a shop holds, in a step that is short and atomic: about `limit` records, 1 or more, its tokens and endpoints first. Answers whether the shop
     * is gone with everything of it, which the last step sees to; also for one that was never put. Hosts hear of its tokens.
     *
     * What a call that was under way stores afterwards is dropped by `Upkeep.prune`, or when a shop of this id is put again.
     */
    readonly remove: (step: {
      readonly shop: string
      readonly now: Instant
      readonly limit: number
    }) => Effect.Effect<boolean, StorageError>
  }
>()("designwire/ShopStore") {}
