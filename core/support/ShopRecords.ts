import { Effect, Option, Result, Schema } from "effect"
import { NotFound, PlanRequired } from "../model/Errors.ts"
import { DesignId, OrderId, ShopId } from "../model/Ids.ts"
import { quoteId } from "../model/json/Json.ts"
import { includesApi, type Shop } from "../model/shops/Shop.ts"
import { isStorable } from "../model/Text.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { OrderStore } from "../ports/OrderStore.ts"
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

/** Fails with `PlanRequired` if the shop's plan does not include webhooks (D8). */
export const requireWebhooks = (shop: Shop): Effect.Effect<void, PlanRequired> =>
  includesApi(shop.plan)
    ? Effect.void
    : Effect.fail(new PlanRequired({ message: "Webhooks are part of the Pro and Plus plans; the shop's plan is free" }))

const isDesignId = Schema.is(DesignId)

/** A design and its shop. Fails with `NotFound` if either does not exist. */
export const designOf = Effect.fnUntraced(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const [design] = isDesignId(id) ? yield* OrderStore.use((orders) => orders.designs(shop.id, [id])) : []
  if (design === undefined) return yield* new NotFound({ message: `The shop has no design ${quoteId(id)}` })
  return { shop, design }
})

/** Whether an order can have this id. */
export const isOrderId = Schema.is(OrderId)

/** An order with its designs; none if the shop does not have it. */
export const findOrder = (shop: string, id: string) =>
  isOrderId(id) ? OrderStore.use((orders) => orders.order(shop, id)) : Effect.succeedNone

/** An order with its designs, and its shop. Fails with `NotFound` if either does not exist. */
export const orderOf = Effect.fnUntraced(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const found = yield* findOrder(shop.id, id)
  if (Option.isNone(found)) return yield* new NotFound({ message: `The shop has no order ${quoteId(id)}` })
  return { shop, ...found.value }
})

/** A webhook endpoint and its shop. Fails with `NotFound` if either does not exist. */
export const endpointOf = Effect.fnUntraced(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const found = isStorable(id) ? yield* EndpointStore.use((endpoints) => endpoints.find(shop.id, id)) : Option.none()
  return { shop, endpoint: yield* orNoEndpoint(found) }
})

/** The endpoint that a store returned, or `NotFound`. */
export const orNoEndpoint = <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
  Option.match(found, {
    onNone: () => Effect.fail(new NotFound({ message: "The shop has no such webhook endpoint" })),
    onSome: Effect.succeed,
  })
