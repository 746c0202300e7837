/** An endpoint's deliveries in due order. */

import { compareIds } from "../../../core/model/Ids.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import type { DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../../core/model/webhooks/Endpoint.ts"
import { isDropped, maySend } from "../../../core/rules/webhooks/DeliveryState.ts"
import { lineOf } from "../../../core/rules/webhooks/Ordering.ts"
import * as Pace from "../../../core/rules/webhooks/Pace.ts"
import type { DeliveryState, EndpointQueue, State } from "../State.ts"

/** The queue of a new endpoint. */
export const makeQueue = ({ shop, id }: EndpointRecord): EndpointQueue => ({
  shop,
  endpointId: id,
  all: new Map(),
  received: new Set(),
  counts: new Map(),
  pending: [],
  pendingTests: [],
  lines: new Map(),
  planned: Pace.unplanned,
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
  const delivery = {
    record,
    leasedUntil: Number.NEGATIVE_INFINITY,
    token: null,
    line: lineOfRecord(state, queue, record),
  }
  queue.all.set(record.id, delivery)
  if (record.status !== "pending") return
  enqueue(state, queue, delivery)
  joinLine(queue, delivery)
}

const lineOfRecord = (state: State, queue: EndpointQueue, record: DeliveryRecord): string | null => {
  const endpoint = endpointOf(state, queue)
  const event = state.holdings.get(queue.shop)?.events.get(record.eventId)
  return endpoint === undefined || event === undefined ? null : lineOf(record, endpoint, event.subject)
}

const joinLine = ({ lines }: EndpointQueue, delivery: DeliveryState): void => {
  if (delivery.line !== null) lines.set(delivery.line, [...(lines.get(delivery.line) ?? []), delivery])
}

const leaveLine = ({ lines }: EndpointQueue, delivery: DeliveryState): void => {
  if (delivery.line === null) return
  const others = (lines.get(delivery.line) ?? []).filter((other) => other !== delivery)
  if (others.length === 0) lines.delete(delivery.line)
  else lines.set(delivery.line, others)
}

/** Whether a delivery is pending and waits for another one of its object (D53). */
export const isBehind = ({ lines }: EndpointQueue, delivery: DeliveryState): boolean =>
  delivery.line !== null && (lines.get(delivery.line)?.indexOf(delivery) ?? 0) > 0

/** Puts the pending deliveries of an endpoint in lines, in the order of the feed, if its ordering has changed. */
export const reorder = (state: State, queue: EndpointQueue): void => {
  if (queue.pending.every((delivery) => delivery.line === lineOfRecord(state, queue, delivery.record))) return
  const places = new Map([...(state.holdings.get(queue.shop)?.events.keys() ?? [])].map((id, place) => [id, place]))
  const place = ({ record }: DeliveryState) => places.get(record.eventId) ?? 0
  queue.lines.clear()
  const inOrder = queue.pending.toSorted(
    (left, right) => place(left) - place(right) || compareIds(left.record.id, right.record.id),
  )
  for (const delivery of inOrder) {
    delivery.line = lineOfRecord(state, queue, delivery.record)
    joinLine(queue, delivery)
  }
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
  queue.planned = Pace.left(queue.planned, record.id)
  Object.assign(delivery, { record, leasedUntil: Number.NEGATIVE_INFINITY, token: null })
  if (record.status === "pending") enqueue(state, queue, delivery)
  else leaveLine(queue, delivery)
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
    leaveLine(queue, delivery)
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
  const fronts = queue.lines.size === 0 ? queue.pending : queue.pending.filter((one) => !isBehind(queue, one))
  return [
    ...(maySend({ test: false }, endpoint, shop) ? [fronts] : []),
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
