import { Context, type Effect, type Option } from "effect"
import type { Attempt, DeliveryRecord, DeliveryStatus } from "../model/Delivery.ts"
import type { SigningSecrets } from "../model/Endpoint.ts"
import type { EventKind, EventRecord } from "../model/Event.ts"
import type { Health } from "../model/Health.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** How many attempts to an endpoint are under way. */
export interface Busy {
  readonly shop: string
  readonly endpointId: string
  readonly attempts: number
}

/** What a worker asks for. What {@link busy} counts is included where a limit is for a shop or for an endpoint. */
export interface ClaimRequest {
  readonly now: Instant
  /** At most this many, 1 or more. */
  readonly limit: number
  /** At most this many of one shop (D45). */
  readonly perShop: number
  /** At most this many of one endpoint that is proven (`Health.proven`), 0 or more. */
  readonly perEndpoint: number
  /** Of endpoints that are not proven (D45). */
  readonly unproven: {
    /** At most this many, 0 or more. */
    readonly limit: number
    /** At most this many of one such endpoint. */
    readonly perEndpoint: number
  }
  /** What this worker has under way: each endpoint at most once; endpoints without any are left out. */
  readonly busy: ReadonlyArray<Busy>
  /** Until when the worker holds what it gets. After it another may claim the same. */
  readonly leaseUntil: Instant
  /** Names this claim: a text that no other claim has. */
  readonly token: string
}

/** A delivery that a worker holds, with all that it takes to send it: the endpoint's URL and secrets as they are now (D24). */
export interface Claim extends Pick<SigningSecrets, "secret" | "rotation"> {
  readonly token: string
  readonly shop: string
  readonly deliveryId: string
  readonly endpointId: string
  readonly eventId: string
  readonly event: EventKind
  readonly test: boolean
  /** The number of the attempt to make, from 1. */
  readonly attempt: number
  /** Whether the endpoint is proven (`Health.proven`). */
  readonly proven: boolean
  /** The envelope, as it is sent. */
  readonly body: string
  readonly url: string
  /** Whether the endpoint asks for the headers of Standard Webhooks (D41). */
  readonly standardWebhooks: boolean
}

/** How an attempt ended, and what its delivery is now. */
export interface Settlement {
  readonly claim: Claim
  readonly attempt: Attempt
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Instant | null
}

/** Which events to deliver to an endpoint that has missed them. */
export interface Recovery {
  readonly shop: string
  readonly endpointId: string
  /** Events that happened at this instant or later. */
  readonly since: Instant
  /** When the deliveries are due. */
  readonly now: Instant
  /** A text that no other call has: part of the deliveries' ids (`DeliveryState.recoveredId`). */
  readonly run: string
}

/**
 * The queue of deliveries (§6, D21–D29), shared by all workers.
 *
 * A pending delivery can be claimed when it is due, no worker's lease on it runs, and its endpoint and shop allow it (`DeliveryState.maySend`);
 * until they do, it is held.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /**
     * Adds a pending delivery of an event: of a new one, which is stored with it, or, where `event` is `null`, of one that is kept. Workers are told.
     *
     * Adds nothing, the event that is given neither, and answers `false` if the shop has no such endpoint (any more), or keeps no such event of a
     * delivery that comes without one: it never happened, or was dropped (D33). Until a delivery that was added is finished, its event is kept, also when
     * it is added while `Upkeep.prune` runs. Callers guarantee ids that no other delivery and event of the shop has.
     */
    readonly add: (delivery: DeliveryRecord, event: EventRecord | null) => Effect.Effect<boolean, StorageError>

    /**
     * Adds a delivery of every kept event since a time that the endpoint has missed (`DeliveryState.hasMissed`): of which it has no pending delivery, and
     * never had one that succeeded, whether the log still shows it or not (D28). Answers how many. Workers are told.
     */
    readonly recover: (recovery: Recovery) => Effect.Effect<number, StorageError>

    /**
     * Hands out due deliveries, each to one worker only, until the lease ends.
     *
     * First those of endpoints that are not proven, as many as the request allows, and then those of endpoints that are, so that neither kind
     * keeps the other waiting. Takes shops in turn, for each kind beginning behind the one where the last claim of this host ended; a store may remember that
     * for all its hosts together instead. Of a shop, the endpoints with the fewest attempts under way come first, so that it does not matter how much waits at
     * another, and of those the one whose first delivery is; of each endpoint the longest due, by when they were due and then by id, ascending by code
     * point, whether they were claimed before or not. The deliveries of an endpoint stand in that order in the answer.
     *
     * Where thousands become due at once, or change kind, a store may leave some of them to the next claims; while it can't clear what was settled, it may do so
     * for some seconds with what is added with a time that has passed. The time that a claim takes grows neither
     * with the number of deliveries, nor with the number of endpoints that wait for a retry or have all their slots under way.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Claim>, StorageError>

    /**
     * Stores attempts that ended, in the order in which they ended, all or none of them: the attempt in the log, the delivery's new state, and its endpoint's health,
     * which `advance` gives from the health before it, and what owners are to be told of it (`NoticeRules.noticesOf`). An endpoint that is no longer active has its pending deliveries (but tests) held.
     *
     * Callers guarantee that `advance` is pure. A store may call it to try, with any health and as often as it likes, also for a settlement that then takes
     * no effect; what it keeps is what `advance` gives from the health that is kept.
     *
     * A settlement whose claim is no longer the delivery's current one, or whose delivery is gone, changes nothing.
     * Answers for each whether it took effect.
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>,
      advance: (health: Health, settlement: Settlement) => Health,
    ) => Effect.Effect<ReadonlyArray<boolean>, StorageError>

    /** Ends claims of which nothing was sent: the deliveries can be claimed at once. No attempt is counted. */
    readonly release: (claims: ReadonlyArray<Claim>) => Effect.Effect<void, StorageError>

    /**
     * When a delivery can be claimed: `now` if one can be already, otherwise the first instant after it; none if nothing waits. The time it takes
     * does not grow, as with `claim`.
     */
    readonly nextDue: (now: Instant) => Effect.Effect<Option.Option<Instant>, StorageError>
  }
>()("designwire/DeliveryQueue") {}
