import { Context, type Effect } from "effect"
import type { AuditEntry } from "../model/audit/AuditEntry.ts"
import type { EventKind, EventRecord } from "../model/events/Event.ts"
import type { Health, Standing } from "../model/Health.ts"
import type { Instant } from "../model/Instant.ts"
import type { TraceContext } from "../model/log/TraceContext.ts"
import type { Attempt, DeliveryRecord, DeliveryStatus } from "../model/webhooks/Delivery.ts"
import type { SigningSecrets } from "../model/webhooks/Endpoint.ts"
import type { EndpointOptions } from "../model/webhooks/EndpointOptions.ts"
import type { LogPosition, ResendFilter } from "../model/webhooks/Resend.ts"
import type { StorageError } from "./StorageError.ts"

/** Number of attempts to an endpoint that are under way. */
export interface Busy {
  readonly shop: string
  readonly endpointId: string
  readonly attempts: number
}

/** Shops in turn, for each standing of their endpoints. */
export type NamedShops = Readonly<Record<Standing, ReadonlyArray<string>>>

/** A worker's claim. {@link busy} counts towards the limits per shop and per endpoint. */
export interface ClaimRequest {
  readonly now: Instant
  /** The shops to claim from, each at most once for each standing. Nothing else is claimed. */
  readonly shops: NamedShops
  /** At most this many, 1 or more. */
  readonly limit: number
  /** At most this many of one shop (D45). */
  readonly perShop: number
  /** At most this many of one proven endpoint (`Health.proven`), 0 or more. */
  readonly perEndpoint: number
  /** Limits for endpoints on probation: those not proven (D45). */
  readonly probation: {
    /** At most this many, 0 or more. */
    readonly limit: number
    /** At most this many of them for endpoints in trouble (`Health.troubled`), 0 or more; the rest is for newcomers. */
    readonly troubled: number
    /** At most this many of one endpoint on probation. */
    readonly perEndpoint: number
  }
  /** Attempts that this worker has under way at the named shops: each endpoint at most once, without those at 0. */
  readonly busy: ReadonlyArray<Busy>
  /** End of the lease. Afterwards other workers may claim the same deliveries. */
  readonly leaseUntil: Instant
  /** Unique name of this claim. */
  readonly token: string
}

/** A delivery leased to a worker, with everything needed to send it: the endpoint's current URL and secrets (D24). */
export interface Claim extends Pick<SigningSecrets, "secret" | "rotation"> {
  readonly token: string
  readonly shop: string
  readonly deliveryId: string
  readonly endpointId: string
  readonly eventId: string
  readonly event: EventKind
  readonly test: boolean
  /** Number of the attempt to make, from 1. */
  readonly attempt: number
  /** Whether the endpoint is proven (`Health.proven`). */
  readonly proven: boolean
  /** Whether the endpoint is in trouble (`Health.troubled`). */
  readonly troubled: boolean
  /** The envelope as sent. */
  readonly body: string
  /** The event's trace, as it was stored. */
  readonly trace: TraceContext | null
  readonly url: string
  /** Whether the endpoint wants the headers of Standard Webhooks (D41). */
  readonly standardWebhooks: boolean
  /** How the endpoint wants its deliveries (D54, D55, D71, D72). */
  readonly options: EndpointOptions
  /** When the attempt begins, by the pace of the endpoint (`Pace.startOf`); `null` for at once. */
  readonly startsAt: Instant | null
}

/** A step of a walk over the shops. */
export interface WalkStep {
  readonly now: Instant
  /** {@link Walked.after} of the step before; null for the first step. */
  readonly after: string | null
  /** How many shops to read, 1 or more. A step may name more. */
  readonly limit: number
}

/** The result of a step. */
export interface Walked {
  /** Shops that may have deliveries to claim, in no particular order. */
  readonly shops: ReadonlyArray<string>
  /** The place to continue from; null after the last step. */
  readonly after: string | null
  /**
   * An instant at which the next step may find more; null if none is known. Retries that are not due yet aren't due
   * before it. If other processes change the store and a signal may be lost, it is at most a second ahead.
   */
  readonly nextDue: Instant | null
}

