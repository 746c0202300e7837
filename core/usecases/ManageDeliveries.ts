import { Clock, Effect, Option, Schema } from "effect"
import { type DeliveryRecord, logLength } from "../model/Delivery.ts"
import type { EndpointRecord } from "../model/Endpoint.ts"
import { Conflict, NotFound } from "../model/Errors.ts"
import { designData, type EventRecord, eventOf, pingData } from "../model/Event.ts"
import { reader } from "../model/Input.ts"
import { type Instant, parse } from "../model/Instant.ts"
import { includesApi } from "../model/Shop.ts"
import { isStorable } from "../model/Text.ts"
import { DeliveryLog } from "../ports/DeliveryLog.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { newId } from "../ports/NewId.ts"
import { ResourceStore } from "../ports/ResourceStore.ts"
import { shopOf } from "../ports/ShopStore.ts"

const endpointOf = Effect.fnUntraced(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const endpoint = isStorable(id) ? yield* EndpointStore.use((endpoints) => endpoints.find(shop.id, id)) : Option.none()
  if (Option.isNone(endpoint)) return yield* new NotFound({ message: "The shop has no such webhook endpoint" })
  return { shop, endpoint: endpoint.value }
})

const pendingDelivery = (endpoint: EndpointRecord, id: string, event: DeliveryOf, now: Instant): DeliveryRecord => ({
  shop: endpoint.shop,
  id,
  endpointId: endpoint.id,
  eventId: event.id,
  event: event.event,
  test: event.test,
  status: "pending",
  createdAt: now,
  nextAttemptAt: now,
  attempts: [],
})

type DeliveryOf = Pick<EventRecord, "id" | "event" | "test">

/** An endpoint's delivery log: its newest 50 deliveries with every attempt, newest first (§8, D32). Fails with `NotFound`. */
export const listDeliveries = Effect.fn("ManageDeliveries.list")(function* (shopId: string, endpointId: string) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  return yield* DeliveryLog.use((log) => log.list(shop.id, endpoint.id, logLength))
})

/** A delivery of an endpoint, and its body as it is sent. Fails with `NotFound`. */
export const readDelivery = Effect.fn("ManageDeliveries.read")(function* (
  shopId: string,
  endpointId: string,
  id: string,
) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  const found = isStorable(id) ? yield* DeliveryLog.use((log) => log.find(shop.id, endpoint.id, id)) : Option.none()
  return Option.isSome(found) ? found.value : yield* new NotFound({ message: "The endpoint has no such delivery" })
})

/**
 * Sends a test event: the latest ordered design as `design.ordered`, or a `ping` if there is none (§6, D30); once, whatever the endpoint receives and
 * also while it is switched off. Fails with `NotFound`, `Conflict` where the shop's plan has no webhooks.
 */
export const sendTestEvent = Effect.fn("ManageDeliveries.test")(function* (shopId: string, endpointId: string) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  if (!includesApi(shop.plan)) {
    return yield* new Conflict({ message: "Webhooks are part of the Pro and Plus plans; the shop's plan is free" })
  }
  const latest = yield* ResourceStore.use((resources) => resources.latestOrderedDesign(shop.id))
  const now = yield* Clock.currentTimeMillis
  const id = yield* newId("evt_")
  const event = Option.match(latest, {
    onNone: () =>
      eventOf(shop, { id, event: "ping", data: pingData("A test of this webhook endpoint"), now, test: true }),
    onSome: (wire) => eventOf(shop, { id, event: "design.ordered", data: designData(wire), now, test: true }),
  })
  const delivery = pendingDelivery(endpoint, yield* newId("dlv_"), event, now)
  yield* DeliveryLog.use((log) => log.add(delivery, event))
  return delivery
})

/** Sends a delivery's body again as a new delivery with the same event id (§6, D22, D29). Fails with `NotFound`. */
export const redeliver = Effect.fn("ManageDeliveries.redeliver")(function* (
  shopId: string,
  endpointId: string,
  id: string,
) {
  const { endpoint } = yield* endpointOf(shopId, endpointId)
  const { delivery } = yield* readDelivery(shopId, endpointId, id)
  const event = { id: delivery.eventId, event: delivery.event, test: delivery.test }
  const again = pendingDelivery(endpoint, yield* newId("dlv_"), event, yield* Clock.currentTimeMillis)
  yield* DeliveryLog.use((log) => log.add(again, null))
  return again
})

const readRecovery = reader(
  Schema.Struct({
    since: Schema.String.check(
      Schema.makeFilter((text) => parse(text) !== undefined || "an RFC 3339 date-time with an offset or Z"),
    ),
  }),
)

/**
 * Makes deliveries of the kept events since a time that the endpoint takes and has not received, e.g. those of the days that it was switched off (D28).
 * Answers how many. Fails with `NotFound`, `InvalidInput`.
 */
export const recover = Effect.fn("ManageDeliveries.recover")(function* (
  shopId: string,
  endpointId: string,
  input: unknown,
) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  const { since } = yield* Effect.fromResult(readRecovery(input))
  const now = yield* Clock.currentTimeMillis
  const run = (yield* newId("dlv_")).slice("dlv_".length)
  // The schema has read it before.
  return yield* DeliveryLog.use((log) => log.recover(shop.id, endpoint.id, parse(since) as Instant, now, run))
})

/** How long events are kept at least (D33). */
const retention = 30 * 24 * 60 * 60 * 1000

/** Drops what the log no longer shows and events that nobody can recover any more (D32, D33). To be run now and then, on any host. */
export const pruneDeliveries = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  yield* DeliveryLog.use((log) => log.prune(logLength, now - retention))
})
