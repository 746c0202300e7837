import { Context, type Effect, type Option } from "effect"
import type { DeliveryRecord, DeliveryStatus } from "../model/Delivery.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** How the deliveries of an endpoint stand that were created in a span of time. */
export interface EndpointActivity {
  readonly endpointId: string
  /** When the newest of its deliveries that are kept was created, whether in the span or before; `null` if none is kept. */
  readonly latest: Instant | null
  /** How many were created in an hour of the span, the first being 0, and have a status now; left out where there are none. In no particular order. */
  readonly counts: ReadonlyArray<{
    readonly hour: number
    readonly status: DeliveryStatus
    readonly deliveries: number
  }>
}

/** How the deliveries of a shop stand that were created in a span of time. */
export interface Activity {
  /** Every endpoint of the shop once, in no particular order. */
  readonly endpoints: ReadonlyArray<EndpointActivity>
  /** The median of the durations of the attempts of what was counted, the lower one of two, in milliseconds; `null` without attempts. */
  readonly medianMs: number | null
}

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

    /**
     * How the kept deliveries of a shop stand that were created at `since` or later: of each endpoint the newest `limit`, by `createdAt` and then by id. The time it
     * takes grows with that limit and no further.
     */
    readonly activity: (
      shop: string,
      span: { readonly since: Instant; readonly limit: number },
    ) => Effect.Effect<Activity, StorageError>

    /** How many of the kept events that happened at `since` or later an endpoint has missed (`DeliveryState.hasMissed`); 0 if there is no such endpoint. */
    readonly missed: (shop: string, endpointId: string, since: Instant) => Effect.Effect<number, StorageError>
  }
>()("designwire/DeliveryLog") {}
