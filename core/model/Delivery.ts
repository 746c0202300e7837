import { Schema } from "effect"
import { EventKind } from "./Event.ts"
import { format, type Instant, Timestamp } from "./Instant.ts"

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
 * The log of an endpoint keeps this many finished deliveries, the newest, beside all that are pending (§8, D32). With
 * `DESIGNWIRE_DELIVERY_LOG` it also keeps those of a time. A list of the log has this many deliveries.
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

/** A delivery as it stands in its endpoint's log. */
export const Delivery = Schema.Struct({
  id: Schema.String,
  eventId: Schema.String,
  event: EventKind,
  test: Schema.Boolean,
  status: DeliveryStatus,
  createdAt: Timestamp,
  nextAttemptAt: Schema.NullOr(Timestamp),
  attempts: Schema.Array(
    Schema.Struct({
      number: Schema.Int,
      at: Timestamp,
      statusCode: Schema.NullOr(Schema.Int),
      durationMs: Schema.Int,
      responseStart: Schema.NullOr(Schema.String),
      error: Schema.NullOr(AttemptError),
    }),
  ),
})
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
