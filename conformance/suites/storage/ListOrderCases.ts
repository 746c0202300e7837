import { Effect } from "effect"
import { DeliveryLog } from "../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { equal } from "../Assertion.ts"
import { calling, onOtherHost, type StorageCase } from "./StorageCase.ts"
import { makeToken, newShop, unique } from "./support/Fixtures.ts"
import {
  addDelivery,
  bothHosts,
  happen,
  logOf,
  makeDelivery,
  makeEndpoint,
  newEndpoint,
  newWebhookShop,
} from "./support/Webhooks.ts"

/** Ends of ids in code point order, which no collation has. */
const ascending = ["0", "00", "9", "A", "AA", "Aa", "Z", "_", "a", "aA", "aa", "z"]

/** In another order than the listed one. */
const shuffled = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values.flatMap((_, index) => values[(index * 5 + 3) % values.length] ?? [])

/** Every list has one defined order for items of the same instant. */
export const listOrderCases: ReadonlyArray<StorageCase> = [
  ...calling(
    ShopStore,
    TokenStore,
  )([
    {
      id: "tokens.list.ties",
      title: "MUST list tokens created at one instant by id, descending by code point",
      requirements: ["§1-7"],
      run: Effect.gen(function* () {
        const both = [yield* TokenStore, yield* onOtherHost(TokenStore)]
        const [shop, prefix] = [yield* newShop, `tok_${unique()}`]
        const tokens = ascending.map((end) => makeToken(shop, { id: `${prefix}${end}` }))
        for (const token of shuffled(tokens)) yield* (yield* TokenStore).add(token, 100)
        for (const host of both) yield* equal("the tokens", yield* host.list(shop), tokens.toReversed())
      }),
    },
  ]),
  ...calling(
    ShopStore,
    EndpointStore,
  )([
    {
      id: "endpoints.list.ties",
      title: "MUST list endpoints added at one instant by id, ascending by code point",
      requirements: ["§1-7"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const [{ id: shop }, prefix] = [yield* newWebhookShop(), `whe_${unique(20)}`]
        const endpoints = ascending.map((end) => makeEndpoint(shop, { id: `${prefix}${end}` }))
        for (const endpoint of shuffled(endpoints)) yield* both[0].endpoints.add(endpoint, 1_000)
        for (const host of both) yield* equal("the endpoints", yield* host.endpoints.list(shop), endpoints)
      }),
    },
  ]),
  ...calling(
    ShopStore,
    OrderStore,
    EndpointStore,
    DeliveryQueue,
    DeliveryLog,
  )([
    {
      id: "log.list.ties",
      title: "MUST list deliveries created at one instant by id, descending by code point",
      requirements: ["§8-7", "D32"],
      alone: true,
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const endpoint = yield* newEndpoint({ kinds: ["design.created"] })
        const [event] = yield* happen(endpoint.shop)
        const prefix = `dlv_${unique(20)}`
        const deliveries = ascending.map((end) => makeDelivery(event, endpoint, { id: `${prefix}${end}` }))
        for (const delivery of shuffled(deliveries)) yield* addDelivery(both[0], delivery)
        for (const host of both) yield* equal("the log", yield* logOf(host, endpoint), deliveries.toReversed())
      }),
    },
  ]),
]
