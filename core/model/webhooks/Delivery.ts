import { Schema } from "effect"
import { EventKind } from "../events/Event.ts"
import { format, type Instant, Timestamp } from "../Instant.ts"
import { noted } from "../Means.ts"

/**
 * `pending` (waiting for its first attempt, a retry, or its endpoint to be enabled), `succeeded` or `failed` (§3), or
 * `dropped`: its endpoint no longer takes the kind of its event, so that it is not sent (D31).
 */
export const DeliveryStatus = Schema.Literals(["pending", "succeeded", "failed", "dropped"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/**
 * Why an attempt got no answer, or for `redirect` none that counts (D32). With `token` nothing was sent, because the
 * endpoint's token URL gave no access token (D55).
 */
export const AttemptError = Schema.Literals([
  "dns",
  "connect",
  "tls",
  "timeout",
  "redirect",
  "address_refused",
  "reset",
  "token",
])
export type AttemptError = typeof AttemptError.Type

/** Of a response's body at most this many bytes are read and kept (D26). */
export const maximumResponseStart = 1024

/**
 * The log of an endpoint keeps this many finished deliveries, the newest, alongside all that are pending (§8, D32).
 * With `DESIGNWIRE_DELIVERY_LOG` it also keeps the deliveries of a time. A list of the log has this many deliveries.
 */
export const logLength = 50

/** One try to deliver an event, as it ended (D32). */
export interface Attempt {
  /** From 1. */
  readonly number: number
  /** When it began. */
  readonly at: Instant
  /** The status code, redirects included; `null` if no status line came in time. */
  readonly statusCode: number | null
  /** From its beginning to its end, whole milliseconds. */
  readonly durationMs: number
  /**
   * The first bytes of the response's body as text, `""` for an empty one; `null` without a status line. With the
   * errors `token` and `tls` a sentence that says why there was no token, or what failed (`tlsFaults`).
   */
  readonly responseStart: string | null
  /** `null` if a receiver responded with anything but a redirect. */
  readonly error: AttemptError | null
}

/** An event on its way to one endpoint, as it is kept. One per event and endpoint; a redelivery is another (D22). */
export interface DeliveryRecord {
  readonly shop: string
  /** `dlv_…`, the same on every retry (D22). */
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly event: EventKind
  readonly test: boolean
  readonly status: DeliveryStatus
  readonly createdAt: Instant
  /** When the next attempt is due; `null` unless it is pending. */
  readonly nextAttemptAt: Instant | null
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
}

/** An attempt as the endpoint's owner sees it. */
const Attempted = Schema.Struct({
  number: noted("From 1.", Schema.Int),
  at: noted("When it began.", Timestamp),
  statusCode: noted("`null` without a response in time.", Schema.NullOr(Schema.Int)),
  durationMs: noted("Whole milliseconds.", Schema.Int),
  responseStart: noted(
    "The first 1,024 bytes of the response's body as text; `null` without a response. With the errors `tls` and " +
      "`token` a sentence that says what failed.",
    Schema.NullOr(Schema.String),
  ),
  error: noted("Why it got no response, or for `redirect` none that counts.", Schema.NullOr(AttemptError)),
}).annotate({ typeName: "DeliveryAttempt", documentation: "One try to deliver an event." })

/** A delivery as it stands in its endpoint's log. */
export const Delivery = Schema.Struct({
  id: noted("`dlv_…`, the same on every retry.", Schema.String),
  eventId: noted("`evt_…`, the same on every retry and redelivery.", Schema.String),
  event: EventKind,
  test: Schema.Boolean,
  status: noted("`dropped`: not sent, because its endpoint no longer takes the kind.", DeliveryStatus),
  createdAt: Timestamp,
  nextAttemptAt: noted("`null` unless it is pending.", Schema.NullOr(Timestamp)),
  attempts: noted("Oldest first.", Schema.Array(Attempted)),
}).annotate({ documentation: "An event on its way to one endpoint." })
export type Delivery = typeof Delivery.Type

/** A delivery as the endpoint's owner sees it. Timestamps are in the usual form (D1). */
export const view = (record: DeliveryRecord): Delivery => ({
  id: record.id,
  eventId: record.eventId,
  event: record.event,
  test: record.test,
  status: record.status,
  createdAt: format(record.createdAt),
  nextAttemptAt: record.nextAttemptAt === null ? null : format(record.nextAttemptAt),
  attempts: record.attempts.map((attempt) => ({
    number: attempt.number,
    at: format(attempt.at),
    statusCode: attempt.statusCode,
    durationMs: attempt.durationMs,
    responseStart: attempt.responseStart,
    error: attempt.error,
  })),
})
