import { Context, Effect, Layer } from "effect"
import { compareIds } from "../../core/model/Ids.ts"
import type { Shop } from "../../core/model/Shop.ts"
import { AuditStore } from "../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySearch } from "../../core/ports/DeliverySearch.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { KeptAnswers } from "../../core/ports/KeptAnswers.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { SettingsSessions } from "../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { ShopViews } from "../../core/ports/ShopViews.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { DirectoryChanges } from "../sql/index.ts"
import { Database, type SharedServices } from "./Databases.ts"
import * as Queue from "./DeliveryQueue.ts"
import * as Signal from "./DeliverySignal.ts"
import { openDirectory } from "./Directory.ts"
import * as Inboxes from "./Inbox.ts"
import * as Answers from "./KeptAnswers.ts"
import * as Notices from "./Notices.ts"
import { byId, byShop, routed } from "./Routing.ts"
import * as Secrets from "./SealedSecrets.ts"
import { type Call, Stores } from "./Stores.ts"
import * as Tokens from "./Tokens.ts"
import * as Keeping from "./Upkeep.ts"

/** A deployment whose shops are spread over buckets. */
export interface BucketsOptions<E, R> {
  /**
   * The databases by name, the first one first: it has the directory. Each layer is a database's connection and what
   * its buckets share: `layerDatabase` of `designwire/postgres`,
   * `layerShared` of `designwire/connection`.
   */
  readonly databases: Readonly<Record<string, Layer.Layer<SharedServices, E, R>>>
  /** The beginning of the names of schemas: `designwire_07`. Default: `designwire`. */
  readonly schema?: string | undefined
}

/**
 * Every storage port over the buckets of a deployment, which {@link migrate} has made. A call for one shop goes to the
 * bucket of that shop, and touches no other; if the bucket has just moved, the call is made again at its new place.
 *
 * Calls for all shops go to all buckets. While a database fails, calls for its shops fail and calls for other shops go
 * on, as do claims, walks and clearing. Listing shops or secrets and counting deliveries fail. Settling deliveries of
 * several buckets settles those that it can, fails, and may be repeated as a whole.
 *
 * Within an outer transaction of one database, calls for shops of that database are part of it; calls for shops of
 * others are refused before anything is written.
 */
export const layer = <E, R>(options: BucketsOptions<E, R>): Layer.Layer<StoragePorts, E | StorageError, R> =>
  Layer.effectContext(Effect.map(open(options), make))

/** Opens the databases, the first of them with the directory. */
const open = Effect.fnUntraced(function* <E, R>({ databases: layers, schema = "designwire" }: BucketsOptions<E, R>) {
  const databases = yield* Effect.forEach(Object.entries(layers), ([name, layer]) =>
    Effect.map(Layer.build(Layer.fresh(layer)), (services) => new Database(name, services)),
  )
  const [first] = databases
  if (first === undefined) return yield* Effect.die(new Error("Name at least one database"))
  const changes = Context.get(first.services, DirectoryChanges)
  return new Stores(databases, yield* openDirectory(first.sql, changes, schema), schema, yield* Effect.scope)
})

/** Shops of all buckets, each from the bucket that it is in, by id. */
const ofAllBuckets = (stores: Stores, read: Call<ReadonlyArray<Shop>>) =>
  Effect.map(
    Effect.flatMap(stores.currentMap, ({ all }) =>
      Effect.forEach(
        all,
        (bucket) =>
          Effect.map(stores.inBucket(bucket, read), (shops) => shops.filter(({ id }) => stores.isIn(bucket, id))),
        { concurrency: 8 },
      ),
    ),
    (shops) => shops.flat().toSorted((left, right) => compareIds(left.id, right.id)),
  )

/** Shops, and what they sell. */
const catalog = (stores: Stores) => {
  const route = routed(stores)
  return Context.make(
    ShopStore,
    ShopStore.of({
      ...route(ShopStore, { put: ({ id }) => id }),
      find: (id) => stores.findAtShop(id, (ports) => Context.get(ports, ShopStore).find(id)),
      list: ofAllBuckets(stores, (ports) => Context.get(ports, ShopStore).list),
      remove: (step) => Tokens.forgetting(stores, step.shop, (ports) => Context.get(ports, ShopStore).remove(step)),
    }),
  ).pipe(
    Context.add(
      CustomizerStore,
      CustomizerStore.of(
        route(CustomizerStore, {
          find: byId,
          summary: byId,
          list: byShop,
          versions: byShop,
          definition: byId,
          put: byShop,
          publish: byId,
        }),
      ),
    ),
    Context.add(
      OrderStore,
      OrderStore.of(
        route(OrderStore, {
          commit: byShop,
          commitOrders: byId,
          remove: byShop,
          unstoredOrder: byId,
          keepUnstored: byShop,
          designs: byId,
          order: byId,
          readDesign: byId,
          hasDesign: byId,
          readOrders: byShop,
          readDesigns: byShop,
          latestOrderedDesign: byId,
          search: byShop,
          listed: byId,
        }),
      ),
    ),
  )
}

/** Endpoints, and what is delivered to them. */
const webhooks = (stores: Stores) => {
  const route = routed(stores)
  return Context.make(
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
        pause: byId,
        turnOn: byId,
      }),
    ),
  ).pipe(
    Context.add(SealedSecrets, Secrets.make(stores)),
    Context.add(DeliveryQueue, Queue.make(stores)),
    Context.add(
      DeliveryLog,
      DeliveryLog.of(
        route(DeliveryLog, {
          list: byId,
          find: byId,
          attempts: byId,
          waiting: byId,
          missed: byId,
          resendable: byId,
        }),
      ),
    ),
    Context.add(
      DeliverySearch,
      DeliverySearch.of(
        route(DeliverySearch, { page: byShop, pending: byShop, ofEvents: byShop, find: byId, events: byShop }),
      ),
    ),
    Context.add(DeliverySignal, Signal.make(stores)),
    Context.add(EventStore, EventStore.of(route(EventStore, { ofDesigns: byShop, feed: byShop, redact: byId }))),
    Context.add(NoticeStore, Notices.make(stores)),
  )
}

/** Access, and what the settings app and upkeep need. */
const administration = (stores: Stores) => {
  const route = routed(stores)
  return Context.make(TokenStore, Tokens.make(stores)).pipe(
    Context.add(RateLimits, RateLimits.of(route(RateLimits, { take: byShop, peek: byShop }))),
    Context.add(KeptAnswers, Answers.make(stores)),
    Context.add(Inbox, Inboxes.make(stores)),
    Context.add(AuditStore, AuditStore.of(route(AuditStore, { add: byShop, list: byShop }))),
    Context.add(
      ShopViews,
      ShopViews.of({
        ...route(ShopViews, { activity: byId, mark: byId }),
        withEndpoints: (shop) => stores.findAtShop(shop, (ports) => Context.get(ports, ShopViews).withEndpoints(shop)),
        page: (query) =>
          Effect.map(
            ofAllBuckets(stores, (ports) => Context.get(ports, ShopViews).page(query)),
            (shops) => shops.slice(0, query.limit),
          ),
      }),
    ),
    Context.add(
      SettingsSessions,
      SettingsSessions.of(route(SettingsSessions, { standing: byShop, spend: byShop, endAll: byShop })),
    ),
    Context.add(Upkeep, Keeping.make(stores)),
  )
}

const make = (stores: Stores): Context.Context<StoragePorts> =>
  catalog(stores).pipe(Context.merge(webhooks(stores)), Context.merge(administration(stores)))
