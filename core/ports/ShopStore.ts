import { Context, Effect, Option, Schema } from "effect"
import { NotFound } from "../model/Errors.ts"
import { ShopId } from "../model/Ids.ts"
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
    /** All shops, by id. */
    readonly list: Effect.Effect<ReadonlyArray<Shop>, StorageError>
    /** Makes a shop or replaces its settings; what it holds stays. */
    readonly put: (shop: Shop) => Effect.Effect<void, StorageError>
  }
>()("designwire/ShopStore") {}

const isShopId = Schema.is(ShopId)

/** The shop of this id; fails with `NotFound` where there is none. */
export const shopOf = (id: string): Effect.Effect<Shop, NotFound | StorageError, ShopStore> =>
  (isShopId(id) ? ShopStore.use((shops) => shops.find(id)) : Effect.succeedNone).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => new NotFound({ message: `There is no shop ${JSON.stringify(id)}` }),
        onSome: Effect.succeed,
      }),
    ),
  )
