import { Context, type Effect, type Option } from "effect"
import type { AuditEntry } from "../model/audit/AuditEntry.ts"
import type { DesignRecord } from "../model/catalog/Design.ts"
import type { EventRecord } from "../model/events/Event.ts"
import type { Instant } from "../model/Instant.ts"
import type { InboxItem } from "../model/ingest/InboxItem.ts"
import type { OrderRecord, UnstoredOrder } from "../model/orders/Order.ts"
import type { OrderLines } from "../model/orders/OrderLine.ts"
import type { FoundOrders, OrderSearch } from "../model/orders/OrderSearch.ts"
import type { Position, StoredPage } from "../model/Page.ts"
import type { StaleRevision, StorageError } from "./StorageError.ts"

/** One atomic change of a shop's designs and orders. */
export interface Change {
  readonly shop: string
  /** New states. A record with revision 1 is new; any other replaces the record with the previous revision. */
  readonly designs: ReadonlyArray<DesignRecord>
  readonly order: OrderRecord | null
  /** The earlier reports of a new order, which the change removes; left out if there are none. */
  readonly unstored?: UnstoredOrder
  /**
   * The platform's event, done, that brings the new order of the change (D57): it is stored with the order, as
   * `Inbox.put` stores it. Left out for any other change.
   */
  readonly inboxItem?: InboxItem
  /**
   * New events. Each is stored with a pending delivery, due at its `createdAt`, for every endpoint that should get it
   * (`DeliveryState.isFor`); the delivery's id is `DeliveryState.deliveryId`.
   */
  readonly events: ReadonlyArray<EventRecord>
  /** The events are history: they are stored without deliveries, and only a resend by hand sends them. */
  readonly isQuiet?: boolean
  /** The lines of the change's order, which replace those that were stored; left out if they stay as they are. */
  readonly lines?: OrderLines
  /** The entry of the change (D59): what platforms send has none, a redaction does. */
  readonly audit?: AuditEntry
}

/** A change that stores a new order. Those of one call are all quiet, or none is. */
export type NewOrder = Pick<Change, "designs" | "events" | "isQuiet" | "lines"> & { readonly order: OrderRecord }

/** A draft to remove. */
export interface Removal {
  readonly shop: string
  readonly id: string
  /** The revision to remove. */
  readonly revision: number
  /** Events whose bodies and responses are replaced in the same step, as `EventStore.redact` does. */
  readonly events: ReadonlyArray<Pick<EventRecord, "id" | "body">>
  /** The entry of the removal (D59). */
  readonly audit?: AuditEntry
}

/** The end of a cancellation whose order has not come. */
export interface Withdrawal {
  readonly shop: string
  /** The order's id. */
  readonly id: string
  readonly reason: string
  readonly now: Instant
  /** The entry of the withdrawal (D59). */
  readonly audit: AuditEntry
}

/** Which designs of a shop to read. */
export interface DesignsQuery {
  readonly shop: string
  readonly limit: number
  readonly bytes: number
  readonly after: string | null
  readonly createdFrom: Instant | null
}

/** The place of a draft in the list of drafts. */
export interface DraftPlace {
  readonly savedAt: Instant
  readonly id: string
}

/** Which drafts of a shop to read. */
export interface DraftsQuery {
  readonly shop: string
  /** Only drafts of this customizer; `null` for all. */
  readonly customizer: number | null
  /** Only drafts that were last saved before it; `null` for all. */
  readonly savedBefore: Instant | null
  /** Only drafts that were last saved at it, or later. */
  readonly savedFrom?: Instant | undefined
  readonly after: DraftPlace | null
  readonly limit: number
  readonly bytes: number
}

/** A draft, and when it was last saved, by the store's clock. */
export interface Draft extends DraftPlace {
  readonly wire: string
}

/** Drafts that may end, as far as a step has looked. */
export interface DraftsStep {
  readonly found: ReadonlyArray<Pick<DesignRecord, "shop" | "id" | "revision">>
  /** Where to continue; `null` at the end. */
  readonly after: string | null
}

