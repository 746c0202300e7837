import { Context, Data, type Effect, type Option, type Result } from "effect"
import type { Audited } from "../model/audit/AuditEntry.ts"
import type { Instant } from "../model/Instant.ts"
import type {
  InboxEntry,
  InboxItem,
  InboxSettlement,
  InboxState,
  IngestSource,
  OrderProgress,
} from "../model/ingest/InboxItem.ts"
import type { PlatformRecord } from "../model/ingest/PlatformConnection.ts"
import type { NoticeRecord } from "../model/webhooks/Notice.ts"
import type { StorageError } from "./StorageError.ts"

/** Which of a shop's events to read. */
export interface InboxQuery {
  readonly shop: string
  /** Only events in this state; `null` for all. */
  readonly state: InboxState | null
  /** Only events about this order; their time grows only with their number. */
  readonly order?: string | undefined
  /**
   * Only events whose body is kept and has one of these texts, of the newest `bodiesSearched` events of each
   * state: its time grows no further.
   */
  readonly saying?: ReadonlyArray<string> | undefined
  /** Only events with this id, or a later one. */
  readonly from?: string | undefined
  /** Only events after the one with this id; `null` to begin. */
  readonly after: string | null
  /** At most this many, 1 or more. */
  readonly limit: number
  /**
   * The first, and then only as many as have at most this many bytes of text together, without reading more. A store
   * may count what it keeps of them. Default: any number.
   */
  readonly bytes?: number | undefined
}

/** Events of a shop that may be applied, as far as a step has looked. */
export interface InboxStep {
  /** Their ids, the oldest first. */
  readonly found: ReadonlyArray<string>
  /** Where to continue; `null` at the end. */
  readonly after: string | null
}

/** How much a shop's events take. */
export interface InboxSize {
  readonly events: number
  /** The bytes of the bodies that are kept, in UTF-8. */
  readonly bytes: number
}

/**
 * How many events are in trouble (`NoticeRules.isTroubled`): those that failed, and those that wait for too long; and
 * how many connections have a `disconnectedAt`, and how many are in trouble (`PlatformConnection.isInTrouble`).
 */
export interface InboxTrouble {
  readonly failed: number
  readonly waiting: number
  readonly ended: number
  readonly troubled: number
}

/** What a step has found of the events in trouble. */
export interface InboxAlarm extends InboxTrouble {
  /** The notices that the step has stored. */
  readonly raised: ReadonlyArray<NoticeRecord>
  /** Where to continue; `null` at the end. */
  readonly after: string | null
}

/** The place of a connection to a platform among those of all shops. */
export type PlatformPlace = Pick<PlatformRecord, "shop" | "platform">

/**
 * Which connections to read: a shop's; the one to a platform with a domain, whichever shop's it is; or up to `limit` of
 * all shops, after a place, `null` to begin, of which those that exist all the time are returned exactly once; or up to
 * `limit` with an access key that are due at an instant (`PlatformRecord.dueAt`), those that are due longest first.
 */
export type WhichPlatforms =
  | { readonly shop: string }
  | { readonly platform: IngestSource; readonly domain: string }
  | { readonly after: PlatformPlace | null; readonly limit: number }
  | { readonly dueAt: Instant; readonly limit: number }

/** Another shop's connection to the platform has the domain. */
export class DomainTaken extends Data.TaggedError("DomainTaken") {}

/**
 * The connections of shops to platforms (D87), and the events that platforms send, each kept until it is applied, and
 * then what became of it (D57). `Upkeep.prune` drops them by days, with a notice about those that were not applied.
 *
 * Callers guarantee a shop that exists, unique ids that sort by time, texts that a store can keep, and changes that
 * fail once a call of a store in them has failed; the events of a shop go with it. Adapters guarantee: every method
 * may be called concurrently, on every host; nothing of one shop is visible through another; bodies are returned byte
 * for byte; a method that fails has changed nothing.
 */
