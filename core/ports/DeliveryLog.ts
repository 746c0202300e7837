import { Context, type Effect, type Option } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { AttemptCounts } from "../model/webhooks/AttemptCounts.ts"
import type { Attempt, DeliveryRecord } from "../model/webhooks/Delivery.ts"
import type {
  DeliveryFilter,
  DeliveryPage,
  DeliveryPlace,
  FoundDelivery,
  WaitingCause,
} from "../model/webhooks/LoggedDelivery.ts"
import type { ResendFilter } from "../model/webhooks/Resend.ts"
import type { StorageError } from "./StorageError.ts"

/** The deliveries that an endpoint still has to get. */
export interface Waiting {
  readonly endpointId: string
  /** Pending deliveries, whenever they were created. A store may count no further than {@link countedWaiting}. */
  readonly pending: number
  /**
   * Its newest attempts, the last first, at most {@link recentAttempts}: of its newest deliveries and of those that are
   * retried last, as many of each. Without attempts of tests, and each with 100 characters of `responseStart` at most.
   */
  readonly recent: ReadonlyArray<Attempt>
}

/** A span of time in steps of the same length. */
export interface SpanInSteps {
  /** The beginning of an hour. */
  readonly from: Instant
  /** `from` and some whole steps. */
  readonly until: Instant
  /** The length of a step in milliseconds: some whole hours. */
  readonly step: number
}

/** The attempts that began in a step of time. */
export interface ActivityStep extends AttemptCounts {
  /** Its beginning. */
  readonly at: Instant
}

/** The pending deliveries of an endpoint, and its attempts in a span of time. */
export interface EndpointView extends Waiting {
  /** Steps with attempts, in no particular order. */
  readonly steps: ReadonlyArray<ActivityStep>
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

/** As many failures in a row switch an endpoint off. */
export const recentAttempts = 20

/** Stores count pending deliveries of an endpoint up to this number at least. */
export const countedWaiting = 100_000

/** A part of a list of deliveries. */
interface Part {
  readonly shop: string
  /** Only deliveries after this place; `null` for the first page. */
  readonly after: DeliveryPlace | null
  /** At most this many, 1 to 100. */
  readonly limit: number
}

/** Query for deliveries that a filter selects. */
export interface FilteredDeliveries extends Part {
  readonly filter: DeliveryFilter
}

/** Query for pending deliveries, by when they are due. */
export interface PendingDeliveries extends Part {
  readonly pending: {
    /** Only those to this endpoint. */
    readonly endpoint?: string | undefined
    /** Only those that wait for these reasons at an instant. The page then has the counts of all reasons. */
    readonly why?: { readonly now: Instant; readonly causes: ReadonlyArray<WaitingCause> } | undefined
  }
}

/** Query for deliveries of events. */
export interface DeliveriesOfEvents extends Part {
  /** Ids of events, at most 1,000. */
  readonly events: ReadonlyArray<string>
}

/** Query for deliveries over all endpoints of a shop. */
export type DeliveriesQuery = FilteredDeliveries | PendingDeliveries | DeliveriesOfEvents

/** Query for ids that are spelled like one, but for the case of their letters. */
export interface FindSpellings {
  readonly shop: string
  readonly of: "design" | "event" | "delivery"
  /** In any case: a prefix of `newId`, `_`, and at least 22 letters of ASCII and digits. */
  readonly id: string
}

/** Stores look at this many deliveries of an endpoint at least before they end a page early. */
export const lookedAt = 1_000

/**
 * Past and pending deliveries of a shop's endpoints, for their owner (§8, D32). Ids are compared by code point. Nothing
 * of another shop is ever found.
 */
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

    /** A delivery by its id: to this endpoint, or to whichever if `endpointId` is `null`. */
    readonly find: (
      shop: string,
      endpointId: string | null,
      id: string,
    ) => Effect.Effect<Option.Option<FoundDelivery>, StorageError>

    /**
     * A page of deliveries. Pages that continue from `next` show each delivery exactly once, however many are created
     * or settled meanwhile.
     *
     * - Those that a filter selects, newest first: by `createdAt` and then by id, both descending. Its time does not
     *   grow with the number of deliveries, nor with the depth of the page: if a filter selects only few of very many,
     *   a page may be shorter than the limit, even empty, although `next` is not `null` ({@link lookedAt}).
     * - Pending ones, suspended ones included: by `nextAttemptAt` and then by id, both ascending. Places in this list
     *   are due times. Its time does not grow with the number of deliveries, unless the query asks why they wait: their
     *   counts are exact up to {@link countedWaiting}. If there are more, a count is any larger number.
     * - All of some events, newest first and never cut short. Its time may grow with the number of their deliveries.
     */
    readonly page: (query: DeliveriesQuery) => Effect.Effect<DeliveryPage, StorageError>

    /**
     * The ids, ascending, of stored designs, events or deliveries that equal an id without regard to the case of its
     * letters; of designs also those that only stored events name. Its time does not grow with the number of others.
     */
    readonly spellings: (query: FindSpellings) => Effect.Effect<ReadonlyArray<string>, StorageError>

    /**
     * Every endpoint of a shop once, in no particular order, with what is pending, and its attempts that began in the
     * span, without tests, added up by step. Exact: each settlement that takes effect counts its attempt in the same
     * transaction (D60). Steps without attempts are left out, and so is what an endpoint was sent that is removed. A
     * page waits for it: a month has 720 hours of counts for each endpoint, so stores add them up where they are.
     */
    readonly activity: (shop: string, span: SpanInSteps) => Effect.Effect<ReadonlyArray<EndpointView>, StorageError>

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
