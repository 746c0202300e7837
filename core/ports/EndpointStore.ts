import { Context, type Effect, type Option } from "effect"
import type { EndpointRecord } from "../model/Endpoint.ts"
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
      change: Partial<Pick<EndpointRecord, "url" | "kinds" | "description">>,
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
