import { Context, type Effect, type Option } from "effect"
import type { EndpointRecord } from "../model/Endpoint.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/**
 * Webhook endpoints. Their signing secrets come and go sealed: a store never sees one.
 *
 * Callers guarantee records that passed the schemas of `core/model/Endpoint`, and ids that are unique.
 * Adapters: every method may be called concurrently, and is atomic.
 */
export class EndpointStore extends Context.Service<
  EndpointStore,
  {
    /** Keeps a new endpoint, unless the shop has `maximum` of them already: then `false`, also when calls race (D31). */
    readonly add: (endpoint: EndpointRecord, maximum: number) => Effect.Effect<boolean, StorageError>

    /** A shop's endpoints, oldest first: by `createdAt` and then by id, both ascending, ids by code point. */
    readonly list: (shop: string) => Effect.Effect<ReadonlyArray<EndpointRecord>, StorageError>

    readonly find: (shop: string, id: string) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /** Changes what is given and leaves the rest; answers what is kept now. Its pending deliveries use it from their next attempt on (D24). */
    readonly change: (
      shop: string,
      id: string,
      change: Partial<Pick<EndpointRecord, "url" | "kinds" | "description" | "standardWebhooks">>,
    ) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /**
     * Keeps a new secret, sealed, which signs from `until` on (`SecretRotation.rotate`); `until` may be `now` or before: then it replaces the secret at once. Answers
     * what is kept now. Of calls that race, each counts: they take effect one after the other.
     */
    readonly rotate: (
      shop: string,
      id: string,
      anew: { readonly secret: string; readonly until: Instant; readonly now: Instant },
    ) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /** Lets the new secret of a rotation take the place of the old one at once (`SecretRotation.promote`), where one runs. Answers what is kept now. */
    readonly promote: (
      shop: string,
      id: string,
      now: Instant,
    ) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>

    /** Removes an endpoint with its deliveries and their log; `false` if the shop has none of that id. */
    readonly remove: (shop: string, id: string) => Effect.Effect<boolean, StorageError>

    /**
     * Turns an endpoint on (`EndpointState.turnOn`); one that is active stays as it is. Its pending deliveries can be claimed again: each when it was due,
     * overdue ones at once (D28). Answers what is kept now. Workers are told.
     */
    readonly turnOn: (shop: string, id: string) => Effect.Effect<Option.Option<EndpointRecord>, StorageError>
  }
>()("designwire/EndpointStore") {}
