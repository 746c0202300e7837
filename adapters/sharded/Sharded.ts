import { Context, Effect, Layer } from "effect"
import { compareIds } from "../../core/model/Ids.ts"
import { CustomizerStore } from "../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import * as Queue from "./DeliveryQueue.ts"
import * as Signal from "./DeliverySignal.ts"
import * as Notices from "./Notices.ts"
import { byId, byShop, routed } from "./Routing.ts"
import * as Secrets from "./SealedSecrets.ts"
import { type StoreOf, Stores } from "./Stores.ts"
import * as Tokens from "./Tokens.ts"
import * as Keeping from "./Upkeep.ts"

/** Several stores, and which shop is in which. */
export interface ShardedOptions<S extends Readonly<Record<string, Layer.Layer<StoragePorts, unknown, unknown>>>> {
  /**
   * The layer of each store, of any adapter, by a name that stays. Each is built by itself: two that are made of the same layers share nothing. What a layer
   * offers beside the storage ports stays within it.
   */
  readonly stores: S
  /**
   * The name of the store that a shop is in, on every host the same and for ever: shops don't move. It is asked of every id, also of one of which there is
   * no shop yet, and what it answered is remembered.
   */
  readonly storeOf: StoreOf
}

/**
 * Every storage port over several stores. What is of one shop goes to the store of the shop, and to no other.
 *
 * What is of all shops goes through all stores: workers claim from them in turn, signals come from all, and so do the lists of shops and of sealed secrets.
 * A call that is part of an outer transaction is so in the store whose transaction it is; a shop of another store takes no part in it.
 *
 * While a store fails, calls of its shops fail, and those of others go on. Claims, the next due time and clearing go on with the others. Listing
 * shops or secrets and counting deliveries fail, as does finding a token that no other store has. Settling deliveries of several stores at once is done where it can
 * be, fails, and may be repeated as a whole.
 */
export const layer = <const S extends Readonly<Record<string, Layer.Layer<StoragePorts, unknown, unknown>>>>({
  storeOf,
  stores: layers,
}: ShardedOptions<S>): Layer.Layer<StoragePorts, Layer.Error<S[keyof S]>, Layer.Services<S[keyof S]>> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const all = yield* Effect.forEach(Object.entries(layers), ([name, store]) =>
        Effect.map(
          Layer.build(
            Layer.fresh(store as Layer.Layer<StoragePorts, Layer.Error<S[keyof S]>, Layer.Services<S[keyof S]>>),
          ),
          (ports) => ({ name, ports }),
        ),
      )
      return make(new Stores(all, storeOf))
    }),
  )

const make = (stores: Stores): Context.Context<StoragePorts> => {
  const route = routed(stores)
  return Context.make(
    ShopStore,
    ShopStore.of({
      ...route(ShopStore, { find: byId, put: ({ id }) => id, remove: byShop }),
      list: Effect.map(
        stores.askAll(({ ports }) => Context.get(ports, ShopStore).list),
        (shops) => shops.flat().toSorted((left, right) => compareIds(left.id, right.id)),
      ),
    }),
  ).pipe(
    Context.add(
      CustomizerStore,
      CustomizerStore.of(
        route(CustomizerStore, { find: byId, summary: byId, definition: byId, put: byShop, publish: byId }),
      ),
    ),
    Context.add(
      OrderStore,
      OrderStore.of(
        route(OrderStore, {
          commit: byShop,
          designs: byId,
          order: byId,
          readDesign: byId,
          readOrders: byShop,
          latestOrderedDesign: byId,
        }),
      ),
    ),
    Context.add(TokenStore, Tokens.make(stores)),
    Context.add(RateLimits, RateLimits.of(route(RateLimits, { take: byShop, peek: byShop }))),
    Context.add(
      EndpointStore,
      EndpointStore.of(
        route(EndpointStore, {
          add: byShop,
          list: byId,
          find: byId,
          change: byId,
          rotate: byId,
          promote: byId,
          remove: byId,
          turnOn: byId,
        }),
      ),
    ),
    Context.add(SealedSecrets, Secrets.make(stores)),
    Context.add(DeliveryQueue, Queue.make(stores)),
    Context.add(
      DeliveryLog,
      DeliveryLog.of(route(DeliveryLog, { list: byId, find: byId, activity: byId, missed: byId })),
    ),
    Context.add(DeliverySignal, Signal.make(stores)),
    Context.add(EventStore, EventStore.of(route(EventStore, { ofDesigns: byShop, feed: byShop, redact: byId }))),
    Context.add(NoticeStore, Notices.make(stores)),
    Context.add(Upkeep, Keeping.make(stores)),
  )
}
