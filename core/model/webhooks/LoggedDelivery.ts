/** Deliveries as pages over all endpoints of a shop show them. */

import type { EventKind, EventRecord, Subject } from "../events/Event.ts"
import type { Instant } from "../Instant.ts"
import type { Attempt, DeliveryRecord, DeliveryStatus } from "./Delivery.ts"

/** A delivery with what its event is about and its newest attempt only. */
export interface LoggedDelivery extends Omit<DeliveryRecord, "attempts"> {
  readonly subject: Subject
  /** Number of attempts that have ended. */
  readonly attempts: number
  readonly lastAttempt: Attempt | null
  /** Until when a worker has claimed it; `null` unless one has since its last attempt. */
  readonly claimedUntil: Instant | null
  /** Whether it waits for an earlier delivery about the same order or design (D53). */
  readonly isBehind: boolean
}

/** A delivery by its id, with all its attempts, and its body as sent. */
export interface FoundDelivery extends Pick<LoggedDelivery, "subject" | "claimedUntil" | "isBehind"> {
  readonly delivery: DeliveryRecord
  readonly body: string
}

/** A delivery as a page over all endpoints shows it. */
export const logged = ({ body: _, delivery, ...standing }: FoundDelivery): LoggedDelivery => ({
  ...delivery,
  ...standing,
  attempts: delivery.attempts.length,
  lastAttempt: delivery.attempts.at(-1) ?? null,
})

/** Whether a worker has a delivery at an instant: it is being attempted, or will be in a moment. */
export const isUnderWay = (
  { claimedUntil, status }: Pick<LoggedDelivery, "claimedUntil" | "status">,
  now: Instant,
): boolean => status === "pending" && claimedUntil !== null && claimedUntil > now

/** Which deliveries of a shop to show. A missing field restricts nothing. */
export interface DeliveryFilter {
  /** The endpoint's id. */
  readonly endpoint?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly kind?: EventKind | undefined
  readonly test?: boolean | undefined
  /** Only deliveries created at this instant or later. */
  readonly from?: Instant | undefined
  /** Only deliveries created before this instant. */
  readonly until?: Instant | undefined
  readonly attempts?: AttemptsSpan | undefined
}

/** Only deliveries with an attempt, or if `failed` with a failed one, that began from `from` on and before `until`. */
export interface AttemptsSpan {
  readonly from: Instant
  readonly until: Instant
  readonly failed: boolean
}

/** The place of a delivery in a list: by an instant, and by its id among deliveries of that instant. */
export interface DeliveryPlace {
  readonly at: Instant
  readonly id: string
}

/** Why deliveries are pending (`DeliveryState.causeOf`). */
export const waitingCauses = ["due", "retry", "behind", "held"] as const
export type WaitingCause = (typeof waitingCauses)[number]

/** How many deliveries of an endpoint wait for the same reason, and when the first of them is due. */
export interface WaitingCount {
  readonly endpointId: string
  readonly cause: WaitingCause
  readonly count: number
  readonly first: Instant
}

/** A page of deliveries, and the place after which the next one begins; `null` at the end. */
export interface DeliveryPage {
  readonly deliveries: ReadonlyArray<LoggedDelivery>
  readonly next: DeliveryPlace | null
  /** Of pending deliveries, if the query asks why they wait: all counts but those of 0, whatever the page shows. */
  readonly counts?: ReadonlyArray<WaitingCount>
}

/** What events are looked for by: an order, a design, or their own id. */
export type EventsAbout = { readonly order: string } | { readonly design: string } | { readonly event: string }

/** A stored event without its body. */
export type FoundEvent = Omit<EventRecord, "body">

/** At most this many events of an order or a design are looked through. */
export const eventsLookedThrough = 200
