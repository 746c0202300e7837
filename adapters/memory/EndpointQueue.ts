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
  received: new Set(),
  waiting: [],
  waitingTests: [],
})

/** The queue of an endpoint, if there is such an endpoint. */
export const queueOfEndpoint = (state: State, shop: string, endpointId: string): EndpointQueue | undefined =>
  state.holdings.get(shop)?.queues.get(endpointId)

/** The queues of a shop's endpoints. */
export const queuesOf = (state: State, shop: string): ReadonlyArray<EndpointQueue> => [
  ...(state.holdings.get(shop)?.queues.values() ?? []),
]

/** The queues of the shops of which a delivery is pending. */
export const pendingQueues = (state: State): ReadonlyArray<EndpointQueue> =>
  [...state.turns.proven].flatMap((shop) => queuesOf(state, shop))

/** The endpoint of a queue. */
export const endpointOf = (state: State, { endpointId, shop }: EndpointQueue): EndpointRecord | undefined =>
  state.holdings.get(shop)?.endpoints.get(endpointId)

/** When a pending delivery is due. */
export const dueAt = ({ record }: DeliveryState): Instant => record.nextAttemptAt ?? record.createdAt

/** When a pending delivery can be claimed: when it is due, or later when its lease ends. */
const openAt = (delivery: DeliveryState): Instant => Math.max(dueAt(delivery), delivery.leasedUntil)

/** Adds a delivery to its queue. */
export const addDelivery = (state: State, queue: EndpointQueue, record: DeliveryRecord): void => {
  const delivery = { record, leasedUntil: Number.NEGATIVE_INFINITY, token: null }
  queue.all.set(record.id, delivery)
  if (record.status === "pending") enqueue(state, queue, delivery)
}

const partOf = (queue: EndpointQueue, { record }: DeliveryState): Array<DeliveryState> =>
  record.test ? queue.waitingTests : queue.waiting

/** By when they are due, and then by id. */
export const compareDue = (left: DeliveryState, right: DeliveryState): number =>
  dueAt(left) - dueAt(right) || compareIds(left.record.id, right.record.id)

const enqueue = (state: State, queue: EndpointQueue, delivery: DeliveryState): void => {
  const part = partOf(queue, delivery)
  part.splice(placeOf(part, delivery), 0, delivery)
  for (const turns of Object.values(state.turns)) turns.add(queue.shop)
}

const dequeue = (state: State, queue: EndpointQueue, delivery: DeliveryState): void => {
  const part = partOf(queue, delivery)
  const at = placeOf(part, delivery)
  if (part[at] === delivery) part.splice(at, 1)
  endTurn(state, queue.shop)
}

/** A shop of which nothing is pending has no turn. */
const endTurn = (state: State, shop: string): void => {
  if (queuesOf(state, shop).every(({ waiting, waitingTests }) => waiting.length + waitingTests.length === 0)) {
    for (const turns of Object.values(state.turns)) turns.delete(shop)
  }
}

/** How many of a part stand before a delivery. */
const placeOf = (part: ReadonlyArray<DeliveryState>, delivery: DeliveryState): number => {
  let low = 0
  let high = part.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = part[middle]
    if (other !== undefined && compareDue(other, delivery) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Stores what became of a delivery, and puts it where it belongs now. No claim holds it any more. */
export const settleDelivery = (
  state: State,
  queue: EndpointQueue,
  delivery: DeliveryState,
  record: DeliveryRecord,
): void => {
  dequeue(state, queue, delivery)
  Object.assign(delivery, { record, leasedUntil: Number.NEGATIVE_INFINITY, token: null })
  if (record.status === "pending") enqueue(state, queue, delivery)
}

/** Drops a queue with all that is in it. */
export const dropQueue = (state: State, queue: EndpointQueue): void => {
  state.holdings.get(queue.shop)?.queues.delete(queue.endpointId)
  endTurn(state, queue.shop)
}

/** Which of a queue's deliveries may be taken, now or later, as their shop and endpoint are now. */
export const openQueues = (state: State, queue: EndpointQueue): ReadonlyArray<ReadonlyArray<DeliveryState>> => {
  const shop = state.shops.get(queue.shop)
  const endpoint = endpointOf(state, queue)
  if (shop === undefined || endpoint === undefined) return []
  return [
    ...(maySend({ test: false }, endpoint, shop) ? [queue.waiting] : []),
    ...(maySend({ test: true }, endpoint, shop) ? [queue.waitingTests] : []),
  ]
}

/** What of a queue is to be taken first at an instant, if anything can be. */
export const firstOf = (state: State, queue: EndpointQueue, now: Instant): DeliveryState | undefined =>
  openQueues(state, queue)
    .flatMap((part) => part.find((delivery) => dueAt(delivery) > now || openAt(delivery) <= now) ?? [])
    .filter((delivery) => openAt(delivery) <= now)
    .sort(compareDue)[0]

/** When the first of a part can be taken; after all time where there is none. What stands behind one that nobody holds comes later. */
export const firstOpenAt = (part: ReadonlyArray<DeliveryState>): Instant => {
  const free = part.findIndex((delivery) => openAt(delivery) === dueAt(delivery))
  return Math.min(Number.POSITIVE_INFINITY, ...part.slice(0, free === -1 ? part.length : free + 1).map(openAt))
}

/** All deliveries of a queue, finished ones too, the newest first. */
export const newestFirst = (queue: EndpointQueue): ReadonlyArray<DeliveryState> =>
  [...queue.all.values()].sort(
    ({ record: left }, { record: right }) => right.createdAt - left.createdAt || compareIds(right.id, left.id),
  )