/** The outcome of an attempt, and the new state of its delivery. */
export interface Settlement {
  readonly claim: Claim
  readonly attempt: Attempt
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Instant | null
}

/** Missed events to deliver to an endpoint. */
export interface Recovery {
  readonly shop: string
  readonly endpointId: string
  /** Only events that happened at this instant or later. */
  readonly since: Instant
  /** Due time of the deliveries. */
  readonly now: Instant
  /** Unique for each call: part of the deliveries' ids (`DeliveryState.recoveredId`). */
  readonly run: string
  /** The entry for a number of added deliveries (D59). */
  readonly audited?: (added: number) => AuditEntry
}

/** A pending delivery to attempt now. */
export interface Trial {
  readonly shop: string
  readonly endpointId: string
  readonly id: string
  readonly now: Instant
  /** The entry that is stored if the delivery becomes due (D59). */
  readonly audit?: AuditEntry
}

/**
 * What became of a {@link Trial}:
 * - `due`: it can be claimed now;
 * - `under_way`: a worker has it, and nothing was changed;
 * - `suspended`: its endpoint or its shop doesn't let it be sent (`DeliveryState.maySend`), and nothing was changed;
 * - `behind`: it stands behind another delivery of its object (`Ordering.lineOf`), and nothing was changed;
 * - `finished`: it is not pending;
 * - `unknown`: the endpoint has no such delivery.
 */
export type TrialOutcome = "due" | "under_way" | "suspended" | "behind" | "finished" | "unknown"

/** A step of a run that sends deliveries of the log again. */
export interface ResendStep {
  readonly shop: string
  readonly endpointId: string
  readonly filter: ResendFilter
  /** {@link ResendStepDone.after} of the step before; `null` for the first step. */
  readonly after: LogPosition | null
  /** At most this many deliveries, 1 or more. */
  readonly limit: number
  /** Unique for each run, the same for its steps: part of the deliveries' ids (`DeliveryState.recoveredId`). */
  readonly run: string
  /** Creation and due time of the new deliveries, not before `filter.until`. */
  readonly now: Instant
  /** The entry for a number of deliveries that the step has added (D59). */
  readonly audited?: (added: number) => AuditEntry
}

/** The result of a step. */
export interface ResendStepDone {
  /** Number of deliveries that the step sends again, also if an earlier call of the same step added them. */
  readonly sent: number
  /** Number of deliveries that this call has added. */
  readonly added: number
  /** The place to continue from; `null` after the last step. */
  readonly after: LogPosition | null
}

