import { Context, type Effect } from "effect"
import type { EndpointKind, EventRecord } from "../model/events/Event.ts"
import type { EventsAbout, FoundEvent } from "../model/webhooks/LoggedDelivery.ts"
import type { PositionGone, StorageError } from "./StorageError.ts"

/** Query for events of designs. */
export interface EventsOfDesigns {
  readonly shop: string
  readonly designIds: ReadonlyArray<string>
  /** Only events after this id; `null` for the first page. */
  readonly after: string | null
  /** At most this many, 1 or more. */
  readonly limit: number
}

/** Query for events about something. */
export interface FindEvents {
  readonly shop: string
  readonly about: EventsAbout
  /** At most this many, 1 to 1,000. */
  readonly limit: number
}

/** A reader's position in the feed: 1 to 64 letters and digits, opaque except to the store that returned it. */
export type FeedPosition = string

/** Query of the feed. */
export interface FeedQuery {
  readonly shop: string
  /**
   * Only events after this position; `null` starts after the last dropped event, or with the oldest event if none was
   * dropped.
   */
  readonly after: FeedPosition | null
  /**
   * Only events of these kinds, without duplicates. An empty list returns the current end of the feed: such a page is
   * empty and has no more.
   */
  readonly kinds: ReadonlyArray<EndpointKind>
  /** At most this many, 1 to 100. */
  readonly limit: number
  /** At most this many bytes of UTF-8 in all bodies, 1 to 2^31 − 1; the first event may exceed it. */
  readonly bytes: number
}

/** A page of the feed. */
export interface FeedPage {
  /** The envelopes as delivered. */
  readonly bodies: ReadonlyArray<string>
  /** Where to continue. Skips events of other kinds; equals the given position if there is nothing new. */
  readonly next: FeedPosition
  /** Whether more events already exist. */
  readonly hasMore: boolean
}

/** Stored events. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /**
     * Stored events about an order or a design, or the one with an id, tests included, newest first: by `createdAt` and
     * then by id, both descending. Its time does not grow with the number of other events.
     */
    readonly find: (query: FindEvents) => Effect.Effect<ReadonlyArray<FoundEvent>, StorageError>

    /**
     * Stored events of a shop whose bodies contain one of these designs, including tests, by id. The result may include
     * other events that contain the text of an id elsewhere. Its time may grow with the number of stored events.
     */
    readonly ofDesigns: (query: EventsOfDesigns) => Effect.Effect<ReadonlyArray<EventRecord>, StorageError>

    /**
     * A page of the feed (D39): the stored events of a shop without tests, in the order of writing, with the events of
     * one change in its order. A transaction that has read an event writes its own events after it.
     *
     * An event is shown only when no open transaction could still commit an earlier one. A reader that continues from
     * `next` misses none and gets none twice, however long transactions stay open and in whatever order they end.
     * Transactions that have not written an event hold nothing back.
     *
     * Fails with `PositionGone` if events of any kind after `after` were dropped (D33), or if `after` is ahead of the
     * shop's events, even if other shops have reached it. Its time grows neither with the number of events, nor with
     * the depth of the page, nor with skipped events.
     *
     * Not for outer transactions with a fixed snapshot (`REPEATABLE READ`): a store may fail there.
     */
    readonly feed: (query: FeedQuery) => Effect.Effect<FeedPage, PositionGone | StorageError>

    /**
     * Replaces the bodies of events that are still stored (D43) for all later attempts, and the stored responses to
     * their deliveries with `Redaction.redacted`. Does not signal workers.
     */
    readonly redact: (
      shop: string,
      events: ReadonlyArray<Pick<EventRecord, "id" | "body">>,
    ) => Effect.Effect<void, StorageError>
  }
>()("designwire/EventStore") {}
