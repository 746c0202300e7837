import { Context, type Effect, type Option } from "effect"
import type { DeliveryRecord, DeliveryStatus } from "../model/Delivery.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** State of an endpoint's deliveries that were created in a time span. */
export interface EndpointActivity {
  readonly endpointId: string
  /** Creation time of its newest stored delivery, in the span or before; `null` if there is none. */
  readonly latest: Instant | null
  /** Deliveries per hour of the span, from 0, and per current status, without zeros, in no particular order. */
  readonly counts: ReadonlyArray<{
    readonly hour: number
    readonly status: DeliveryStatus
    readonly deliveries: number
  }>
}

/** State of a shop's deliveries that were created in a time span. */
export interface Activity {
  /** Every endpoint of the shop once, in no particular order. */
  readonly endpoints: ReadonlyArray<EndpointActivity>
  /**
   * Median duration of the attempts of counted deliveries, the lower one of two, in milliseconds; `null` without
   * attempts.
   */
  readonly medianMs: number | null
}

/** Past and pending deliveries of an endpoint, for its owner (§8, D32). */
export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /**
     * The newest `limit` deliveries of an endpoint with all their attempts, newest first: by `createdAt` and then by
     * id, both descending, ids by code point.
     */
    readonly list: (
      shop: string,
      endpointId: string,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StorageError>

    /** A delivery of an endpoint, and its body as sent. */
    readonly find: (
      shop: string,
      endpointId: string,
      id: string,
    ) => Effect.Effect<Option.Option<{ readonly delivery: DeliveryRecord; readonly body: string }>, StorageError>

    /**
     * State of a shop's stored deliveries created at `since` or later: the newest `limit` of each endpoint, by
     * `createdAt` and then by id. Its time grows with `limit` only.
     */
    readonly activity: (
      shop: string,
      span: { readonly since: Instant; readonly limit: number },
    ) => Effect.Effect<Activity, StorageError>

    /**
     * Number of stored events since `since` that an endpoint has missed (`DeliveryState.hasMissed`); 0 if the endpoint
     * does not exist.
     */
    readonly missed: (shop: string, endpointId: string, since: Instant) => Effect.Effect<number, StorageError>
  }
>()("designwire/DeliveryLog") {}
