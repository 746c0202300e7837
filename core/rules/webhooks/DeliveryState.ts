import type { EventRecord } from "../../model/events/Event.ts"
import { compareIds } from "../../model/Ids.ts"
import type { Instant } from "../../model/Instant.ts"
import { includesApi, type Shop } from "../../model/shops/Shop.ts"
import type { Attempt, AttemptError, DeliveryRecord, DeliveryStatus } from "../../model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import type { LoggedDelivery, WaitingCause } from "../../model/webhooks/LoggedDelivery.ts"
import type { ResendFilter } from "../../model/webhooks/Resend.ts"
import { nextAttempt, type RetrySchedule } from "./RetryPolicy.ts"
import { isWanted } from "./Wanted.ts"

/**
 * Triggers of a delivery. `fail` is a failed attempt that will be retried, `exhaust` the last failed attempt, and
 * `deselect` a change of the endpoint, which no longer takes the kind of the event.
 */
export type DeliveryTrigger = "create" | "succeed" | "fail" | "exhaust" | "deselect"

/**
 * Transitions of §3 and D31 for deliveries; anything else is impossible. `null` is a delivery that does not exist yet.
 * A delivery may be dropped while an attempt is under way: it then gets the outcome of that attempt, but no retry.
 */
export const transitions: ReadonlyArray<{
  readonly from: DeliveryStatus | null
  readonly trigger: DeliveryTrigger
  readonly to: DeliveryStatus
}> = [
  { from: null, trigger: "create", to: "pending" },
  { from: "pending", trigger: "succeed", to: "succeeded" },
  { from: "pending", trigger: "fail", to: "pending" },
  { from: "pending", trigger: "exhaust", to: "failed" },
  { from: "pending", trigger: "deselect", to: "dropped" },
  { from: "dropped", trigger: "succeed", to: "succeeded" },
  { from: "dropped", trigger: "fail", to: "dropped" },
  { from: "dropped", trigger: "exhaust", to: "failed" },
]

/** Returns the status after a trigger, or `undefined` if the table has no such transition. */
export const next = (from: DeliveryStatus | null, trigger: DeliveryTrigger): DeliveryStatus | undefined =>
  transitions.find((row) => row.from === from && row.trigger === trigger)?.to

/**
 * Whether a new event goes to an endpoint: the plan has webhooks, and the endpoint is active and wants it (D8, D23,
 * D28).
 */
export const isFor = (
  event: Pick<EventRecord, "event" | "body">,
  endpoint: Pick<EndpointRecord, "status" | "kinds" | "options">,
  shop: Pick<Shop, "plan">,
): boolean => includesApi(shop.plan) && endpoint.status === "active" && isWanted(event, endpoint)

/**
 * Whether a pending delivery may be sent now; otherwise it is suspended. A shop without webhooks in its plan gets
 * nothing (D8); an endpoint that is switched off gets only test events (D28, D30).
 */
export const maySend = (
  delivery: Pick<DeliveryRecord, "test">,
  endpoint: Pick<EndpointRecord, "status">,
  shop: Pick<Shop, "plan">,
): boolean => includesApi(shop.plan) && (delivery.test || endpoint.status === "active")

/**
 * Why a pending delivery waits at an instant: it is `held` (`maySend`), `behind` another one of its object (D53), a
 * `retry` at a later time, or `due`, as it is from its creation on, whichever clock that was read from.
 */
export const causeOf = (
  {
    createdAt,
    isBehind,
    nextAttemptAt,
    test,
  }: Pick<LoggedDelivery, "createdAt" | "isBehind" | "nextAttemptAt" | "test">,
  endpoint: Pick<EndpointRecord, "status">,
  shop: Pick<Shop, "plan">,
  now: Instant,
): WaitingCause => {
  if (!maySend({ test }, endpoint, shop)) return "held"
  if (isBehind) return "behind"
  return (nextAttemptAt ?? createdAt) > Math.max(now, createdAt) ? "retry" : "due"
}

/**
 * Whether a change of its endpoint drops a delivery (D31): a pending one of an event that the endpoint no longer wants.
 * Tests are sent whatever it wants (D30).
 */
export const isDropped = (
  delivery: Pick<DeliveryRecord, "status" | "test">,
  event: Pick<EventRecord, "event" | "body">,
  endpoint: Pick<EndpointRecord, "kinds" | "options">,
): boolean => delivery.status === "pending" && !delivery.test && !isWanted(event, endpoint)

/** The state that a settlement stores: a delivery that was dropped while the attempt was under way is not retried. */
export const settled = (before: DeliveryStatus, change: DeliveryChange): DeliveryChange =>
  before === "dropped" && change.status === "pending" ? { status: "dropped", nextAttemptAt: null } : change

