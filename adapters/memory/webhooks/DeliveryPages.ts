import { compareIds } from "../../../core/model/Ids.ts"
import type { DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import {
  type DeliveryPage,
  type DeliveryPlace,
  type FoundDelivery,
  type LoggedDelivery,
  logged,
} from "../../../core/model/webhooks/LoggedDelivery.ts"
import type { DeliveriesQuery } from "../../../core/ports/DeliveryLog.ts"
import { isSelected } from "../../../core/rules/webhooks/DeliveryFilters.ts"
import type { DeliveryState, EndpointQueue, State } from "../State.ts"
import { isBehind, queuesOf } from "./EndpointQueue.ts"

/** A delivery in a queue, with its event. */
const found = (
  state: State,
  shop: string,
  queue: EndpointQueue,
  delivery: DeliveryState,
): ReadonlyArray<FoundDelivery> => {
  const event = state.holdings.get(shop)?.events.get(delivery.record.eventId)
  if (event === undefined) return []
  const claimedUntil = delivery.token === null ? null : delivery.leasedUntil
  const { body, subject } = event
  return [{ delivery: delivery.record, body, subject, claimedUntil, isBehind: isBehind(queue, delivery) }]
}

/** A delivery of a shop by its id. */
export const findDelivery = (state: State, shop: string, endpointId: string | null, id: string) =>
  queuesOf(state, shop)
    .filter((queue) => endpointId === null || queue.endpointId === endpointId)
    .flatMap((queue) => {
      const delivery = queue.all.get(id)
      return delivery === undefined ? [] : found(state, shop, queue, delivery)
    })[0]

const deliveriesOf = (state: State, shop: string): ReadonlyArray<FoundDelivery> =>
  queuesOf(state, shop).flatMap((queue) =>
    [...queue.all.values()].flatMap((delivery) => found(state, shop, queue, delivery)),
  )

/** A page of a shop's deliveries. */
export const pageOfDeliveries = (state: State, query: DeliveriesQuery): DeliveryPage => {
  const select = (isWanted: (delivery: DeliveryRecord) => boolean, order: Order) =>
    pageOf(
      deliveriesOf(state, query.shop)
        .filter(({ delivery }) => isWanted(delivery))
        .map(logged),
      order,
      query,
    )
  if ("filter" in query) return select((delivery) => isSelected(delivery, query.filter), newestFirst)
  if ("events" in query) return select(({ eventId }) => query.events.includes(eventId), newestFirst)
  const { endpoint, isActive = false } = query.pending
  const endpoints = state.holdings.get(query.shop)?.endpoints
  return select(
    (delivery) =>
      isSelected(delivery, { endpoint, status: "pending" }) &&
      (!isActive || endpoints?.get(delivery.endpointId)?.status === "active"),
    firstDue,
  )
}

/** An order of deliveries: the place of each, and how places compare. */
interface Order {
  readonly placeOf: (delivery: Omit<DeliveryRecord, "attempts">) => DeliveryPlace
  readonly compare: (left: DeliveryPlace, right: DeliveryPlace) => number
}

const ascending = (left: DeliveryPlace, right: DeliveryPlace): number =>
  left.at - right.at || compareIds(left.id, right.id)

const newestFirst: Order = {
  placeOf: ({ createdAt, id }) => ({ at: createdAt, id }),
  compare: (left, right) => ascending(right, left),
}

const firstDue: Order = {
  placeOf: ({ createdAt, id, nextAttemptAt }) => ({ at: nextAttemptAt ?? createdAt, id }),
  compare: ascending,
}

const pageOf = (
  all: ReadonlyArray<LoggedDelivery>,
  { compare, placeOf }: Order,
  { after, limit }: { readonly after: DeliveryPlace | null; readonly limit: number },
): DeliveryPage => {
  const following = all
    .filter((delivery) => after === null || compare(placeOf(delivery), after) > 0)
    .sort((left, right) => compare(placeOf(left), placeOf(right)))
  const deliveries = following.slice(0, limit)
  const last = deliveries.at(-1)
  return { deliveries, next: last === undefined || following.length <= limit ? null : placeOf(last) }
}
