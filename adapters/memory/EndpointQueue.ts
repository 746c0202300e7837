/** An endpoint's deliveries in due order. */
import type { DeliveryRecord } from "../../core/model/Delivery.ts"
import type { EndpointRecord } from "../../core/model/Endpoint.ts"
import { compareIds } from "../../core/model/Ids.ts"
import type { Instant } from "../../core/model/Instant.ts"
import { isDropped, maySend } from "../../core/rules/DeliveryState.ts"
import type { DeliveryState, EndpointQueue, State } from "./State.ts"

/** The queue of a new endpoint. */
export const makeQueue = ({ shop, id }: EndpointRecord): EndpointQueue => ({
  shop,
  endpointId: id,
  all: new Map(),
  received: new Set(),
  counts: new Map(),
  pending: [],
  pendingTests: [],
})

/** The queue of an endpoint, if there is such an endpoint. */
export const queueOfEndpoint = (state: State, shop: string, endpointId: string): EndpointQueue | undefined =>
  state.holdings.get(shop)?.queues.get(endpointId)

/** The queues of a shop's endpoints. */
export const queuesOf = (state: State, shop: string): ReadonlyArray<EndpointQueue> => [
  ...(state.holdings.get(shop)?.queues.values() ?? []),
]

/** The endpoint of a queue. */
export const endpointOf = (state: State, { endpointId, shop }: EndpointQueue): EndpointRecord | undefined =>
  state.holdings.get(shop)?.endpoints.get(endpointId)

/** When a pending delivery is due. */
export const dueAt = ({ record }: DeliveryState): Instant => record.nextAttemptAt ?? record.createdAt

/** When a pending delivery can be claimed: at its due time, or at the end of its lease. */
const claimableAt = (delivery: DeliveryState): Instant => Math.max(dueAt(delivery), delivery.leasedUntil)

/** Adds a delivery to its queue. */
export const addDelivery = (state: State, queue: EndpointQueue, record: DeliveryRecord): void => {
  const delivery = { record, leasedUntil: Number.NEGATIVE_INFINITY, token: null }
  queue.all.set(record.id, delivery)
  if (record.status === "pending") enqueue(state, queue, delivery)
}

const partOf = (queue: EndpointQueue, { record }: DeliveryState): Array<DeliveryState> =>
  record.test ? queue.pendingTests : queue.pending

/** By due time, then by id. */
export const compareDue = (left: DeliveryState, right: DeliveryState): number =>
  dueAt(left) - dueAt(right) || compareIds(left.record.id, right.record.id)

const enqueue = (state: State, queue: EndpointQueue, delivery: DeliveryState): void => {
  const part = partOf(queue, delivery)
  part.splice(placeOf(part, delivery), 0, delivery)
  state.pending.add(queue.shop)
}

const dequeue = (state: State, queue: EndpointQueue, delivery: DeliveryState): void => {
  const part = partOf(queue, delivery)
  const at = placeOf(part, delivery)
  if (part[at] === delivery) part.splice(at, 1)
  forgetIdle(state, queue.shop)
}

const forgetIdle = (state: State, shop: string): void => {
  if (queuesOf(state, shop).every(({ pending, pendingTests }) => pending.length + pendingTests.length === 0))
    state.pending.delete(shop)
}

/** Number of deliveries of a part before a delivery. */
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

/** Stores the new state of a delivery, moves it to its place, and ends its claim. */
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

/** Drops the pending deliveries of events that their endpoint no longer wants. Their claims may still be settled. */
export const dropDeselected = (state: State, queue: EndpointQueue, endpoint: EndpointRecord): void => {
  const events = state.holdings.get(queue.shop)?.events
  const deselected = queue.pending.filter(({ record }) => {
    const event = events?.get(record.eventId)
    return event !== undefined && isDropped(record, event, endpoint)
  })
  for (const delivery of deselected) {
    dequeue(state, queue, delivery)
    delivery.record = { ...delivery.record, status: "dropped", nextAttemptAt: null }
  }
}

/** Drops a queue with its content. */
export const dropQueue = (state: State, queue: EndpointQueue): void => {
  state.holdings.get(queue.shop)?.queues.delete(queue.endpointId)
  forgetIdle(state, queue.shop)
}

/** The deliveries of a queue that its shop and endpoint currently allow to be taken, now or later. */
export const claimableParts = (state: State, queue: EndpointQueue): ReadonlyArray<ReadonlyArray<DeliveryState>> => {
  const shop = state.shops.get(queue.shop)
  const endpoint = endpointOf(state, queue)
  if (shop === undefined || endpoint === undefined) return []
  return [
    ...(maySend({ test: false }, endpoint, shop) ? [queue.pending] : []),
    ...(maySend({ test: true }, endpoint, shop) ? [queue.pendingTests] : []),
  ]
}

/** The delivery of a queue to take first at an instant, if any. */
export const firstOf = (state: State, queue: EndpointQueue, now: Instant): DeliveryState | undefined =>
  claimableParts(state, queue)
    .flatMap((part) => part.find((delivery) => dueAt(delivery) > now || claimableAt(delivery) <= now) ?? [])
    .filter((delivery) => claimableAt(delivery) <= now)
    .sort(compareDue)[0]

/** The number of deliveries of a part that can be taken at an instant, counted up to a limit. */
export const countClaimable = (part: ReadonlyArray<DeliveryState>, now: Instant, limit: number): number => {
  let count = 0
  for (const delivery of part) {
    if (dueAt(delivery) > now || count >= limit) break
    if (claimableAt(delivery) <= now) count++
  }
  return count
}

/**
 * When the first delivery of a part can be taken; after all time if there is none. Deliveries after an unclaimed one
 * come later.
 */
export const firstClaimableAt = (part: ReadonlyArray<DeliveryState>): Instant => {
  const free = part.findIndex((delivery) => claimableAt(delivery) === dueAt(delivery))
  return Math.min(Number.POSITIVE_INFINITY, ...part.slice(0, free === -1 ? part.length : free + 1).map(claimableAt))
}

/** All deliveries of a queue, including finished ones, newest first. */
export const newestFirst = (queue: EndpointQueue): ReadonlyArray<DeliveryState> =>
  [...queue.all.values()].sort(
    ({ record: left }, { record: right }) => right.createdAt - left.createdAt || compareIds(right.id, left.id),
  )
