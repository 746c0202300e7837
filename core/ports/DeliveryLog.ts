import { Context, type Effect, type Option } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { AttemptCounts } from "../model/webhooks/AttemptCounts.ts"
import type { DeliveryRecord } from "../model/webhooks/Delivery.ts"
import type { DeliveryPlace } from "../model/webhooks/LoggedDelivery.ts"
import type { ResendFilter } from "../model/webhooks/Resend.ts"
import type { StorageError } from "./StorageError.ts"

/** The counts of an endpoint's attempts that began in one hour. */
export interface HourCounts extends AttemptCounts {
  readonly endpointId: string
  /** Its beginning. */
  readonly hour: Instant
}

/** The deliveries that an endpoint still has to get. */
export interface Waiting {
  readonly endpointId: string
  /** Pending deliveries, whenever they were created. A store may count no further than {@link countedWaiting}. */
  readonly pending: number
  /** Creation time of its newest stored delivery, finished or not; `null` if there is none. */
  readonly latest: Instant | null
}

/** A part of a delivery log. */
export interface LogPart {
  /** Only deliveries after this place; `null` to begin. */
  readonly after: DeliveryPlace | null
  /**
   * The first, and then only as many as have at most this many bytes of text together. A store may count what it keeps
   * of them.
   */
  readonly bytes: number
}

/** Stores count pending deliveries of an endpoint up to this number at least. */
export const countedWaiting = 100_000

/** Past and pending deliveries of an endpoint, for its owner (§8, D32). */
export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /**
     * The newest `limit` deliveries of an endpoint with all their attempts, newest first: by `createdAt` and then by
     * id, both descending, ids by code point. `part` leaves out some of them.
     */
    readonly list: (
      shop: string,
      endpointId: string,
      limit: number,
      part?: LogPart,
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StorageError>

    /** A delivery of an endpoint, and its body as sent. */
    readonly find: (
      shop: string,
      endpointId: string,
      id: string,
    ) => Effect.Effect<Option.Option<{ readonly delivery: DeliveryRecord; readonly body: string }>, StorageError>

    /**
     * The attempts of a shop's endpoints that began from `from` on and before `until`, both the beginnings of hours, by
     * endpoint and hour, in no particular order. Exact: each settlement that takes effect counts its attempt in the
     * same transaction (D60). Hours without attempts are left out, and so is what an endpoint was sent that is removed.
     */
    readonly attempts: (
      shop: string,
      span: { readonly from: Instant; readonly until: Instant },
    ) => Effect.Effect<ReadonlyArray<HourCounts>, StorageError>

    /** Every endpoint of a shop once, in no particular order, with what is pending. */
    readonly waiting: (shop: string) => Effect.Effect<ReadonlyArray<Waiting>, StorageError>

    /**
     * Number of stored events since `since` that an endpoint has missed (`DeliveryState.hasMissed`); 0 if the endpoint
     * does not exist.
     */
    readonly missed: (shop: string, endpointId: string, since: Instant) => Effect.Effect<number, StorageError>

    /**
     * Number of deliveries that a new run of `DeliveryQueue.resend` with this filter would add; 0 if the endpoint does
     * not exist.
     */
    readonly resendable: (shop: string, endpointId: string, filter: ResendFilter) => Effect.Effect<number, StorageError>
  }
>()("designwire/DeliveryLog") {}
