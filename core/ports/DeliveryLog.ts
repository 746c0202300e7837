import { Context, type Effect, type Option } from "effect"
import type { DeliveryRecord } from "../model/Delivery.ts"
import type { EventRecord } from "../model/Event.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** How the queue stands, over all shops. */
export interface DeliveryStatistics {
  readonly pending: number
  /** When the longest waiting of the deliveries that could be claimed was due; `null` if there is none. */
  readonly oldestDue: Instant | null
  readonly endpointsSwitchedOff: number
}

/**
 * What was and will be delivered to an endpoint, for its owner (§8, D29, D30, D32).
 *
 * Callers guarantee that the endpoint was found a moment ago; if it is gone by now, nothing is added.
 */
export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /** The newest `limit` deliveries of an endpoint with all their attempts, newest first. */
    readonly list: (
      shop: string,
      endpointId: string,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StorageError>

    /** A delivery of an endpoint, and its body as it is sent. */
    readonly find: (
      shop: string,
      endpointId: string,
      id: string,
    ) => Effect.Effect<Option.Option<{ readonly delivery: DeliveryRecord; readonly body: string }>, StorageError>

    /**
     * Adds a pending delivery of an event: of a new one, which is stored with it, or of one that is kept. Held, like others, while the endpoint is
     * switched off, unless it is a test. Workers are told.
     */
    readonly add: (delivery: DeliveryRecord, event: EventRecord | null) => Effect.Effect<void, StorageError>

    /**
     * Adds a delivery of every kept event of the endpoint's kinds, tests left out, that happened at `since` or later and that the endpoint has neither
     * received nor still waits for: of which it has no succeeded and no pending delivery (D28). All are due at `now`; the id of each is `dlv_`, `run` and the
     * event's id without its prefix. Callers guarantee a `run` that no other call has. Answers how many. Workers are told.
     */
    readonly recover: (
      shop: string,
      endpointId: string,
      since: Instant,
      now: Instant,
      run: string,
    ) => Effect.Effect<number, StorageError>

    /**
     * Drops what nobody can ask for any more (D32, D33): the attempts of finished deliveries beyond the newest `keep` of each endpoint; such deliveries
     * themselves only with their event, if it happened before `eventsBefore`, so that until then it is known who has received it; and events
     * from before `eventsBefore` of which no delivery is left. Nothing pending is ever dropped.
     */
    readonly prune: (keep: number, eventsBefore: Instant) => Effect.Effect<void, StorageError>

    readonly statistics: (now: Instant) => Effect.Effect<DeliveryStatistics, StorageError>
  }
>()("designwire/DeliveryLog") {}
