/** Deliveries over all endpoints of a shop, and what is found by an id (§8, D32). */
import { Clock, Effect, Option } from "effect"
import { noSubject } from "../../model/events/Event.ts"
import { newestFirst } from "../../model/orders/OrderSearch.ts"
import { namesIn, ownIdsIn, partsIn } from "../../model/orders/SearchTexts.ts"
import { isStorable } from "../../model/Text.ts"
import {
  type DeliveryFilter,
  type DeliveryPlace,
  type EventsAbout,
  eventsLookedThrough,
  type FoundEvent,
  type LoggedDelivery,
  type WaitingCause,
} from "../../model/webhooks/LoggedDelivery.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { EventStore } from "../../ports/EventStore.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { shopOf } from "../../support/ShopRecords.ts"

/** Rows of a page: as many as fit into 40 KiB of HTML. */
const deliveriesPerPage = 25

/** Rows of each thing that is found: a page has the fate of an order as well. */
const foundPerPage = 20

/** Lists a page of at most `limit` deliveries that a filter selects, newest first. Fails with `NotFound`. */
export const listAllDeliveries = Effect.fn("FindDeliveries.list")(function* (
  shopId: string,
  filter: DeliveryFilter,
  after: DeliveryPlace | null,
  limit = deliveriesPerPage,
) {
  const shop = yield* shopOf(shopId)
  return yield* DeliveryLog.use((log) => log.page({ shop: shop.id, filter, after, limit }))
})

/** Lists a page of what is pending, by when it is due; with counts if it names reasons. Fails with `NotFound`. */
export const listWaiting = Effect.fn("FindDeliveries.waiting")(function* (
  shopId: string,
  { after, causes, endpoint, limit = deliveriesPerPage }: WaitingQuery,
) {
  const shop = yield* shopOf(shopId)
  const why = causes === undefined ? undefined : { now: yield* Clock.currentTimeMillis, causes }
  return yield* DeliveryLog.use((log) => log.page({ shop: shop.id, pending: { endpoint, why }, after, limit }))
})

/**
 * Reads what a delivery is about, nothing if its event is not kept, and whether it waits for another one (D53). Fails
 * with `NotFound` if the shop does not exist.
 */
export const readOrdering = Effect.fn("FindDeliveries.ordering")(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const found = yield* DeliveryLog.use((log) => log.find(shop.id, null, id))
  return Option.getOrElse(found, () => ({ subject: noSubject, isBehind: false }))
})

export interface WaitingQuery {
  readonly after: DeliveryPlace | null
  readonly endpoint?: string | undefined
  readonly causes?: ReadonlyArray<WaitingCause>
  readonly limit?: number
}

/** The kind of thing that an id names. */
export type FoundAs = "order" | "design" | "event" | "delivery"

/** The thing that an id names, and the deliveries of its events. */
export interface Found {
  readonly as: FoundAs
  /** Of the thing: an order that was found by its name has another id than the text. */
  readonly id: string
  /** Whether it is an order or a design that the shop has. Its events may be gone; a design may be, too. */
  readonly isStored: boolean
  readonly events: ReadonlyArray<FoundEvent>
  readonly deliveries: ReadonlyArray<LoggedDelivery>
  readonly next: DeliveryPlace | null
}

/** At most this many orders are found by a name. */
const ordersFound = 5

const noDesigns = { skip: 0, limit: 0, bytes: 0 }

/**
 * The ids of the order with an id, and of the newest orders with a name, which several may have; whether the first is
 * one, and whether there are more of the others.
 */
const ordersOf = Effect.fnUntraced(function* (shop: string, text: string) {
  const store = yield* OrderStore
  if (text.length > 255) return { hasId: false, named: [], hasMore: false }
  const hasId = (yield* store.existing(shop, "orders", [text])).length > 0
  const found = yield* Effect.forEach(namesIn(text), (name) =>
    store.search({
      ...{ shop, text: name, exact: true, status: null, from: null, until: null, after: null },
      // One of them may be the order with this id.
      ...{ limit: ordersFound + 1, designs: noDesigns },
    }),
  )
  const orders = found.flatMap((each) => each.orders).toSorted((one, other) => newestFirst(one.order, other.order))
  const named = [...new Set(orders.map(({ order }) => order.id))].filter((id) => id !== text)
  const hasMore = found.some(({ next }) => next !== null) || named.length > ordersFound
  return { hasId, named: named.slice(0, ordersFound), hasMore }
})

/**
 * Finds what a text is the id of, or a name (`findOne`); if it is neither, e.g. a sentence, a URL or an id in capitals,
 * then what its parts are. Fails with `NotFound` if the shop does not exist.
 */
export const findDeliveries = Effect.fn("FindDeliveries.find")(function* (
  shopId: string,
  text: string,
  after: DeliveryPlace | null,
) {
  const shop = (yield* shopOf(shopId)).id
  const whole = yield* findOne(shop, text, after)
  if (whole.found.length > 0) return whole
  const texts = partsIn(text)
  const ids = yield* Effect.forEach(ownIdsIn([text, ...texts]), (query) =>
    DeliveryLog.use((log) => log.spellings({ shop, ...query })),
  )
  const parts = yield* Effect.forEach([...texts, ...ids.flat()], (part) => findOne(shop, part, after))
  const found = new Map(parts.flatMap((part) => part.found).map((one) => [`${one.as} ${one.id}`, one]))
  return { found: [...found.values()], hasMoreOrders: parts.some(({ hasMoreOrders }) => hasMoreOrders) }
})

/**
 * Finds what an id is of, and a page of every delivery about it: an order's and a design's of all their events, a
 * delivery's and an event's of that event. An id may be of several, e.g. of an order and a design. A text may also be
 * the name of orders, in any case: the newest of these come after all that it is the id of, and `hasMoreOrders` says
 * whether there are more. An order or a design is found although none of its events is kept.
 */
const findOne = Effect.fnUntraced(function* (shop: string, id: string, after: DeliveryPlace | null) {
  if (id === "" || !isStorable(id)) return { found: [], hasMoreOrders: false }
  const [log, stored] = [yield* DeliveryLog, yield* EventStore]
  const delivery = Option.getOrUndefined(yield* log.find(shop, null, id))?.delivery
  const orders = yield* ordersOf(shop, id)
  const hasDesign =
    id.length <= 255 && (yield* OrderStore.use((store) => store.existing(shop, "designs", [id]))).length > 0
  const about: ReadonlyArray<Pick<Found, "as" | "id" | "isStored"> & { readonly query: EventsAbout }> = [
    { as: "order", id, isStored: orders.hasId, query: { order: id } },
    { as: "design", id, isStored: hasDesign, query: { design: id } },
    { as: "event", id, isStored: false, query: { event: id } },
    ...(delivery === undefined
      ? []
      : ([{ as: "delivery", id, isStored: false, query: { event: delivery.eventId } }] as const)),
    ...orders.named.map((order) => ({ as: "order", id: order, isStored: true, query: { order } }) as const),
  ]
  const found: Array<Found> = []
  for (const { as, id: own, isStored, query } of about) {
    const events = yield* stored.find({ shop, about: query, limit: eventsLookedThrough })
    if (events.length === 0 && !isStored) continue
    const ids = events.map((event) => event.id)
    const page =
      ids.length === 0
        ? { deliveries: [], next: null }
        : yield* log.page({ shop, events: ids, after, limit: foundPerPage })
    found.push({ as, id: own, isStored, events, ...page })
  }
  return { found, hasMoreOrders: orders.hasMore }
})
