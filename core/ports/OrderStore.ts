import { Context, type Effect, type Option } from "effect"
import type { DesignRecord } from "../model/Design.ts"
import type { EventRecord } from "../model/Event.ts"
import type { Instant } from "../model/Instant.ts"
import type { OrderRecord } from "../model/Order.ts"
import type { Position, StoredPage } from "../model/Page.ts"
import type { StaleRevision, StorageError } from "./StorageError.ts"

/** One atomic change of a shop's designs and orders. */
export interface Change {
  readonly shop: string
  /** New states. A record of revision 1 is new; any other replaces the record whose revision is one lower. */
  readonly designs: ReadonlyArray<DesignRecord>
  readonly order: OrderRecord | null
  /**
   * What happened. Each is kept, with a pending delivery, due at its `createdAt`, for every endpoint that it is for (`DeliveryState.isFor`); the
   * delivery's id is `DeliveryState.deliveryId`.
   */
  readonly events: ReadonlyArray<EventRecord>
}

/** An order and its designs, in line order: by `position`. */
export interface OrderWithDesigns {
  readonly order: OrderRecord
  readonly designs: ReadonlyArray<DesignRecord>
}

/**
 * Designs and the orders that hold them: both change in one commit.
 *
 * Callers guarantee: ids, texts and instants that passed the schemas of `core/model`, `limit` of 1 to 100, `bytes` of 1 to 2^31 − 1, and that no
 * two designs of an order have the same position.
 * Adapters guarantee: every method may be called concurrently; nothing of one shop is ever visible through another;
 * texts come back as they were given, to the byte; a method that fails has changed nothing.
 * Adapters should not retry: callers do.
 */
export class OrderStore extends Context.Service<
  OrderStore,
  {
    /**
     * Stores a change as a whole or not at all. Fails with `StaleRevision` if a record of revision 1 exists already, or
     * one of a higher revision is not kept with the revision just before.
     * Within an outer transaction of the same store it becomes part of that transaction; changes of other records of the shop don't wait for its end.
     * Workers are told of deliveries once it is committed.
     */
    readonly commit: (change: Change) => Effect.Effect<void, StaleRevision | StorageError>

    /** The designs of these ids that exist, in no particular order. */
    readonly designs: (
      shop: string,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<DesignRecord>, StorageError>

    /** An order and its designs, all of one moment. */
    readonly order: (shop: string, id: string) => Effect.Effect<Option.Option<OrderWithDesigns>, StorageError>

    /** A design's wire form (§2.1) and its tag. The hot path: adapters may group concurrent calls. */
    readonly readDesign: (
      shop: string,
      id: string,
    ) => Effect.Effect<Option.Option<{ readonly wire: string; readonly etag: string }>, StorageError>

    /**
     * A page of orders, newest first: by `orderedAt` and then id, both descending, ids by code point (D14).
     * `after`: only orders behind that position. `orderedAfter`: only orders placed at or after it, also in `total`, which is exact.
     *
     * The page has at most `limit` orders, and ends before the one with which their wire forms would have more than `bytes` bytes of UTF-8 together, but
     * not before its first. Nothing larger than that is ever held in memory. The time it takes does not grow with the number of the shop's orders, nor with
     * the depth of the page.
     */
    readonly readOrders: (query: {
      readonly shop: string
      readonly limit: number
      readonly bytes: number
      readonly after: Position | null
      readonly orderedAfter: Instant | null
    }) => Effect.Effect<StoredPage, StorageError>

    /**
     * The wire form of the design with the newest `orderedAt` whose status is `ordered` (D30): of the order that would be first on a page among those
     * that hold one (newest first, of one instant by id, descending by code point), the first in line order of its designs whose status is `ordered`. None if no
     * design of the shop has it.
     */
    readonly latestOrderedDesign: (shop: string) => Effect.Effect<Option.Option<string>, StorageError>
  }
>()("designwire/OrderStore") {}
