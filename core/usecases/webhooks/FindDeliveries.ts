/** Deliveries over all endpoints of a shop, and what is found by an id (§8, D32). */
import { Effect, Option } from "effect"
import type {
  DeliveryFilter,
  DeliveryPlace,
  EventsAbout,
  FoundEvent,
  LoggedDelivery,
} from "../../model/deliveries/LoggedDelivery.ts"
import { noSubject } from "../../model/Event.ts"
import { fromHead } from "../../model/Order.ts"
import { isStorable } from "../../model/Text.ts"
import { DeliverySearch } from "../../ports/DeliverySearch.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { shopOf } from "../../support/ShopOf.ts"

/** Rows of a page: as many as fit into 40 KiB of HTML. */
const deliveriesPerPage = 25

/** At most this many events of an order or a design are looked through. */
export const eventsLookedThrough = 200

/** Lists a page of at most `limit` deliveries that a filter selects, newest first. Fails with `NotFound`. */
export const listAllDeliveries = Effect.fn("FindDeliveries.list")(function* (
  shopId: string,
  filter: DeliveryFilter,
  after: DeliveryPlace | null,
  limit = deliveriesPerPage,
) {
  const shop = yield* shopOf(shopId)
  return yield* DeliverySearch.use((search) => search.page({ shop: shop.id, filter, after, limit }))
})

/** Lists a page of what is pending, by when it is due, to one endpoint or to all. Fails with `NotFound`. */
export const listWaiting = Effect.fn("FindDeliveries.waiting")(function* (
  shopId: string,
  { after, endpoint, limit = deliveriesPerPage }: WaitingQuery,
) {
  const shop = yield* shopOf(shopId)
  return yield* DeliverySearch.use((search) => search.pending({ shop: shop.id, endpoint, after, limit }))
})

/** Reads what an event is about: nothing if it is not kept. Fails with `NotFound` if the shop does not exist. */
export const readSubject = Effect.fn("FindDeliveries.subject")(function* (shopId: string, event: string) {
  const shop = yield* shopOf(shopId)
  const [found] = yield* DeliverySearch.use((search) => search.events({ shop: shop.id, about: { event }, limit: 1 }))
  return found?.subject ?? noSubject
})

export interface WaitingQuery {
  readonly after: DeliveryPlace | null
  readonly endpoint?: string | undefined
  readonly limit?: number
}

/** The kind of thing that an id names. */
export type FoundAs = "order" | "design" | "event" | "delivery"

/** The thing that an id names, and the deliveries of its events. */
export interface Found {
  readonly as: FoundAs
  readonly events: ReadonlyArray<FoundEvent>
  readonly deliveries: ReadonlyArray<LoggedDelivery>
  readonly next: DeliveryPlace | null
}

/** Orders that begin with a name are looked through up to this number. */
const namesLookedThrough = 50

/** The ids of the newest orders with a name. Several orders may have the same. */
const ordersNamed = Effect.fnUntraced(function* (shop: string, name: string) {
  if (name.length > 255) return []
  const { orders } = yield* OrderStore.use((store) =>
    store.search({
      ...{ shop, text: name, status: null, from: null, until: null, after: null, limit: namesLookedThrough },
      designs: { skip: 0, limit: 0, bytes: 0 },
    }),
  )
  return orders
    .map(({ order }) => fromHead(order.head))
    .filter((order) => order.name.toLowerCase() === name.toLowerCase())
    .map(({ id }) => id)
    .slice(0, 5)
})

/**
 * Finds what an id is of, and a page of every delivery about it: an order's and a design's of all their events, a
 * delivery's and an event's of that event. An id may be of several, e.g. of an order and a design. A text may also be
 * the name of an order, in any case. Fails with `NotFound` if the shop does not exist.
 */
export const findDeliveries = Effect.fn("FindDeliveries.find")(function* (
  shopId: string,
  id: string,
  after: DeliveryPlace | null,
) {
  const shop = (yield* shopOf(shopId)).id
  if (id === "" || !isStorable(id)) return []
  const search = yield* DeliverySearch
  const delivery = Option.getOrUndefined(yield* search.find(shop, id))
  const named = (yield* ordersNamed(shop, id)).filter((order) => order !== id)
  const about: ReadonlyArray<readonly [FoundAs, EventsAbout]> = [
    ["order", { order: id }],
    ...named.map((order) => ["order", { order }] as const),
    ["design", { design: id }],
    ["event", { event: id }],
    ...(delivery === undefined ? [] : ([["delivery", { event: delivery.eventId }]] as const)),
  ]
  const found: Array<Found> = []
  for (const [as, query] of about) {
    const events = yield* search.events({ shop, about: query, limit: eventsLookedThrough })
    if (events.length === 0) continue
    const ids = events.map((event) => event.id)
    const page = yield* search.ofEvents({ shop, events: ids, after, limit: deliveriesPerPage })
    found.push({ as, events, ...page })
  }
  return found
})
