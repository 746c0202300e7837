import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** A step of pruning. */
export interface PruneStep {
  /** Deliveries to keep in the log of an endpoint, 1 or more: the first ones in the order of `DeliveryLog.list`. */
  readonly keep: number
  /**
   * Finished deliveries created at this instant or later stay in the log as well; `null`, or left out, keeps none for
   * their time.
   */
  readonly keepSince?: Instant | null | undefined
  /** Events before this instant need not be kept. */
  readonly eventsBefore: Instant
  /**
   * The time by the store's clock. Reports of unstored orders, kept answers and marks of sessions that end by then need
   * not be kept.
   */
  readonly now: Instant
  /** The step reads about this many records, 1 or more. */
  readonly limit: number
  /** Where to continue: the result of the previous step, `null` for the first. */
  readonly after: string | null
}

/**
 * The deliveries that wait. Numbers are exact up to 1,000 at least; a larger one may be an estimate, or 1,000 and more
 * without counting further.
 */
export interface Backlog {
  /** Pending deliveries, including suspended ones. */
  readonly pending: number
  /**
   * Claimable deliveries: they should have gone out, and are in the hands of no worker. Those that the pace of their
   * endpoint holds back are none of them (`Pace.isHeldBack`), nor are they for `oldestDue`.
   */
  readonly pastDue: number
  /**
   * Due time of the longest-due claimable delivery; `null` if there is none. Exact while at most 1,000 endpoints have
   * due deliveries; above that a store may skip endpoints, and the instant may be too late.
   */
  readonly oldestDue: Instant | null
}

/** State of the delivery queue and the feed, over all shops. */
export interface QueueStatistics extends Backlog {
  /** Endpoints, including those switched off. Exact up to 1,000 at least; above that a store may estimate it. */
  readonly endpoints: number
  /** Exact. */
  readonly endpointsSwitchedOff: number
  /**
   * Start of the oldest open transaction that holds back later events of the feed (`EventStore.feed`); `null` without
   * one.
   */
  readonly feedHeldSince: Instant | null
  /** Bytes of events, deliveries and attempts on the disk, with indexes; missing if the store does not know them. */
  readonly logBytes?: number | undefined
}

/** Maintenance of the store by the service: pruning, and observing the queue. */
export class Upkeep extends Context.Service<
  Upkeep,
  {
    /**
     * The store's clock, which all its hosts share: a later read is never earlier. Without a clock of its
     * own, as in memory, a store has its process's.
     */
    readonly time: Effect.Effect<Instant, StorageError>

    /**
     * Reads and writes a little, as other calls do, and changes nothing. Fails while such calls fail, e.g. because the
     * disk is full. A few milliseconds.
     */
    readonly probe: Effect.Effect<void, StorageError>

    /**
     * Drops some unreachable records (D32, D33), and returns the place to continue from; `null` at the end, or while
     * another host is running a step. The steps from `null` to `null` drop:
     *
     * - finished deliveries beyond the newest `keep` of each endpoint and from before `keepSince`, with their attempts.
     *   The store remembers that the endpoint has received the event while the event is kept;
     * - events before `eventsBefore` without deliveries;
     * - settled notices before `eventsBefore`;
     * - events that platforms sent (`Inbox`) before the UTC day of `eventsBefore` (`NoticeRules.inboxBefore`), in any
     *   state. All of a shop that are waiting or failed are dropped in one step, together with one notice about them
     *   (`NoticeRules.droppedOf`), whose time is `now`;
     * - counts of attempts in hours that began before `eventsBefore`;
     * - reports of unstored orders until `now` or earlier;
     * - entries of changes (D59) more than `auditRetention` before `now`;
     * - kept answers until `now` or earlier;
     * - marks of sessions (`SettingsSessions`) until `now` or earlier;
     * - leftovers of removed shops.
     *
     * Pending deliveries and their events are never dropped. A step is short and atomic. Each finished delivery is read
     * once: the time of pruning grows with what it drops, with what logs show for its number and with what is pending,
     * not with past deliveries, nor with what is kept for its time. A store may use a step for other maintenance.
     */
    readonly prune: (step: PruneStep) => Effect.Effect<string | null, StorageError>

    /**
     * Drops about `limit` records, 1 or more, that concurrent calls have stored of shops after their removal. A store
     * may leave out shops that were removed before `since`. Returns whether none is left. Never drops what is stored
     * after the shop was put again. Short, atomic, and fast if there is nothing to drop.
     */
    readonly purgeRemoved: (step: {
      readonly since: Instant
      readonly limit: number
    }) => Effect.Effect<boolean, StorageError>

    /** State of the queue at an instant. Its time does not grow with the number of deliveries. */
    readonly statistics: (now: Instant) => Effect.Effect<QueueStatistics, StorageError>

    /**
     * The deliveries of one shop that wait at an instant; none for an unknown shop. Its time does not grow with other
     * shops, nor beyond some thousands of pending deliveries.
     */
    readonly backlog: (shop: string, now: Instant) => Effect.Effect<Backlog, StorageError>
  }
>()("designwire/Upkeep") {}
