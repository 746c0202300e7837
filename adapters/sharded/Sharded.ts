import { Context, Effect, Layer } from "effect"
import { compareIds } from "../../core/model/Ids.ts"
import { CustomizerStore } from "../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { KeptAnswers } from "../../core/ports/KeptAnswers.ts"
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
import * as Answers from "./KeptAnswers.ts"
import * as Notices from "./Notices.ts"
import { byId, byShop, routed } from "./Routing.ts"
import * as Secrets from "./SealedSecrets.ts"
import { type StoreOf, Stores } from "./Stores.ts"
import * as Tokens from "./Tokens.ts"
import * as Keeping from "./Upkeep.ts"

/** Several stores, and the store of each shop. */
export interface ShardedOptions<S extends Readonly<Record<string, Layer.Layer<StoragePorts, unknown, unknown>>>> {
  /**
   * The layer of each store, of any adapter, by a name that must not change. Each layer is built on its own: two that
   * contain the same layers share nothing. Services of a layer other than the storage ports are not visible outside.
   */
  readonly stores: S
  /**
   * The name of a shop's store, the same on every host and forever: shops don't move. It is called for every id, also
   * if no such shop exists yet, and its results are remembered.
   */
  readonly storeOf: StoreOf
}

/**
 * Every storage port over several stores. A call for one shop goes to the store of that shop, and to no other.
 *
 * Calls for all shops go to all stores: workers claim from them in turn, and signals and the lists of shops and of
 * sealed secrets come from all of them. Within an outer transaction of one store, calls for shops of that store are
 * part of it; calls for shops of other stores are not.
 *
 * While a store fails, calls for its shops fail and calls for other shops go on, as do claims, the next due time and
 * clearing. Listing shops or secrets and counting deliveries fail, as does finding a token that no other store has.
 * Settling deliveries of several stores settles those that it can, fails, and may be repeated as a whole.
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
          remove: byShop,
          unstoredOrder: byId,
          keepUnstored: byShop,
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
    Context.add(KeptAnswers, Answers.make(stores)),
    Context.add(Upkeep, Keeping.make(stores)),
  )
}
