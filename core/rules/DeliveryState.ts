import type { Attempt, AttemptError, DeliveryRecord, DeliveryStatus } from "../model/Delivery.ts"
import type { EndpointRecord } from "../model/Endpoint.ts"
import type { EventRecord } from "../model/Event.ts"
import type { Instant } from "../model/Instant.ts"
import { includesApi, type Shop } from "../model/Shop.ts"
import { nextAttempt, type RetrySchedule } from "./RetryPolicy.ts"

/** What can happen to a delivery. `fail` is a failed attempt that will be retried, `exhaust` one that was the last. */
export type DeliveryTrigger = "create" | "succeed" | "fail" | "exhaust"

/** The rows of §3 for deliveries; what is not in it can't happen. `null` is a delivery that does not exist yet. */
export const transitions: ReadonlyArray<{
  readonly from: DeliveryStatus | null
  readonly trigger: DeliveryTrigger
  readonly to: DeliveryStatus
}> = [
  { from: null, trigger: "create", to: "pending" },
  { from: "pending", trigger: "succeed", to: "succeeded" },
  { from: "pending", trigger: "fail", to: "pending" },
  { from: "pending", trigger: "exhaust", to: "failed" },
]

/** The status that a delivery has after a trigger, or `undefined` where the table has no row. */
export const next = (from: DeliveryStatus | null, trigger: DeliveryTrigger): DeliveryStatus | undefined =>
  transitions.find((row) => row.from === from && row.trigger === trigger)?.to

/** Whether an event, when it happens, is to be delivered to an endpoint: the shop's plan has webhooks, the endpoint is active and takes its kind (D8, D23, D28). */
export const isFor = (
  event: Pick<EventRecord, "event">,
  endpoint: Pick<EndpointRecord, "status" | "kinds">,
  shop: Pick<Shop, "plan">,
): boolean => {
  const kinds: ReadonlyArray<string> = endpoint.kinds
  return includesApi(shop.plan) && endpoint.status === "active" && kinds.includes(event.event)
}

/**
 * Whether a pending delivery may be sent as things stand; otherwise it is held. Nothing is sent for a shop whose plan has no webhooks (D8), and to an
 * endpoint that is switched off only test events (D28, D30).
 */
export const maySend = (
  delivery: Pick<DeliveryRecord, "test">,
  endpoint: Pick<EndpointRecord, "status">,
  shop: Pick<Shop, "plan">,
): boolean => includesApi(shop.plan) && (delivery.test || endpoint.status === "active")

/**
 * Whether an endpoint has missed an event of its shop (D28): one of its kinds, no test, that it has neither received nor still waits for. `statuses` are those of
 * its deliveries of the event.
 */
export const hasMissed = (
  event: Pick<EventRecord, "event" | "test">,
  endpoint: Pick<EndpointRecord, "kinds">,
  statuses: ReadonlyArray<DeliveryStatus>,
): boolean => {
  const kinds: ReadonlyArray<string> = endpoint.kinds
  return !event.test && kinds.includes(event.event) && statuses.every((status) => status === "failed")
}

const withoutPrefix = (id: string): string => id.slice(id.indexOf("_") + 1)

/** The id of the delivery that an event makes for an endpoint when it happens: `dlv_` and both ids without their prefixes (D22). */
export const deliveryId = (eventId: string, endpointId: string): string =>
  `dlv_${withoutPrefix(eventId)}${withoutPrefix(endpointId)}`

/** The id of a delivery that a run of recovery makes of an event: `dlv_`, the run and the event's id without its prefix (D28). */
export const recoveredId = (run: string, eventId: string): string => `dlv_${run}${withoutPrefix(eventId)}`

/** A delivery that is due at once and was not attempted yet. */
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

/** Whether an attempt succeeded: decided by its status line alone, 200 to 299, whatever became of the body (§6, D26). */
export const isSuccess = (attempt: Pick<Attempt, "statusCode">): boolean =>
  attempt.statusCode !== null && attempt.statusCode >= 200 && attempt.statusCode <= 299

/** The `error` of an attempt that got a status line: a redirect is one, every other answer speaks for itself (§6, D32). */
export const errorOf = (statusCode: number): AttemptError | null =>
  statusCode >= 300 && statusCode <= 399 ? "redirect" : null

/** When an attempt ended. */
export const endedAt = (attempt: Pick<Attempt, "at" | "durationMs">): Instant =>
  attempt.at + Math.ceil(attempt.durationMs)

/** What an attempt changes about its delivery. */
export interface DeliveryChange {
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Instant | null
}

/**
 * What a delivery is after an attempt (§6, D25, D26): succeeded; pending again until the time that the schedule gives; or failed, when no wait
 * is left. A redelivery is retried like any other, a test event never (D29).
 *
 * `undefined` where the table has no row: the delivery is no longer pending, and the attempt changes nothing about it.
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