/**
 * Whether an endpoint has missed an event of its shop (D28): an event that it wants, not a test, neither delivered
 * nor pending. `statuses` has the status of each of the endpoint's deliveries of the event.
 */
export const hasMissed = (
  event: Pick<EventRecord, "event" | "test" | "body">,
  endpoint: Pick<EndpointRecord, "kinds" | "options">,
  statuses: ReadonlyArray<DeliveryStatus>,
): boolean =>
  !event.test && statuses.every((status) => status === "failed" || status === "dropped") && isWanted(event, endpoint)

/** Whether a filter finds a delivery to send again: a finished one, because a pending one will be sent anyway. */
const isFound = (delivery: DeliveryRecord, { from, ids, kind, state, tests, until }: ResendFilter): boolean =>
  delivery.status !== "pending" &&
  (state === null || delivery.status === state) &&
  (kind === null || delivery.event === kind) &&
  (tests || !delivery.test) &&
  (from === null || delivery.createdAt >= from) &&
  delivery.createdAt < until &&
  (ids === null || ids.includes(delivery.id))

/**
 * The delivery for which a run sends an event to an endpoint again (D22, D29): of all that the filter finds of the
 * event, the first by `createdAt` and id, so that an event is sent once. None if another delivery of the event waits
 * already: it will be sent anyway. `deliveries` has the endpoint's deliveries of the event, and `run` is `null` if none
 * has begun.
 */
export const resentFor = (
  deliveries: ReadonlyArray<DeliveryRecord>,
  filter: ResendFilter,
  run: string | null,
): DeliveryRecord | undefined => {
  const isOfRun = ({ eventId, id }: DeliveryRecord) => run !== null && id === recoveredId(run, eventId)
  if (deliveries.some((one) => one.status === "pending" && !isOfRun(one))) return undefined
  return deliveries.filter((one) => isFound(one, filter)).toSorted(inLogOrder)[0]
}

/** From the oldest to the newest: by `createdAt`, then by id, by code point. */
export const inLogOrder = (
  left: Pick<DeliveryRecord, "createdAt" | "id">,
  right: Pick<DeliveryRecord, "createdAt" | "id">,
): number => left.createdAt - right.createdAt || compareIds(left.id, right.id)

const withoutPrefix = (id: string): string => id.slice(id.indexOf("_") + 1)

/** Id of the delivery that an event creates for an endpoint: `dlv_` and both ids without their prefixes (D22). */
export const deliveryId = (eventId: string, endpointId: string): string =>
  `dlv_${withoutPrefix(eventId)}${withoutPrefix(endpointId)}`

/**
 * Id of a run's delivery of an event, to recover it or to send it again: `dlv_`, the run, and the event's id without
 * its prefix (D28).
 */
export const recoveredId = (run: string, eventId: string): string => `dlv_${run}${withoutPrefix(eventId)}`

/** A delivery that is due now and has no attempts. */
export const pendingDelivery = (
  id: string,
  event: Pick<EventRecord, "id" | "event" | "test">,
  endpoint: Pick<EndpointRecord, "shop" | "id">,
  now: Instant,
): DeliveryRecord => ({
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

/** Whether an attempt succeeded. Only the status line counts, 200 to 299, even if reading the body failed (§6, D26). */
export const isSuccess = (attempt: Pick<Attempt, "statusCode">): boolean =>
  attempt.statusCode !== null && attempt.statusCode >= 200 && attempt.statusCode <= 299

/** The `error` of an attempt that received a status line: redirects count as errors, other statuses don't (§6, D32). */
export const errorOf = (statusCode: number): AttemptError | null =>
  statusCode >= 300 && statusCode <= 399 ? "redirect" : null

/** The end of an attempt. */
export const endedAt = (attempt: Pick<Attempt, "at" | "durationMs">): Instant =>
  attempt.at + Math.ceil(attempt.durationMs)

/** Changes that an attempt makes to its delivery. */
export interface DeliveryChange {
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Instant | null
}

/**
 * The delivery's state after an attempt (§6, D25, D26): succeeded; pending until the time that the schedule gives; or
 * failed if no wait is left. Redeliveries are retried like any other delivery, test events never (D29).
 *
 * `undefined` if the table has no transition: the delivery is no longer pending, and the attempt changes nothing.
 */
export const afterAttempt = (
  delivery: Pick<DeliveryRecord, "status" | "test">,
  attempt: Attempt,
  schedule: RetrySchedule,
): DeliveryChange | undefined => {
  const success = isSuccess(attempt)
  const due = success || delivery.test ? null : nextAttempt(schedule, attempt.number, endedAt(attempt))
  const status = next(delivery.status, success ? "succeed" : due === null ? "exhaust" : "fail")
  return status === undefined ? undefined : { status, nextAttemptAt: due }
}
