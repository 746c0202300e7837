import { Context, type Effect, type Option, type Result } from "effect"
import type { Audited } from "../model/audit/AuditEntry.ts"
import type { Shop } from "../model/shops/Shop.ts"
import type { EndpointRecord } from "../model/webhooks/Endpoint.ts"
import type { StorageError } from "./StorageError.ts"

/** The place of an endpoint among all shops' endpoints. */
export type EndpointPlace = Pick<EndpointRecord, "shop" | "id">

/** A shop and its endpoints. */
export interface ShopWithEndpoints {
  readonly shop: Shop
  readonly endpoints: ReadonlyArray<EndpointRecord>
  /** Whether `SettingsSessions.spend` has marked `setUpMark` of the shop. */
  readonly isSetUp: boolean
}

/**
 * Webhook endpoints. Signing secrets are sealed: a store never sees one in plain text.
 *
 * Callers guarantee records that passed the schemas of `core/model/webhooks/Endpoint`, and unique ids. Each method that
 * changes something stores the entry that `audited` makes from the endpoint before and after (D59), `null` for a
 * missing one.
 * Adapters guarantee: every method may be called concurrently, and is atomic.
 */
export class EndpointStore extends Context.Service<
  EndpointStore,
  {
    /**
     * Stores a new endpoint, or returns `false` if the shop has `maximum` of them already, even if calls race (D31).
     */
    readonly add: (
      endpoint: EndpointRecord,
      maximum: number,
      audited?: Audited<EndpointRecord>,
    ) => Effect.Effect<boolean, StorageError>

    /** A shop's endpoints, oldest first: by `createdAt` and then by id, both ascending, ids by code point. */
    readonly list: (shop: string) => Effect.Effect<ReadonlyArray<EndpointRecord>, StorageError>

    /**
     * Up to `limit` endpoints of all shops, after a place, in an order that adapters choose; `null` starts from the
     * beginning. Empty at the end. Endpoints and their secrets may be added, changed and removed between calls: each
     * that exists all the time is returned exactly once.
     */
    readonly all: (
      after: EndpointPlace | null,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<EndpointRecord>, StorageError>

    /** A shop with what {@link list} returns, as of one moment; none for an unknown shop. */
    readonly withShop: (shop: string) => Effect.Effect<Option.Option<ShopWithEndpoints>, StorageError>

    readonly find: (shop: string, id: string) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /**
     * Changes an endpoint by a pure function of its record, and returns the stored endpoint. Racing calls all take
     * effect, one after the other. If the function fails, e.g. because others have changed the endpoint since, nothing
     * is changed, and the call fails with its failure. Callers guarantee that the function keeps `shop`, `id` and
     * `createdAt`; a store may call it several times.
     *
     * Pending deliveries use the change from their next attempt on (D24). If it takes other events
     * (`EndpointChange.takesOthers`), those that it no longer takes are dropped (`DeliveryState.isDropped`): nobody
     * claims them any more, but a claim that exists may still be settled.
     * While the endpoint is not active, its pending deliveries except tests are suspended (D51). When it is active
     * again, they can be claimed at their due time, overdue ones at once (D28): that signals workers. So does a change
     * of the ordering (D53).
     */
    readonly update: <E>(
      shop: string,
      id: string,
      change: (endpoint: EndpointRecord) => Result.Result<EndpointRecord, E>,
      audited?: Audited<EndpointRecord>,
    ) => Effect.Effect<Option.Option<EndpointRecord>, E | StorageError>

    /** Removes an endpoint with its deliveries and their log; `false` if the shop has no endpoint with that id. */
    readonly remove: (
      shop: string,
      id: string,
      audited?: Audited<EndpointRecord>,
    ) => Effect.Effect<boolean, StorageError>
  }
>()("designwire/EndpointStore") {}
