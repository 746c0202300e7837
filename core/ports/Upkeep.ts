import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** A step of clearing. */
export interface PruneStep {
  /** How many deliveries the log of an endpoint shows, 1 or more: the first in the order of `DeliveryLog.list`. */
  readonly keep: number
  /** Events that happened before this instant need not be kept any longer. */
  readonly eventsBefore: Instant
  /** The step looks at about so many records, 1 or more. */
  readonly limit: number
  /** Where to go on: what the step before has answered, `null` in the first. */
  readonly after: string | null
}

/** How the queue of deliveries and the feed stand, over all shops. */
export interface QueueStatistics {
  /** Deliveries that are pending, held ones included. Exact up to 1,000 at least; above that a store may estimate it. */
  readonly pending: number
  /**
   * When the longest waiting of the deliveries that could be claimed was due; `null` if there is none. Exact as long as at most 1,000
   * endpoints have a delivery due; above that a store may leave endpoints out, and the instant may be too late.
   */
  readonly oldestDue: Instant | null
  /** Exact. */
  readonly endpointsSwitchedOff: number
  /** When the oldest open transaction began that keeps later events out of the feed (`EventStore.feed`); `null` if there is none. */
  readonly feedHeldSince: Instant | null
}

/** What whoever runs the service does for the store: clears what is no longer needed, and watches the queue. */
export class Upkeep extends Context.Service<
  Upkeep,
  {
    /**
     * Drops some of what nobody can ask for any more (D32, D33), and answers where the next step goes on; `null` when all was looked at, or when
     * another host is in the middle of a step. The steps from `null` to `null` drop:
     *
     * - finished deliveries beyond the newest `keep` of each endpoint, with their attempts. That the endpoint has received the event stays known as long as the event is kept;
     * - events from before `eventsBefore` of which no delivery is left;
     * - notices from before `eventsBefore` that need not be told any more;
     * - whatever is left of shops that were removed.
     *
     * Nothing pending is ever dropped, nor the event of anything pending. A step is short, and atomic. Finished deliveries are looked at once: the
     * time that clearing takes grows with what is to be dropped, with what logs show and with what is pending, not with what was delivered before.
     * A store may use a step for other upkeep of its own.
     */
    readonly prune: (step: PruneStep) => Effect.Effect<string | null, StorageError>

    /** How the queue stands at an instant. The time it takes does not grow with the number of deliveries. */
    readonly statistics: (now: Instant) => Effect.Effect<QueueStatistics, StorageError>
  }
>()("designwire/Upkeep") {}
