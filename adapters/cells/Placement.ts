import { Context, Effect, Layer, Option } from "effect"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { ShopViews } from "../../core/ports/ShopViews.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { moved } from "../sql/resources/Moved.ts"

type Placed = ShopStore | ShopViews | TokenStore | DeliveryQueue

/**
 * Stores that serve, and claim deliveries of, only the shops that belong to their cell: by the map that proxies route
 * by, and not by what the database says. A database that was restored to before a move still has the shop, and would
 * answer with its old rows and send its deliveries again.
 */
export const layerPlaced = (belongsHere: (shop: string) => boolean): Layer.Layer<Placed, never, Placed> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const shops = yield* ShopStore
      const views = yield* ShopViews
      const tokens = yield* TokenStore
      const queue = yield* DeliveryQueue
      const here = <A>(shop: string, call: Effect.Effect<A, StorageError>): Effect.Effect<A, StorageError> =>
        Effect.suspend(() => (belongsHere(shop) ? call : moved(shop)))
      return Context.empty().pipe(
        Context.add(ShopStore, {
          ...shops,
          find: (id) => here(id, shops.find(id)),
          put: (shop, audited) => here(shop.id, shops.put(shop, audited)),
        }),
        Context.add(ShopViews, { ...views, withEndpoints: (shop) => here(shop, views.withEndpoints(shop)) }),
        Context.add(TokenStore, {
          ...tokens,
          find: (digest) =>
            Effect.tap(tokens.find(digest), (found) =>
              Option.isSome(found) ? here(found.value.shop.id, Effect.void) : Effect.void,
            ),
        }),
        Context.add(DeliveryQueue, {
          ...queue,
          claim: (request) => {
            const { newcomer, proven, troubled } = request.shops
            return queue.claim({
              ...request,
              shops: {
                newcomer: newcomer.filter(belongsHere),
                troubled: troubled.filter(belongsHere),
                proven: proven.filter(belongsHere),
              },
            })
          },
        }),
      )
    }),
  )
