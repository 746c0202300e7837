/** Records that a host can leave in a store and look for, to distinguish stores. */
import { Effect, Option } from "effect"
import { CustomizerStore } from "../../../../core/ports/CustomizerStore.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { RateLimits } from "../../../../core/ports/RateLimits.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import type { StorageError } from "../../../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import type { StoragePort } from "../StorageCase.ts"
import { makeShop, makeToken, newShop, place, someTime, unique } from "./Fixtures.ts"
import { makeEndpoint } from "./Webhooks.ts"

export interface Witness {
  /** Used in case ids. */
  readonly id: string
  /** Its description. */
  readonly title: string
  readonly ports: ReadonlyArray<StoragePort>
  /** A host's own. */
  readonly service: Effect.Effect<object, never, StoragePorts>
  /** Leaves it and returns whether a host sees it. */
  readonly leave: Effect.Effect<Effect.Effect<boolean, StorageError, StoragePorts>, unknown, StoragePorts>
}

export const witnesses: ReadonlyArray<Witness> = [
  {
    id: "shops",
    title: "a shop",
    ports: [ShopStore],
    service: ShopStore,
    leave: Effect.map(newShop, (id) => ShopStore.use((shops) => Effect.map(shops.find(id), Option.isSome))),
  },
  {
    id: "customizers",
    title: "a customizer",
    ports: [ShopStore, CustomizerStore],
    service: CustomizerStore,
    leave: Effect.gen(function* () {
      const shop = yield* newShop
      yield* (yield* CustomizerStore).put({
        shop,
        id: 1,
        title: "Ring",
        platformProductId: "gid://platform/Product/1",
        assetBase: "https://assets.example.com/c/1/",
      })
      return CustomizerStore.use((customizers) => Effect.map(customizers.summary(shop, 1), Option.isSome))
    }),
  },
  {
    id: "orders",
    title: "an order",
    ports: [ShopStore, OrderStore],
    service: OrderStore,
    leave: Effect.gen(function* () {
      const shop = yield* newShop
      yield* place(shop, "1", someTime)
      return OrderStore.use((orders) => Effect.map(orders.order(shop, "1"), Option.isSome))
    }),
  },
  {
    id: "tokens",
    title: "a token",
    ports: [ShopStore, TokenStore],
    service: TokenStore,
    leave: Effect.gen(function* () {
      const token = makeToken(yield* newShop)
      yield* (yield* TokenStore).add(token, 100)
      return TokenStore.use((tokens) => Effect.map(tokens.find(token.digest), Option.isSome))
    }),
  },
  {
    id: "rates",
    title: "a token's accepted request",
    ports: [RateLimits],
    service: RateLimits,
    leave: Effect.gen(function* () {
      const rate = { limit: 1, window: 60_000 }
      const request = { shop: makeShop().id, tokenId: `tok_${unique()}`, now: someTime, rate }
      yield* (yield* RateLimits).take(request)
      return RateLimits.use((limits) => Effect.map(limits.peek(request), ({ remaining }) => remaining === 0))
    }),
  },
  {
    id: "endpoints",
    title: "an endpoint",
    ports: [ShopStore, EndpointStore],
    service: EndpointStore,
    leave: Effect.gen(function* () {
      const endpoint = makeEndpoint(yield* newShop)
      yield* (yield* EndpointStore).add(endpoint, 5)
      return EndpointStore.use((endpoints) => Effect.map(endpoints.find(endpoint.shop, endpoint.id), Option.isSome))
    }),
  },
]