/**
 * The queue of deliveries (§6, D21–D29), shared by all workers.
 *
 * A pending delivery can be claimed when it is due, no worker's lease on it runs, and its endpoint and shop allow it
 * (`DeliveryState.maySend`). Until they do, it is suspended.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /**
     * Adds a pending delivery of an event: of a new event, which is stored with it, or of a stored one if `event` is
     * `null`. Signals workers.
     *
     * Adds nothing, including the given event, and returns `false` if the shop does not have the endpoint, or if
     * `event` is `null` and the event does not exist or was dropped (D33). An event is kept until all added deliveries
     * of it are finished, even if they are added while `Upkeep.prune` runs. Callers guarantee ids that no other
     * delivery or event of the shop has. If it adds something, it stores the entry `audit` with it (D59).
     */
    readonly add: (
      delivery: DeliveryRecord,
      event: EventRecord | null,
      audit?: AuditEntry,
    ) => Effect.Effect<boolean, StorageError>

    /**
     * Adds a delivery of every stored event since a time that the endpoint has missed (`DeliveryState.hasMissed`):
     * events without a pending delivery and without a successful one, whether or not the log still shows it (D28).
     * Returns their number. Signals workers. If it adds some, it stores the recovery's entry with them.
     */
    readonly recover: (recovery: Recovery) => Effect.Effect<number, StorageError>

    /**
     * Makes a pending delivery due at once if it waits for a retry. Its attempts and the waits after the next one stay
     * those of the retry schedule. Signals workers if it can be claimed. If it is due,
     * stores the trial's entry with it.
     *
     * Atomic alongside claims: of a trial and a claim at the same time, either the claim takes the delivery with this
     * attempt, or the trial finds it under way. So a trial adds one attempt at most, however many workers there are.
     */
    readonly tryNow: (trial: Trial) => Effect.Effect<TrialOutcome, StorageError>

    /**
     * Adds a delivery of each event for which the filter finds a finished delivery (`DeliveryState.resentFor`): the
     * next `limit` of them in the order of the log, oldest first. Signals workers if it added one, and stores
     * the step's entry with them.
     *
     * A run may be interrupted between any two steps, and continue later, on any host. A step that is repeated sends
     * the same deliveries as before and adds none that an earlier call has added, even once they are finished, as long
     * as the log has them.
     */
    readonly resend: (step: ResendStep) => Effect.Effect<ResendStepDone, StorageError>

    /**
     * Returns due deliveries of the named shops, each to one worker only, until the lease ends.
     *
     * Newcomers come first, then endpoints in trouble, up to their limits, then proven endpoints, each from the shops
     * that are named for that standing, the first of them first. Of endpoints that are not proven, a claim returns no
     * more of a shop than of an endpoint, so that many shops get some. A claim with room left has returned all that its
     * limits allow. Within a shop, endpoints with the fewest attempts under way come first, so that another endpoint's
     * backlog does not matter, and among those the endpoint with the earliest due delivery. Within an endpoint the
     * longest due come first, by due time and then by id, ascending by code point, whether or not they were claimed
     * before. The returned deliveries of an endpoint are in that order.
     *
     * Of the pending deliveries of an ordered endpoint that are about one object (`Ordering.lineOf`), at most one can
     * be claimed: the front. Once it is not pending, the first of the others becomes the front, in the order of
     * the feed. Deliveries of stored events, which `add`, `recover` and `resend` add, stand behind those that were
     * pending before. If `EndpointStore.update` changes the ordering, pending deliveries change with it, in the order
     * of the feed of their events. A delivery whose attempt was under way then may still be settled (D53).
     *
     * Of an endpoint with a pace, a claim returns what the pace has room for (`Pace.startOf`), over all calls on all
     * hosts: each starts `Pace.intervalOf` after the one claimed before it, and no more are under way than
     * `maxConcurrent`. A claim is under way until it is settled or released, or its lease ends (D54).
     *
     * Deliveries that another call is changing may be passed over: a later walk finds them. While a store can't vacuum
     * settled deliveries, it may also pass over those added with a past due time, for some seconds. The time of a claim
     * does not grow with the number of deliveries, and a named shop with nothing due costs little.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Claim>, StorageError>

    /**
     * Stores ended attempts atomically, in the order in which they ended: the attempt in the log, the delivery's new
     * state, the endpoint's health, which `advance` derives from the health before, the resulting notices
     * (`NoticeRules.noticesOf`), their entries (`NoticeRules.entriesOf`, D59), and, unless it is of a test, the
     * counts of the attempt's hour (`AttemptCounts.ofAttempt`, D60). If an endpoint is not active any more, its
     * pending deliveries except tests are suspended.
     *
     * Callers guarantee that `advance` is pure. A store may call it speculatively, with any health and any number of
     * times, even for a settlement that then has no effect; it stores the result for the stored health.
     *
     * A delivery that was dropped after it was claimed gets the attempt, but no retry (`DeliveryState.settled`). A
     * settlement changes nothing if its claim is outdated or its delivery is gone. Returns for each settlement
     * whether it took effect. Within an outer transaction of the same store it becomes part of that transaction.
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>,
      advance: (health: Health, settlement: Settlement) => Health,
    ) => Effect.Effect<ReadonlyArray<boolean>, StorageError>

    /** Ends claims without attempts: the deliveries can be claimed at once, and no attempt is counted. */
    readonly release: (claims: ReadonlyArray<Claim>) => Effect.Effect<void, StorageError>

    /**
     * Names shops that may have deliveries to claim, for what no signal named: deliveries that have become due, and
     * those whose lease has ended. A worker walks over all shops in steps, from time to time. Between two walks, every
     * shop with a delivery that can be claimed is named. The time of a step grows with its limit only.
     */
    readonly walk: (step: WalkStep) => Effect.Effect<Walked, StorageError>
  }
>()("designwire/DeliveryQueue") {}
