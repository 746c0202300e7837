import { Effect, Option, Result, Schema } from "effect"
import { NotFound } from "../model/Errors.ts"
import { ShopId } from "../model/Ids.ts"
import { quoteId } from "../model/json/Json.ts"
import type { Shop } from "../model/shops/Shop.ts"
import { ShopStore } from "../ports/ShopStore.ts"
import type { StorageError } from "../ports/StorageError.ts"

const isShopId = Schema.is(ShopId)

const notFound = (id: string) => new NotFound({ message: `There is no shop ${quoteId(id)}` })

/** The shop with this id. Fails with `NotFound` if there is none. */
export const shopOf = (id: string): Effect.Effect<Shop, NotFound | StorageError, ShopStore> =>
  isShopId(id)
    ? Effect.flatMap(
        ShopStore.use((shops) => shops.find(id)),
        Option.match({ onNone: () => notFound(id), onSome: Effect.succeed }),
      )
    : notFound(id)

/**
 * Reads the shop with this id and something else of it at the same time. Fails with `NotFound` if there is no such
 * shop.
 */
export const shopAnd = <A, E, R>(
  id: string,
  read: Effect.Effect<A, E, R>,
): Effect.Effect<readonly [Shop, A], NotFound | StorageError | E, ShopStore | R> =>
  isShopId(id)
    ? // Wait for both: interrupting a statement may cost its connection.
      Effect.flatMap(Effect.all([Effect.result(shopOf(id)), Effect.result(read)], { concurrency: 2 }), (results) =>
        Effect.fromResult(Result.all(results)),
      )
    : notFound(id)
