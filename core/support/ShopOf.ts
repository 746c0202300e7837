import { Effect, Option, Schema } from "effect"
import { NotFound } from "../model/Errors.ts"
import { ShopId } from "../model/Ids.ts"
import { quoteId } from "../model/Json.ts"
import type { Shop } from "../model/Shop.ts"
import { ShopStore } from "../ports/ShopStore.ts"
import type { StorageError } from "../ports/StorageError.ts"

const isShopId = Schema.is(ShopId)

/** The shop of this id; fails with `NotFound` where there is none. */
export const shopOf = (id: string): Effect.Effect<Shop, NotFound | StorageError, ShopStore> =>
  (isShopId(id) ? ShopStore.use((shops) => shops.find(id)) : Effect.succeedNone).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => new NotFound({ message: `There is no shop ${quoteId(id)}` }),
        onSome: Effect.succeed,
      }),
    ),
  )
