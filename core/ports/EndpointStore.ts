import { Context, type Effect, type Option } from "effect"
import type { Audited } from "../model/audit/AuditEntry.ts"
import type { Instant } from "../model/Instant.ts"
import type { EndpointRecord } from "../model/webhooks/Endpoint.ts"
import type { EndpointChange } from "../model/webhooks/EndpointChange.ts"
import type { StorageError } from "./StorageError.ts"

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

    readonly find: (shop: string, id: string) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /**
     * Changes the given fields (`EndpointChange.changedBy`) and returns the stored endpoint. Pending deliveries use it
     * from their next attempt on (D24). Drops pending deliveries of kinds that the endpoint no longer takes
     * (`DeliveryState.isDropped`): nobody claims them any more, but a claim that exists may still be settled.
     *
     * `seen`: the endpoint as the caller has read it. If the stored one has been changed since
     * (`EndpointChange.isConfigured`), changes nothing, and returns the stored one.
     */
    readonly change: (
      shop: string,
      id: string,
      change: EndpointChange,
      audited?: Audited<EndpointRecord>,
      seen?: EndpointRecord,
    ) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /**
     * Stores a new sealed secret that signs from `until` on (`SecretRotation.rotate`); if `until` is `now` or earlier,
     * it replaces the secret at once. Returns the stored endpoint. Racing calls all take effect, one after the other.
     */
    readonly rotate: (
      shop: string,
      id: string,
      anew: { readonly secret: string; readonly until: Instant; readonly now: Instant },
      audited?: Audited<EndpointRecord>,
    ) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /**
     * Makes the new secret of a running rotation replace the old one (`SecretRotation.promote`). Returns the stored
     * endpoint.
     */
    readonly promote: (
      shop: string,
      id: string,
      now: Instant,
      audited?: Audited<EndpointRecord>,
    ) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /** Removes an endpoint with its deliveries and their log; `false` if the shop has no endpoint with that id. */
    readonly remove: (
      shop: string,
      id: string,
      audited?: Audited<EndpointRecord>,
    ) => Effect.Effect<boolean, StorageError>

    /**
     * Pauses an endpoint at an instant (`EndpointState.pause`, D51); one that is paused or switched off stays as it is.
     * Its pending deliveries except tests are suspended; claims that exist may still be settled. Returns the stored
     * endpoint.
     */
    readonly pause: (
      shop: string,
      id: string,
      at: Instant,
      audited?: Audited<EndpointRecord>,
    ) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /**
     * Turns an endpoint on (`EndpointState.turnOn`); an active one stays as it is. Its pending deliveries can be
     * claimed again at their due time, overdue ones at once (D28). Returns the stored endpoint. Signals workers.
     */
    readonly turnOn: (
      shop: string,
      id: string,
      audited?: Audited<EndpointRecord>,
    ) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>
  }
>()("designwire/EndpointStore") {}
