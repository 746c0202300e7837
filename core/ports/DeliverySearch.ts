import { Context, type Effect, type Option } from "effect"
import type {
  DeliveryFilter,
  DeliveryPage,
  DeliveryPlace,
  EventsAbout,
  FoundEvent,
  LoggedDelivery,
} from "../model/webhooks/LoggedDelivery.ts"
import type { StorageError } from "./StorageError.ts"

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

/** Query for pending deliveries. */
export interface PendingDeliveries extends Part {
  /** Only those to this endpoint. */
  readonly endpoint?: string | undefined
}

/** Query for deliveries of events. */
export interface DeliveriesOfEvents extends Part {
  /** Ids of events, at most 1,000. */
  readonly events: ReadonlyArray<string>
}

/** Query for events. */
export interface FindEvents {
  readonly shop: string
  readonly about: EventsAbout
  /** At most this many, 1 to 1,000. */
  readonly limit: number
}

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
 * Deliveries over all endpoints of a shop, for its owner (§8, D32), and the events behind them. Ids are compared by
 * code point. Nothing of another shop is ever found.
 */
export class DeliverySearch extends Context.Service<
  DeliverySearch,
  {
    /**
     * A page of the deliveries that a filter selects, newest first: by `createdAt` and then by id, both descending.
     * Pages that continue from `next` show each delivery exactly once, however many are created or settled meanwhile.
     *
     * Its time does not grow with the number of deliveries, nor with the depth of the page: if a filter selects only
     * few of very many, a page may be shorter than the limit, even empty, although `next` is not `null`
     * ({@link lookedAt}).
     */
    readonly page: (query: FilteredDeliveries) => Effect.Effect<DeliveryPage, StorageError>

    /**
     * A page of pending deliveries, suspended ones included: by `nextAttemptAt` and then by id, both ascending. Places
     * in this list are due times. Its time does not grow with the number of deliveries.
     */
    readonly pending: (query: PendingDeliveries) => Effect.Effect<DeliveryPage, StorageError>

    /**
     * A page of all deliveries of some events, in the order of `page` and never cut short. Its time may grow with the
     * number of their deliveries.
     */
    readonly ofEvents: (query: DeliveriesOfEvents) => Effect.Effect<DeliveryPage, StorageError>

    /** A delivery by its id, to whichever endpoint. */
    readonly find: (shop: string, id: string) => Effect.Effect<Option.Option<LoggedDelivery>, StorageError>

    /**
     * Stored events about an order or a design, or the one with an id, tests included, newest first: by `createdAt` and
     * then by id, both descending. Its time does not grow with the number of other events.
     */
    readonly events: (query: FindEvents) => Effect.Effect<ReadonlyArray<FoundEvent>, StorageError>

    /**
     * The ids, ascending, of stored designs, events or deliveries that equal an id without regard to the case of its
     * letters; of designs also those that only stored events name. Its time does not grow with the number of others.
     */
    readonly spellings: (query: FindSpellings) => Effect.Effect<ReadonlyArray<string>, StorageError>
  }
>()("designwire/DeliverySearch") {}
