import { Context, type Effect } from "effect"
import type { EventRecord } from "../model/Event.ts"
import type { StorageError } from "./StorageError.ts"

/** Which events to look for. */
export interface EventsOfDesigns {
  readonly shop: string
  readonly designIds: ReadonlyArray<string>
  /** Only events behind this id; `null` for the first page. */
  readonly after: string | null
  /** At most this many, 1 or more. */
  readonly limit: number
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
     * Replaces the bodies of events that are still kept (D43), as they are sent from then on, and whatever receivers have answered to deliveries of them by
     * `Redaction.redacted`. Nobody is told.
     */
    readonly redact: (
      shop: string,
      events: ReadonlyArray<Pick<EventRecord, "id" | "body">>,
    ) => Effect.Effect<void, StorageError>
  }
>()("designwire/EventStore") {}
