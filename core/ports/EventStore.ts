import { Context, type Effect } from "effect"
import type { EndpointKind, EventRecord } from "../model/Event.ts"
import type { PositionGone, StorageError } from "./StorageError.ts"

/** Which events to look for. */
export interface EventsOfDesigns {
  readonly shop: string
  readonly designIds: ReadonlyArray<string>
  /** Only events behind this id; `null` for the first page. */
  readonly after: string | null
  /** At most this many, 1 or more. */
  readonly limit: number
}

/** Where a reader of the feed stands: 1 to 64 letters and digits, which only the store that gave them understands. */
export type FeedPosition = string

/** Which part of the feed to read. */
export interface FeedQuery {
  readonly shop: string
  /** Only events behind this position; `null` to begin behind the last event that was dropped, which is with the oldest where none was. */
  readonly after: FeedPosition | null
  /** Only events of these kinds, each once. None to learn where the feed ends at the moment: such a page holds nothing and has no more. */
  readonly kinds: ReadonlyArray<EndpointKind>
  /** At most this many, 1 to 100. */
  readonly limit: number
  /** At most this many bytes of UTF-8 in the bodies together, 1 to 2^31 − 1; the first event may have more. */
  readonly bytes: number
}

/** A page of the feed. */
export interface FeedPage {
  /** The envelopes, as they are delivered. */
  readonly bodies: ReadonlyArray<string>
  /** Where to go on. It passes over events of other kinds; where there is nothing new, it is the position that was asked for. */
  readonly next: FeedPosition
  /** Whether there are more already. */
  readonly hasMore: boolean
}

/** The events that are kept. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /**
     * Kept events of a shop in whose bodies one of these designs is, tests included, by id. There may be others among them, in which the text of an id stands
     * in another place. The time it takes may grow with the number of kept events.
     */
    readonly ofDesigns: (query: EventsOfDesigns) => Effect.Effect<ReadonlyArray<EventRecord>, StorageError>

    /**
     * A page of the feed (D39): the kept events of a shop that are no tests, in the order in which they were written, those of one change in its order. Who has
     * read something before writes behind it.
     *
     * An event is shown only when no transaction is open that could still commit one before it: who goes on from `next`, misses none and gets none twice,
     * however long transactions stay open and in whichever order they end. Transactions that have written no event hold nothing back.
     *
     * Fails with `PositionGone` where events behind `after` were dropped (D33), of whichever kind, or where the store has never come as far as `after`. The
     * time it takes grows neither with the number of events, nor with the depth of the page, nor with what it passes over.
     *
     * It is not for use within an outer transaction that sees one moment alone (`REPEATABLE READ`): a store may fail there.
     */
    readonly feed: (query: FeedQuery) => Effect.Effect<FeedPage, PositionGone | StorageError>

    /**
     * Replaces the bodies of events that are still kept (D43), as they are sent from then on, and whatever receivers have answered to deliveries of them by
     * `Redaction.redacted`. Nobody is told.
     */
    readonly redact: (
      shop: string,
      events: ReadonlyArray<Pick<EventRecord, "id" | "body">>,
    ) => Effect.Effect<void, StorageError>
  }
>()("designwire/EventStore") {}
