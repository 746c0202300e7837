/** The queue: a lane of deliveries per endpoint, and whose turn it is. */
import type { DeliveryRecord } from "../../core/model/Delivery.ts"
import type { EndpointRecord } from "../../core/model/Endpoint.ts"
import type { EventRecord } from "../../core/model/Event.ts"
import type { Instant } from "../../core/model/Instant.ts"
import { includesApi } from "../../core/model/Shop.ts"
import type { DeliveryState, Lane, State } from "./State.ts"

/** The lane of a new endpoint. */
export const makeLane = ({ shop, id }: EndpointRecord): Lane => ({
  shop,
  endpointId: id,
  all: new Map(),
  waiting: [],
  waitingTests: [],
})

/** The lane of an endpoint, if there is such an endpoint. */
export const laneOf = (state: State, shop: string, endpointId: string): Lane | undefined =>
  state.holdings.get(shop)?.lanes.get(endpointId)

/**
 * An event's delivery to an endpoint, due at once. Its id says of what, and to whom or in which run of making up for what was missed (D22).
 */
export const deliveryOf = (
  event: EventRecord,
  endpoint: EndpointRecord,
  now: Instant,
  run?: string,
): DeliveryRecord => ({
  shop: event.shop,
  id:
    run === undefined
      ? `dlv_${withoutPrefix(event.id)}${withoutPrefix(endpoint.id)}`
      : `dlv_${run}${withoutPrefix(event.id)}`,
  endpointId: endpoint.id,
  eventId: event.id,
  event: event.event,
  test: event.test,
  status: "pending",
  createdAt: now,
  nextAttemptAt: now,
  attempts: [],
})

const withoutPrefix = (id: string): string => id.slice(id.indexOf("_") + 1)

/** Adds a delivery to its lane. */
export const addDelivery = (state: State, lane: Lane, record: DeliveryRecord): void => {
  const delivery = { record, availableAt: record.nextAttemptAt ?? record.createdAt, token: null }
  lane.all.set(record.id, delivery)
  if (record.status === "pending") enqueue(state, lane, delivery)
}

const queueOf = (lane: Lane, { record }: DeliveryState): Array<DeliveryState> =>
  record.test ? lane.waitingTests : lane.waiting

const enqueue = (state: State, lane: Lane, delivery: DeliveryState): void => {
  const queue = queueOf(lane, delivery)
  // Behind all that are available at the same time: those came before.
  queue.splice(placeOf(queue, delivery.availableAt + 1), 0, delivery)
  state.turns.add(lane)
}

const dequeue = (state: State, lane: Lane, delivery: DeliveryState): void => {
  const queue = queueOf(lane, delivery)
  const at = queue.indexOf(delivery, placeOf(queue, delivery.availableAt))
  if (at >= 0) queue.splice(at, 1)
  if (lane.waiting.length + lane.waitingTests.length === 0) state.turns.delete(lane)
}

/** How many of a queue are available before an instant. */
const placeOf = (queue: ReadonlyArray<DeliveryState>, instant: Instant): number => {
  let low = 0
  let high = queue.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const delivery = queue[middle]
    if (delivery !== undefined && delivery.availableAt < instant) low = middle + 1
    else high = middle
  }
  return low
}

/** Changes a delivery and puts it where it belongs by then. */
export const update = (state: State, lane: Lane, delivery: DeliveryState, change: Partial<DeliveryState>): void => {
  dequeue(state, lane, delivery)
  Object.assign(delivery, change)
  if (delivery.record.status === "pending") enqueue(state, lane, delivery)
}

/** Drops a lane with all that is in it. */
export const dropLane = (state: State, lane: Lane): void => {
  state.turns.delete(lane)
  state.holdings.get(lane.shop)?.lanes.delete(lane.endpointId)
}

/** Which of a lane's queues may be taken from, as its shop and its endpoint are now. */
export const openQueues = (state: State, lane: Lane): ReadonlyArray<ReadonlyArray<DeliveryState>> => {
  const shop = state.shops.get(lane.shop)
  if (shop === undefined || !includesApi(shop.plan)) return []
  const active = state.holdings.get(lane.shop)?.endpoints.get(lane.endpointId)?.status === "active"
  return active ? [lane.waiting, lane.waitingTests] : [lane.waitingTests]
}

/** What of a lane can be taken first, now or later. */
export const firstOf = (state: State, lane: Lane): DeliveryState | undefined =>
  openQueues(state, lane)
    .flatMap((queue) => queue.slice(0, 1))
    .reduce<DeliveryState | undefined>(
      (first, delivery) => (first === undefined || delivery.availableAt < first.availableAt ? delivery : first),
      undefined,
    )