export class Inbox extends Context.Service<
  Inbox,
  {
    /**
     * Stores an event, unless the shop has one of its source with the same `eventId` or the same `content`, each if it
     * is not `null`. Of several calls at the same time one stores it. Returns the stored event: the given one, or the
     * earlier one, the one with its `eventId` first.
     *
     * An order may return to a state within the second that platforms name. So an event with an `eventId` of its own
     * and the `content` of an earlier one is stored without its content if another event of its order and source has
     * the same `modifiedAt`, another content, and a `triggeredAt` that is before that of the given one and not before
     * that of the earlier one, if this one has any.
     *
     * Otherwise the order is still in that state at the given `triggeredAt`: if the given event has an `eventId` of its
     * own, this becomes the `triggeredAt` of the earlier one unless that has a later one.
     */
    readonly put: (item: InboxItem) => Effect.Effect<InboxEntry, StorageError>

    /**
     * Carries out the change of an event that is `waiting`, `failed` or `unpaid`, and with `isByHand` of one that is
     * done and has its body, and stores its settlement with it. Returns the event as it is then stored. One that is
     * done otherwise is returned as it is, and none that is not there: neither has its change carried out. If it is
     * done, its body is dropped, unless the settlement keeps it.
     *
     * Changes of events of one order never overlap, and each sees what the ones before have done to the order through
     * its source. A store with transactions runs a change in one, and commits it together with the outcome: whatever
     * happens, both are stored or neither is. A store without transactions carries out a change again if the process
     * ends in the middle of it, and keeps changes apart only within a process: changes can be repeated. If the change
     * fails, this fails with its failure and the event stays as it was.
     */
    readonly apply: <E, R>(
      shop: string,
      id: string,
      change: (item: InboxItem, progress: OrderProgress) => Effect.Effect<InboxSettlement, E, R>,
      isByHand?: boolean,
    ) => Effect.Effect<Option.Option<InboxEntry>, E | StorageError, R>

    /** An event. */
    readonly find: (shop: string, id: string) => Effect.Effect<Option.Option<InboxEntry>, StorageError>

    /**
     * Events of a shop, newest first: by id, descending by code point. Its time grows neither with the number of events
     * nor with the depth of the page, unless events in other states lie between those that are found.
     */
    readonly list: (query: InboxQuery) => Effect.Effect<ReadonlyArray<InboxEntry>, StorageError>

    /**
     * Shops with waiting events, by id, at most `limit`, 1 or more. `after`: only shops with a later id; `null` to
     * begin. Its time does not grow with the number of events.
     */
    readonly waiting: (page: {
      readonly after: string | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<string>, StorageError>
    /**
     * Looks at about `limit` waiting events of a shop, 1 or more, by id, and returns those that wait for no design, or
     * for one that exists now. `after`: only events with a later id; `null` to begin. The steps from `null` to `null`
     * look at each event that waits all the while.
     */
    readonly ready: (step: {
      readonly shop: string
      readonly after: string | null
      readonly limit: number
    }) => Effect.Effect<InboxStep, StorageError>
    /** How much a shop's events take. Its time grows with their number: callers ask rarely. */
    readonly size: (shop: string) => Effect.Effect<InboxSize, StorageError>

    /**
     * How many events and connections of a shop are in trouble at an instant. Its time does not grow with done events.
     */
    readonly trouble: (shop: string, now: Instant) => Effect.Effect<InboxTrouble, StorageError>

    /**
     * Looks at `limit` shops, 1 or more, by id, and counts their events that are in trouble at `now`.
     *
     * About those that came no earlier than `NoticeRules.troubleAt` says, and that no notice of the same kind of
     * trouble has reported, it stores one notice for each shop and kind (`NoticeRules.troubleOf`), unless the shop has
     * a notice of that kind that was made less than `betweenTroubles` ago. A notice reports the `toldTogether` oldest,
     * which are marked in the same change, and a call stores at most 100. Others come with a later call. Of several
     * hosts at the same time, one stores a notice, and says so. `after`: only shops with a later id; `null` to begin.
     */
    readonly raise: (step: {
      readonly now: Instant
      readonly after: string | null
      readonly limit: number
    }) => Effect.Effect<InboxAlarm, StorageError>

    /** Those of some contents, up to 1,000, that events of a shop's platform have, in no particular order. */
    readonly known: (
      shop: string,
      source: IngestSource,
      contents: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<string>, StorageError>

    /**
     * The ids of orders that events of a shop's platform have placed, by code point, `limit` at most. `after`: only
     * later ones; `null` to begin.
     */
    readonly placed: (page: {
      readonly shop: string
      readonly source: IngestSource
      readonly after: string | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<string>, StorageError>

    /**
     * Drops the bodies of the events about some orders of a shop. Those that are not done are `ignored` then, for this
     * reason. Part of the transaction of {@link apply}, if it is called within one.
     */
    readonly erase: (shop: string, orders: ReadonlyArray<string>, reason: string) => Effect.Effect<void, StorageError>

    /**
     * Connections, by shop and then by platform, in the order of code points. Part of the transaction of {@link apply},
     * as `erase` is.
     */
    readonly platforms: (which: WhichPlatforms) => Effect.Effect<ReadonlyArray<PlatformRecord>, StorageError>

    /**
     * Changes a shop's connection to a platform by a pure function of its record, `null` if there is none: to add it,
     * to replace it, and to remove it. Returns the stored connection. Racing calls all take effect, one after the
     * other. If the function fails, nothing is changed, and the call fails with its failure. Fails with `DomainTaken`
     * if another shop's connection to the platform has the domain. Stores the entry that `audited` makes of the change
     * (D59), and the notice of its end (`NoticeRules.disconnectionOf`). Part of the transaction of {@link apply}, as
     * `erase` is.
     *
     * Callers guarantee that the function keeps `shop` and `platform`; a store may call it several times.
     */
    readonly updatePlatform: <E>(
      shop: string,
      platform: IngestSource,
      change: (record: PlatformRecord | null) => Result.Result<PlatformRecord | null, E>,
      audited?: Audited<PlatformRecord>,
    ) => Effect.Effect<Option.Option<PlatformRecord>, E | DomainTaken | StorageError>
  }
>()("designwire/Inbox") {}