/** A page of designs. */
export interface DesignsPage {
  readonly designs: ReadonlyArray<Pick<DesignRecord, "id" | "wire">>
  readonly next: string | null
}

/** An order and its designs, in line order: by `position`. */
export interface OrderWithDesigns {
  readonly order: OrderRecord
  readonly designs: ReadonlyArray<DesignRecord>
}

/**
 * Designs and the orders that hold them, changed in one commit.
 *
 * Callers guarantee: ids, texts and instants that passed the schemas of `core/model`, `limit` of 1 to 100, `bytes` of 1
 * to 2^31 − 1, and different positions for the designs of an order. Adapters guarantee: every method may be called
 * concurrently; nothing of one shop is visible through another; texts are returned byte for byte; a method that fails
 * has changed nothing. Adapters should not retry: callers do.
 */
export class OrderStore extends Context.Service<
  OrderStore,
  {
    /**
     * Stores a change atomically. Fails with `StaleRevision` if a record with revision 1 exists already, or if the
     * stored revision of another record is not the previous one, or if the store keeps another report of a new
     * order than the change names, or, of the source of its `inboxItem`, an event about the order or one that
     * `Inbox.put` would return instead. Within an outer transaction of the same store it
     * becomes part of that transaction; changes of other records of the shop don't wait for its end. Signals workers of
     * deliveries once it is committed.
     */
    readonly commit: (change: Change) => Effect.Effect<void, StaleRevision | StorageError>

    /**
     * Stores changes with a new order each atomically: all of them, or none if one is stale. Callers guarantee changes
     * of one shop without `unstored` and `audit`, no two of which have the same record. Otherwise as `commit`.
     */
    readonly commitOrders: (
      shop: string,
      changes: ReadonlyArray<NewOrder>,
    ) => Effect.Effect<void, StaleRevision | StorageError>

    /**
     * Removes a design that no order holds, and replaces bodies of events in the same step. Its id is free again.
     * Fails with `StaleRevision` if the stored revision is another one or the design does not exist, and then changes
     * nothing. Within an outer transaction of the same store it becomes part of that transaction.
     */
    readonly remove: (removal: Removal) => Effect.Effect<void, StaleRevision | StorageError>

    /** The reports of an order that is not stored, also after their end, until upkeep drops them. */
    readonly unstoredOrder: (shop: string, id: string) => Effect.Effect<Option.Option<UnstoredOrder>, StorageError>

    /**
     * Keeps the report of an order that is not stored, alongside what an earlier report said that has not ended at
     * `now`. Returns what is kept; `None`, and keeps nothing, if the order is stored. If this and a commit of the new
     * order run at the same time, one sees the other: this returns `None`, or the commit is stale. Within an outer
     * transaction of the same store it becomes part of that transaction.
     */
    readonly keepUnstored: (
      report: UnstoredOrder,
      now: Instant,
    ) => Effect.Effect<Option.Option<UnstoredOrder>, StorageError>

    /**
     * Takes back the cancellation of an order that is not stored: its report says no more that it was cancelled, and
     * the events of platforms that have cancelled it are `ignored`, for this reason. Stores the entry if there was a
     * cancellation that counts at `now`, and returns whether there was; `false`, and changes nothing, if the order is
     * stored. Within an outer transaction of the same store it becomes part of that transaction.
     */
    readonly withdrawCancellation: (withdrawal: Withdrawal) => Effect.Effect<boolean, StorageError>

    /** The existing designs with these ids, in no particular order. */
    readonly designs: (
      shop: string,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<DesignRecord>, StorageError>

    /**
     * Those of some ids, up to 5,000, that the shop has orders or designs with, in no particular order. Reads no more.
     */
    readonly existing: (
      shop: string,
      of: "orders" | "designs",
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<string>, StorageError>

    /** An order and its designs, as of one moment. */
    readonly order: (shop: string, id: string) => Effect.Effect<Option.Option<OrderWithDesigns>, StorageError>

    /** The lines that a change has stored for an order (D81); none if none has. */
    readonly orderLines: (shop: string, id: string) => Effect.Effect<Option.Option<OrderLines>, StorageError>

    /** The lines that changes have stored for some orders, up to 5,000 ids, in no particular order. */
    readonly linesOf: (
      shop: string,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<OrderLines>, StorageError>

    /** A design's wire form (§2.1) and its tag. The hot path: adapters may group concurrent calls. */
    readonly readDesign: (
      shop: string,
      id: string,
    ) => Effect.Effect<Option.Option<{ readonly wire: string; readonly etag: string }>, StorageError>

    /**
     * A page of orders, newest first: by `orderedAt` and then id, both descending, ids by code point (D14). `after`:
     * only orders after that position. `orderedAfter`: only orders placed at or after it, also in `total`, which is
     * exact.
     *
     * The page has at most `limit` orders, and ends before the order that would bring its wire forms above `bytes`
     * bytes of UTF-8, but not before the first order. Nothing larger is ever held in memory. Its time grows neither
     * with the number of the shop's orders, nor with the depth of the page.
     */
    readonly readOrders: (query: {
      readonly shop: string
      readonly limit: number
      readonly bytes: number
      readonly after: Position | null
      readonly orderedAfter: Instant | null
    }) => Effect.Effect<StoredPage, StorageError>

    /**
     * A page of designs by id, ascending by code point. `after`: only designs with a later id. `createdFrom`: only
     * designs created at it or later; the others cost time, too.
     *
     * The page has at most `limit` designs, and ends before the design that would bring its wire forms above `bytes`
     * bytes of UTF-8, but not before the first design. Nothing larger is ever held in memory. `next` is the `after` of
     * the next page, `null` on the last.
     */
    readonly readDesigns: (query: DesignsQuery) => Effect.Effect<DesignsPage, StorageError>

    /**
     * A shop's drafts, those saved last first: by `savedAt` and then id, both descending, ids by code point. At most
     * `limit`, 1 or more, and no more than have `bytes` bytes of wire forms in UTF-8, but one at least. Drafts of other
     * customizers cost time, ordered and cancelled designs do not.
     */
    readonly drafts: (query: DraftsQuery) => Effect.Effect<ReadonlyArray<Draft>, StorageError>

    /**
     * Looks at about `limit` drafts of all shops, 1 or more, that were last saved before `savedBefore` by the store's
     * clock, and finds those for which no event of a platform waits: none that is waiting, failed or unpaid names the
     * design by its `designId` or in its body. A design whose id JSON may write in several ways counts as named by
     * every such event. `after`: the result of the step before, `null` to begin. Short; its time grows with the events
     * that wait.
     */
    readonly endedDrafts: (step: {
      readonly savedBefore: Instant
      readonly after: string | null
      readonly limit: number
    }) => Effect.Effect<DraftsStep, StorageError>

    /**
     * The wire form of the last ordered design (D30): among the orders with a design of status `ordered`, the first one
     * in page order (newest first, within one instant by id, descending by code point), and of its `ordered` designs
     * the first in line order. None if the shop has no such design.
     */
    readonly latestOrderedDesign: (shop: string) => Effect.Effect<Option.Option<string>, StorageError>

    /**
     * The orders that a search finds, newest first (D14), each with some of its designs, in time and memory that the
     * rest of its designs do not change much. With `ids`, up to 100, only the orders that have them. Texts are compared
     * by code point, names by `OrderSearch.searchKey`.
     *
     * With `exact`, a text fits only the order with this id and the orders with this name. Pages hold all of them,
     * however many there are, and however many others begin with the text.
     *
     * Of the ids that begin with a text, and of the names that do, only `OrderSearch.searchReach` are looked at, the
     * first by code point; characters that JSON escapes may come elsewhere, and of equal names the newest orders come
     * first. The time for these is bounded. For all others, it grows neither with the number of the shop's orders nor
     * with the depth of the page, unless orders of another status lie between those that are found. Totals take time
     * for as many designs as they count.
     */
    readonly search: (query: OrderSearch) => Effect.Effect<FoundOrders, StorageError>
  }
>()("designwire/OrderStore") {}
