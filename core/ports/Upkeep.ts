import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** How the queue of deliveries stands, over all shops. */
export interface QueueStatistics {
  readonly pending: number
  /** When the longest waiting of the deliveries that could be claimed was due; `null` if there is none. */
  readonly oldestDue: Instant | null
  readonly endpointsSwitchedOff: number
}

/** What whoever runs the service does for the store: clears what is no longer needed, and watches the queue. */
export class Upkeep extends Context.Service<
  Upkeep,
  {
    /**
     * Drops what nobody can ask for any more (D32, D33): the attempts of finished deliveries beyond the newest `keep` of each endpoint; such deliveries
     * themselves only with their event, if it happened before `eventsBefore`, so that until then it is known who has received it; and events
     * from before `eventsBefore` of which no delivery is left. Nothing pending is ever dropped.
     */
    readonly prune: (keep: number, eventsBefore: Instant) => Effect.Effect<void, StorageError>

    /** How the queue stands at an instant. */
    readonly statistics: (now: Instant) => Effect.Effect<QueueStatistics, StorageError>
  }
>()("designwire/Upkeep") {}
