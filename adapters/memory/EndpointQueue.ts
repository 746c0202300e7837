/** The deliveries of an endpoint in the order in which they are due, and whose turn it is among endpoints. */
import type { DeliveryRecord } from "../../core/model/Delivery.ts"
import type { EndpointRecord } from "../../core/model/Endpoint.ts"
import { compareIds } from "../../core/model/Ids.ts"
import type { Instant } from "../../core/model/Instant.ts"
import { maySend } from "../../core/rules/DeliveryState.ts"
import type { DeliveryState, EndpointQueue, State } from "./State.ts"

/** The queue of a new endpoint. */
export const makeQueue = ({ shop, id }: EndpointRecord): EndpointQueue => ({
  shop,
  endpointId: id,
  all: new Map(),
  waiting: [],
  waitingTests: [],
})

/** The queue of an endpoint, if there is such an endpoint. */
export const queueOfEndpoint = (state: State, shop: string, endpointId: string): EndpointQueue | undefined =>
  state.holdings.get(shop)?.queues.get(endpointId)

/** Adds a delivery to its queue. */
export const addDelivery = (state: State, queue: EndpointQueue, record: DeliveryRecord): void => {
  const delivery = { record, availableAt: record.nextAttemptAt ?? record.createdAt, token: null }
  queue.all.set(record.id, delivery)
  if (record.status === "pending") enqueue(state, queue, delivery)
}

const partOf = (queue: EndpointQueue, { record }: DeliveryState): Array<DeliveryState> =>
  record.test ? queue.waitingTests : queue.waiting

const enqueue = (state: State, queue: EndpointQueue, delivery: DeliveryState): void => {
  const part = partOf(queue, delivery)
  // Behind all that are available at the same time: those came before.
  part.splice(placeOf(part, delivery.availableAt + 1), 0, delivery)
  state.turns.add(queue)
}

const dequeue = (state: State, queue: EndpointQueue, delivery: DeliveryState): void => {
  const part = partOf(queue, delivery)
  const at = part.indexOf(delivery, placeOf(part, delivery.availableAt))
  if (at >= 0) part.splice(at, 1)
  if (queue.waiting.length + queue.waitingTests.length === 0) state.turns.delete(queue)
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
export const update = (
  state: State,
  queue: EndpointQueue,
  delivery: DeliveryState,
  change: Partial<DeliveryState>,
): void => {
  dequeue(state, queue, delivery)
  Object.assign(delivery, change)
  if (delivery.record.status === "pending") enqueue(state, queue, delivery)
}

/** Drops a queue with all that is in it. */
export const dropQueue = (state: State, queue: EndpointQueue): void => {
  state.turns.delete(queue)
  state.holdings.get(queue.shop)?.queues.delete(queue.endpointId)
}

/** Which of a queue's deliveries may be taken, now or later, as their shop and endpoint are now. */
export const openQueues = (state: State, queue: EndpointQueue): ReadonlyArray<ReadonlyArray<DeliveryState>> => {
  const shop = state.shops.get(queue.shop)
  const endpoint = state.holdings.get(queue.shop)?.endpoints.get(queue.endpointId)
  if (shop === undefined || endpoint === undefined) return []
  return [
    ...(maySend({ test: false }, endpoint, shop) ? [queue.waiting] : []),
    ...(maySend({ test: true }, endpoint, shop) ? [queue.waitingTests] : []),
  ]
}

/** What of a queue can be taken first, now or later. */
export const firstOf = (state: State, queue: EndpointQueue): DeliveryState | undefined =>
  openQueues(state, queue)
    .flatMap((part) => part.slice(0, 1))
    .reduce<DeliveryState | undefined>(
      (first, delivery) => (first === undefined || delivery.availableAt < first.availableAt ? delivery : first),
      undefined,
    )

/** All deliveries of a queue, finished ones too, the newest first. */
export const newestFirst = (queue: EndpointQueue): ReadonlyArray<DeliveryState> =>
  [...queue.all.values()].sort(
    ({ record: left }, { record: right }) => right.createdAt - left.createdAt || compareIds(right.id, left.id),
  )
