import { compareIds } from "../../../core/model/Ids.ts"
import type { DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import {
  type DeliveryPage,
  type DeliveryPlace,
  type FoundDelivery,
  type LoggedDelivery,
  logged,
  type WaitingCause,
  waitingCauses,
} from "../../../core/model/webhooks/LoggedDelivery.ts"
import type { DeliveriesQuery } from "../../../core/ports/DeliveryLog.ts"
import { isSelected } from "../../../core/rules/webhooks/DeliveryFilters.ts"
import { causeOf } from "../../../core/rules/webhooks/DeliveryState.ts"
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
  const select = (isWanted: (delivery: FoundDelivery) => boolean, order: Order) =>
    pageOf(deliveriesOf(state, query.shop).filter(isWanted).map(logged), order, query)
  if ("filter" in query) return select(({ delivery }) => isSelected(delivery, query.filter), newestFirst)
  if ("events" in query) return select(({ delivery }) => query.events.includes(delivery.eventId), newestFirst)
  const { endpoint, why } = query.pending
  const isPending = ({ delivery }: FoundDelivery) => isSelected(delivery, { endpoint, status: "pending" })
  if (why === undefined) return select(isPending, firstDue)
  const causeOfFound = (found: FoundDelivery): WaitingCause | undefined => {
    const shop = state.shops.get(query.shop)
    const own = state.holdings.get(query.shop)?.endpoints.get(found.delivery.endpointId)
    return own && shop && isPending(found) ? causeOf(logged(found), own, shop, why.now) : undefined
  }
  const all = deliveriesOf(state, query.shop).map((found) => ({ ...logged(found), cause: causeOfFound(found) }))
  const counts = queuesOf(state, query.shop).flatMap(({ endpointId }) =>
    waitingCauses.flatMap((cause) => {
      const own = all.filter((each) => each.endpointId === endpointId && each.cause === cause).sort(byOrder(firstDue))
      return own[0] === undefined ? [] : [{ endpointId, cause, count: own.length, first: firstDue.placeOf(own[0]).at }]
    }),
  )
  return { ...select((found) => why.causes.some((cause) => cause === causeOfFound(found)), firstDue), counts }
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

const byOrder =
  ({ compare, placeOf }: Order) =>
  (left: LoggedDelivery, right: LoggedDelivery) =>
    compare(placeOf(left), placeOf(right))

const pageOf = (
  all: ReadonlyArray<LoggedDelivery>,
  order: Order,
  { after, limit }: { readonly after: DeliveryPlace | null; readonly limit: number },
): DeliveryPage => {
  const following = all
    .filter((delivery) => after === null || order.compare(order.placeOf(delivery), after) > 0)
    .sort(byOrder(order))
  const deliveries = following.slice(0, limit)
  const last = deliveries.at(-1)
  return { deliveries, next: last === undefined || following.length <= limit ? null : order.placeOf(last) }
}
