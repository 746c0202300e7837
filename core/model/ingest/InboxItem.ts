import type { Instant } from "../Instant.ts"

/** A shop platform whose webhooks are read. */
export type IngestSource = "shopify" | "woocommerce"

/** A change of an order that a platform asks for. */
export type InboxChange = "place" | "cancel"

/**
 * What became of an event:
 *
 * - `waiting`: it has to be applied, now or once its design exists;
 * - `applied`: it was carried out;
 * - `ignored`: there was nothing to do;
 * - `failed`: it can't be applied as things are; someone has to change something and try it again;
 * - `unpaid`: its order waits for payment, and is placed when a later event says that it was paid (D80).
 */
export type InboxState = "waiting" | "applied" | "ignored" | "failed" | "unpaid"

/** What became of an event, and why. */
export interface InboxOutcome {
  readonly state: InboxState
  /** A sentence for people; `null` if there is nothing to say. */
  readonly reason: string | null
  /** The missing design that it waits for; `null` if it waits for none. */
  readonly designId: string | null
}

/** What became of an event, and what its store does alongside that. */
export interface InboxSettlement extends InboxOutcome {
  /** The body is kept although the event is done: it can be placed by hand (D80). */
  readonly keepsBody?: boolean
  /**
   * The event has the newest state of its order. The others of its order and source that were tried and are not done
   * are `ignored` with this reason: `unpaid` ones, `failed` ones, and those that wait for a design.
   */
  readonly ends?: string
  /**
   * The event has an older state of its order than others, which waited for want of it: those of its order and source
   * that are `unpaid` or `failed` are `waiting` again.
   */
  readonly retries?: boolean
  /**
   * The cancellations of its order and source hold no longer: those that were applied are `ignored` with this reason,
   * without their content, so that the same may happen again, and no report of the order says that it was cancelled.
   */
  readonly lifts?: string
  /** The state of the order that it is about, if the event does not name it. */
  readonly modifiedAt?: Instant | null
}

/** An event that a platform has sent, without its body. */
export interface InboxEntry extends InboxOutcome {
  readonly shop: string
  /** `inb_…`: ids sort by the time of their events. */
  readonly id: string
  readonly source: IngestSource
  readonly topic: string
  /** The platform's id of the event, the same if it is sent again; `null` if the platform has none. */
  readonly eventId: string | null
  /** The order that it is about; `null` if it is about none, or if it can't be read. */
  readonly orderId: string | null
  /** How it changes the order; `null` if it does not. */
  readonly change: InboxChange | null
  /** When the platform last modified the order before it sent this; `null` if the event does not say. */
  readonly modifiedAt: Instant | null
  /** When the platform's message was triggered, which breaks ties of `modifiedAt`; `null` if it does not say. */
  readonly triggeredAt: Instant | null
  /** A digest of what it says of the order, its modification included; `null` for an event about no order. */
  readonly content: string | null
  /** The name of the line items' property that has the design's id. */
  readonly property: string
  readonly receivedAt: Instant
}

/** A search of bodies reads this many of each state, the newest: bodies are long, and there may be gigabytes. */
export const bodiesSearched = 100

/** An event with its raw body, which is kept until the event is applied or ignored. */
export interface InboxItem extends InboxEntry {
  readonly body: string
}

/** What earlier events have done to an order. */
export interface OrderProgress {
  /**
   * The newest modification among the placings that were tried: all but those that wait for no design; `null` without
   * one.
   */
  readonly placedAt: Instant | null
  /** The latest `triggeredAt` of that modification's events; `null` if no event has one. */
  readonly placedTriggeredAt: Instant | null
  /** The state of the newest of these events; `null` without one. */
  readonly placedState: InboxState | null
  /** Whether a cancellation was applied. */
  readonly isCancelled: boolean
  /** The newest modification among the applied cancellations; `null` if none says one. */
  readonly cancelledAt: Instant | null
  /** As `placedTriggeredAt`. */
  readonly cancelledTriggeredAt: Instant | null
}

/** Whether an event has come to its end. Its body is dropped then, unless its settlement keeps it. */
export const isDone = (state: InboxState): boolean => state === "applied" || state === "ignored"

/** The end of the reason of an event that is done, and whose order can be placed by hand: its body is kept (D80). */
export const byHand = "it can be placed by hand"

/** Whether the order of an event may be placed by hand. */
export const canBePlaced = ({ orderId, reason, state }: Pick<InboxEntry, "orderId" | "reason" | "state">): boolean =>
  orderId !== null && (state === "unpaid" || state === "failed" || (isDone(state) && reason?.endsWith(byHand) === true))

/** Whether the state of an order that an event has was considered: it may have been carried out in part. */
export const wasTried = ({ designId, state }: InboxOutcome): boolean => state !== "waiting" || designId !== null

/** Whether an event says later than an earlier one that its order is in the same state. */
export const saysLater = ({ content, eventId, triggeredAt }: InboxItem, earlier: InboxEntry): boolean =>
  content === earlier.content &&
  eventId !== null &&
  eventId !== earlier.eventId &&
  triggeredAt !== null &&
  (earlier.triggeredAt === null || earlier.triggeredAt < triggeredAt)
