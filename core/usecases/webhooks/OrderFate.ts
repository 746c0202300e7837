/** What became of an order at each endpoint of its shop (§8, D31, D32), and sending it again to one. */
import { Clock, Effect } from "effect"
import type { AuditEntry } from "../../model/audit/AuditEntry.ts"
import { fromWire } from "../../model/catalog/Design.ts"
import type { Instant } from "../../model/Instant.ts"
import { orderById } from "../../model/orders/OrderSearch.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { type Endpoint, type EndpointRecord, view } from "../../model/webhooks/Endpoint.ts"
import {
  type DeliveryPlace,
  eventsLookedThrough,
  type FoundEvent,
  type LoggedDelivery,
} from "../../model/webhooks/LoggedDelivery.ts"
import { AuditStore } from "../../ports/AuditStore.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { EventStore } from "../../ports/EventStore.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { pendingDelivery } from "../../rules/webhooks/DeliveryState.ts"
import { type EventFate, type FateLine, fateOf, linesOf, shownOf, toSend } from "../../rules/webhooks/Fate.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { newId } from "../../support/NewId.ts"
import { endpointOf, isOrderId, requireWebhooks, shopOf } from "../../support/ShopRecords.ts"

/** The newest events of an order whose fate is read, and the pages of their deliveries: 1,000 of them. */
const [mostEvents, mostPages] = [40, 10]

/** The entries about an endpoint, and about its shop, that are looked through. */
const mostEntries = 1_000

/** The designs of an order whose customizers are looked at, and the bytes of each. */
const designsRead = { skip: 0, limit: 100, bytes: 32 * 1024 }

/** The newest events of an order, without tests. */
const eventsOf = Effect.fnUntraced(function* (shop: string, order: string) {
  if (!isOrderId(order)) return []
  const found = yield* EventStore.use((store) => store.find({ shop, about: { order }, limit: eventsLookedThrough }))
  return found.filter(({ test }) => !test)
})

const deliveriesOf = Effect.fnUntraced(function* (shop: string, events: ReadonlyArray<string>) {
  const log = yield* DeliveryLog
  const all: Array<LoggedDelivery> = []
  let after: DeliveryPlace | null = null
  for (let page = 0; page < mostPages && events.length > 0; page++) {
    const { deliveries, next }: Effect.Success<ReturnType<typeof log.page>> = yield* log.page({
      ...{ shop, events, after, limit: 100 },
    })
    all.push(...deliveries)
    if (next === null) break
    after = next
  }
  return all
})

const entriesOf = Effect.fnUntraced(function* (shop: string, type: "endpoint" | "shop", id: string) {
  const subject = { type, id }
  const entries = yield* AuditStore.use((audit) =>
    audit.list({ ...{ shop, subject, from: null, until: null, after: null, limit: mostEntries } }),
  )
  return { entries, knownSince: entries.length < mostEntries ? 0 : (entries.at(-1)?.at ?? 0) }
})

/** The customizers of the designs that an event of an order shows; `null` if they are not known. */
const customizersIn = Effect.fnUntraced(function* (shop: string, id: string) {
  const { orders } = yield* OrderStore.use((store) => store.search(orderById(shop, id, designsRead)))
  const [order] = orders
  const designs = order?.designs ?? []
  const known = new Map(
    designs.flatMap((one) => (one.wire === null ? [] : [[one.id, fromWire(one.wire).customizer.id] as const])),
  )
  const isWhole = order !== undefined && known.size === order.total
  return ({ subject: { design } }: FoundEvent): ReadonlyArray<number> | null => {
    if (design === null) return isWhole ? [...known.values()] : null
    const own = known.get(design)
    return own === undefined ? null : [own]
  }
})

