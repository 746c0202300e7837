import { Context, type Effect, type Option } from "effect"
import type { DeliveryRecord } from "../model/Delivery.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** What was and will be delivered to an endpoint, for its owner (§8, D32). */
export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /** The newest `limit` deliveries of an endpoint with all their attempts, newest first: by `createdAt` and then by id, both descending, ids by code point. */
    readonly list: (
      shop: string,
      endpointId: string,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StorageError>

    /** A delivery of an endpoint, and its body as it is sent. */
    readonly find: (
      shop: string,
      endpointId: string,
      id: string,
    ) => Effect.Effect<Option.Option<{ readonly delivery: DeliveryRecord; readonly body: string }>, StorageError>

    /** How many of the kept events that happened at `since` or later an endpoint has missed (`DeliveryState.hasMissed`); 0 if there is no such endpoint. */
    readonly missed: (shop: string, endpointId: string, since: Instant) => Effect.Effect<number, StorageError>
  }
>()("designwire/DeliveryLog") {}
