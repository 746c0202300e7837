import { Context, type Effect, type Option } from "effect"
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
  }
>()("designwire/ShopStore") {}