/** The fates of an order's events at some endpoints. What only the reasons need is read if an event was not sent. */
const fatesAt = Effect.fnUntraced(function* (
  shop: Shop,
  order: string,
  endpoints: ReadonlyArray<EndpointRecord>,
  events: ReadonlyArray<FoundEvent>,
) {
  const deliveries = yield* deliveriesOf(
    shop.id,
    events.map(({ id }) => id),
  )
  const lacking = endpoints.filter(({ id }) => events.some((event) => shownOf(event, id, deliveries) === undefined))
  const subjects = [["shop", shop.id] as const, ...lacking.map(({ id }) => ["endpoint", id] as const)]
  const read = Effect.forEach(subjects, ([type, id]) => entriesOf(shop.id, type, id), { concurrency: 3 })
  const found = lacking.length === 0 ? [] : yield* read
  const entries = found.flatMap((each) => each.entries)
  const names =
    lacking.some(({ options }) => options.customizers !== null) ||
    entries.some(({ before }) => before !== null && "customizers" in before)
  const customizersOf = names ? yield* customizersIn(shop.id, order) : () => null
  return endpoints.map((endpoint) => {
    const isOwn = ({ subject }: AuditEntry) => subject.type === "shop" || subject.id === endpoint.id
    const knownSince = Math.max(0, ...found.map((each) => each.knownSince))
    const past = { endpoint, shop, customizersOf, entries: entries.filter(isOwn), knownSince }
    return events.map((event): EventFate => ({ event, fate: fateOf(event, deliveries, past) }))
  })
})

/** The fate of an order at an endpoint. */
export interface EndpointFate {
  readonly endpoint: Endpoint
  readonly lines: ReadonlyArray<FateLine>
  /** How many events {@link sendOrder} would send. */
  readonly sendable: number
  /** The pending delivery for which the others of the order wait; `null` if none does (D53). */
  readonly front: LoggedDelivery | null
}

/** The fate of an order. */
export interface OrderFate {
  /** One for each endpoint, oldest first; each without lines if no event of the order is kept. */
  readonly endpoints: ReadonlyArray<EndpointFate>
  /** The events that it is about, and all that are kept. */
  readonly events: { readonly shown: number; readonly kept: number }
}

const frontOf = (fates: ReadonlyArray<EventFate>): LoggedDelivery | null =>
  fates
    .flatMap(({ fate }) => ("delivery" in fate ? [fate.delivery] : []))
    .findLast(({ isBehind, status }) => status === "pending" && !isBehind) ?? null

/** Reads what became of an order at each endpoint of its shop. Fails with `NotFound` if the shop does not exist. */
export const readOrderFate = Effect.fn("OrderFate.read")(function* (shopId: string, order: string) {
  const shop = yield* shopOf(shopId)
  const endpoints = yield* EndpointStore.use((store) => store.list(shop.id))
  const kept = yield* eventsOf(shop.id, order)
  const events = kept.slice(0, mostEvents)
  const fates = yield* fatesAt(shop, order, endpoints, events)
  const fate: OrderFate = {
    endpoints: endpoints.map((endpoint, index) => {
      const own = fates[index] ?? []
      return { endpoint: view(endpoint), lines: linesOf(own), sendable: toSend(own).length, front: frontOf(own) }
    }),
    events: { shown: events.length, kept: kept.length },
  }
  return fate
})

/**
 * Sends the events of an order to an endpoint (`Fate.toSend`), in their order, whatever it wants. Returns how many.
 * Fails with `NotFound`, and with `PlanRequired` if the shop's plan does not include webhooks (D8).
 */
export const sendOrder = Effect.fn("OrderFate.send")(function* (shopId: string, order: string, endpointId: string) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  yield* requireWebhooks(shop)
  const events = (yield* eventsOf(shop.id, order)).slice(0, mostEvents)
  const [fates = []] = yield* fatesAt(shop, order, [endpoint], events)
  const chosen = toSend(fates)
  const now: Instant = Math.trunc(yield* Clock.currentTimeMillis)
  const audit = AuditRules.resending(yield* newOccasion, endpoint)(chosen.length)
  let sent = 0
  for (const [index, event] of chosen.entries()) {
    // A millisecond apart, so that they stay in their order.
    const delivery = pendingDelivery(yield* newId("dlv_"), event, endpoint, now + index)
    const added = yield* DeliveryQueue.use((queue) =>
      sent === 0 ? queue.add(delivery, null, audit) : queue.add(delivery, null),
    )
    if (added) sent += 1
  }
  if (sent > 0) yield* logEntry(audit)
  return sent
})
