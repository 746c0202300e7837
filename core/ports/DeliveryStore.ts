import { Context, type Effect, type Option } from "effect"
import type { Attempt, DeliveryStatus } from "../model/Delivery.ts"
import type { EndpointRecord } from "../model/Endpoint.ts"
import type { EventKind } from "../model/Event.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** What a worker asks for. */
export interface ClaimRequest {
  readonly now: Instant
  /** At most this many, 1 or more. */
  readonly limit: number
  /** At most this many of one endpoint, those included that {@link busy} counts. */
  readonly perEndpoint: number
  /** How many attempts this worker has under way, by `{shop}/{endpointId}`; endpoints without any are left out. */
  readonly busy: ReadonlyMap<string, number>
  /** Until when the worker holds what it gets. After it another may claim the same. */
  readonly leaseUntil: Instant
  /** Names this claim: a text that no other claim has. */
  readonly token: string
}

/** A delivery that a worker holds, with all that it takes to send it: the endpoint's URL and secret as they are now (D24). */
export interface Claim {
  readonly token: string
  readonly shop: string
  readonly deliveryId: string
  readonly endpointId: string
  readonly event: EventKind
  readonly test: boolean
  /** The number of the attempt to make, from 1. */
  readonly attempt: number
  /** The envelope, as it is sent. */
  readonly body: string
  readonly url: string
  /** The signing secret, sealed. */
  readonly secret: string
}

/** What an attempt came to. */
export interface Settlement {
  readonly claim: Claim
  readonly attempt: Attempt
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Instant | null
}

/** What attempts change about an endpoint. */
export type EndpointHealth = Pick<EndpointRecord, "status" | "consecutiveFailures" | "switchedOffAt">

/**
 * The queue of deliveries (§6, D21–D29), shared by all workers.
 *
 * A delivery can be claimed while it is pending, due, not held by a worker whose lease runs, and its endpoint is active (test events: whatever the
 * endpoint is, D30) and its shop's plan includes webhooks (D8).
 */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /**
     * Hands out due deliveries, each to one worker only, until the lease ends. Takes endpoints in turn, beginning behind the one where the last claim
     * ended, and of each the longest due first, so that none keeps others waiting. The time it takes does not grow with the number of deliveries.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Claim>, StorageError>

    /**
     * Stores attempts that ended, in the order in which they ended, all or none of them: the attempt in the log, the delivery's new state, and its endpoint's health,
     * which `advance` gives from the health before it. An endpoint that is no longer active has its pending deliveries (but tests) held.
     *
     * A settlement whose claim is no longer the delivery's current one, or whose delivery is gone, changes nothing.
     * Answers for each whether it took effect.
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>,
      advance: (health: EndpointHealth, settlement: Settlement) => EndpointHealth,
    ) => Effect.Effect<ReadonlyArray<boolean>, StorageError>

    /** Gives back claims of which nothing was sent: they can be claimed at once. No attempt is counted. */
    readonly release: (claims: ReadonlyArray<Claim>) => Effect.Effect<void, StorageError>

    /** When the next delivery can be claimed, which may be in the past; none if nothing waits. */
    readonly nextDue: Effect.Effect<Option.Option<Instant>, StorageError>
  }
>()("designwire/DeliveryStore") {}
