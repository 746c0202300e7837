import type { Query } from "../../adapters/connection/Query.ts"
import type { Customizer, Definition, Design, EventPage, Order, OrderPage } from "../../core/model/Resources.ts"
import type * as Management from "./Management.ts"

/** The last argument of everything that changes something. */
export interface InTransaction {
  /**
   * A transaction of yours that is open in the database of this service, e.g. `fromPg(client)`: what changes is committed or rolled back with it, its events and
   * their deliveries too. An error leaves the transaction as it was before the call. Call {@link Designwire.wake} after the commit where nobody listens.
   */
  readonly tx?: Query | undefined
}

/** Stores whose data is kept apart. */
export interface Shops {
  /** Makes a shop or replaces its settings; what it holds stays. Fails with `InvalidInput`. */
  readonly put: (shop: string, input: Management.ShopInput, options?: InTransaction) => Promise<Management.Shop>
  /** Fails with `NotFound`. */
  readonly get: (shop: string) => Promise<Management.Shop>
  /** All shops, by id. */
  readonly list: () => Promise<ReadonlyArray<Management.Shop>>
  /** Removes a shop and everything of it; it can't be undone. Call it again where it fails with `Unavailable`. Fails with `NotFound`. */
  readonly remove: (shop: string, options?: InTransaction) => Promise<void>
}

/** Configurable products. */
export interface Customizers {
  /**
   * Makes a customizer, or replaces its description; versions that were published stay. `id`: a positive integer of yours. Fails with `NotFound` without the
   * shop, `InvalidInput`.
   */
  readonly put: (
    shop: string,
    id: number,
    input: Management.CustomizerInput,
    options?: InTransaction,
  ) => Promise<Customizer>
  /**
   * Publishes a definition as the customizer's next version. Every version is kept, and designs stay bound to theirs. Fails with `NotFound`, `InvalidInput`,
   * `TooLarge` above 512 KiB, `Refused` with the problems of the definition.
   */
  readonly publish: (
    shop: string,
    id: number,
    input: { readonly definition: Definition },
    options?: InTransaction,
  ) => Promise<Customizer>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: number) => Promise<Customizer>
}

/** What buyers configured. */
export interface Designs {
  /**
   * Saves a buyer's choices as a design, or saves a draft again. `id`: 1 to 255 characters of yours; `undefined` for a generated one. The choices are evaluated
   * on the version of the customizer that is published now.
   *
   * Fails with `NotFound` without the shop or the customizer, `InvalidInput`, `Refused` with the problems of the selection, `TooLarge` for a selection above
   * 64 KiB or a design above 256 KiB, `Conflict` where the customizer was never published, `DesignFrozen` where the design is ordered or cancelled.
   */
  readonly save: (
    shop: string,
    id: string | undefined,
    input: Management.DesignInput,
    options?: InTransaction,
  ) => Promise<Design>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: string) => Promise<Design>
}

/** Orders of the platform, which freeze the designs in them. */
export interface Orders {
  /**
   * Places an order of the platform: its designs become ordered and are frozen, and `design.ordered` happens for each, all of it or nothing. `id`: the platform's.
   *
   * To be repeated as often as the platform tells of the order: the same content changes nothing, new lines are linked, lines that are left out stay linked.
   * Answers the order as it is now; `undefined` where `lines` is empty: nothing is stored then.
   *
   * Fails with `NotFound` without the shop or a design, `InvalidInput`, `Refused` for a design named twice, `Conflict` where a design belongs to another order, is
   * cancelled or is priced in another currency, or where the order was placed with another name, time or line item.
   */
  readonly place: (
    shop: string,
    id: string,
    input: Management.OrderInput,
    options?: InTransaction,
  ) => Promise<Order | undefined>
  /** Cancels an order and with it its designs; `order.cancelled` happens. Cancelling twice changes nothing. Fails with `NotFound`. */
  readonly cancel: (shop: string, id: string, options?: InTransaction) => Promise<Order>
  /**
   * Replaces what buyers wrote and uploaded in the order's designs, and in the kept events that hold them, by `[redacted]`. Codes and prices stay, nothing is sent, and
   * it can't be undone. Fails with `NotFound`.
   */
  readonly redact: (shop: string, id: string, options?: InTransaction) => Promise<Order>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: string) => Promise<Order>
  /** A page of the shop's orders, newest first; ask for the next with its `nextCursor`. Fails with `NotFound` without the shop, `InvalidInput`. */
  readonly list: (shop: string, query?: Management.OrdersQuery) => Promise<OrderPage>
}

/** What happened in a shop. */
export interface Events {
  /**
   * A page of the shop's events, oldest first, as webhooks carry them, tests left out. Ask again with its `nextCursor` as `after`, now or later: nothing is
   * missed and nothing comes twice, also of what your own open transactions write. Fails with `NotFound` without the shop, `InvalidInput`, `Gone` where events
   * behind `after` are no longer kept.
   */
  readonly list: (shop: string, query?: Management.EventsQuery) => Promise<EventPage>
}

/** API tokens of a shop, for those who read its REST API. */
export interface Tokens {
  /** Makes a token; this answer alone holds its text. Fails with `NotFound` without the shop, `InvalidInput`, `PlanRequired`. */
  readonly create: (
    shop: string,
    input: { readonly name: string },
    options?: InTransaction,
  ) => Promise<Management.NewToken>
  /** Newest first. Fails with `NotFound` without the shop. */
  readonly list: (shop: string) => Promise<ReadonlyArray<Management.Token>>
  /** Revokes a token: refused at once in this process, within a second in every other; with `tx` within a second of your commit. Fails with `NotFound`. */
  readonly remove: (shop: string, id: string, options?: InTransaction) => Promise<void>
}

/** Webhook endpoints of a shop, and what was and will be delivered to them. */
export interface Webhooks {
  /**
   * Adds an endpoint; this answer alone holds its signing secret. Fails with `NotFound` without the shop, `InvalidInput`, `Refused` for a URL that may not be sent
   * to, `Conflict` beyond the fifth endpoint, `PlanRequired`.
   */
  readonly add: (
    shop: string,
    input: Management.EndpointInput,
    options?: InTransaction,
  ) => Promise<Management.NewEndpoint>
  /** Oldest first. Fails with `NotFound` without the shop. */
  readonly list: (shop: string) => Promise<ReadonlyArray<Management.Endpoint>>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, endpoint: string) => Promise<Management.Endpoint>
  /** Changes an endpoint's URL, kinds, description or headers. Fails with `NotFound`, `InvalidInput`, `Refused` as {@link add}. */
  readonly change: (
    shop: string,
    endpoint: string,
    input: Management.EndpointChange,
    options?: InTransaction,
  ) => Promise<Management.Endpoint>
  /** Removes an endpoint; what is still to be delivered to it is not. Fails with `NotFound`. */
  readonly remove: (shop: string, endpoint: string, options?: InTransaction) => Promise<void>
  /** Turns an endpoint on again: its deliveries go on. Fails with `NotFound`. */
  readonly turnOn: (shop: string, endpoint: string, options?: InTransaction) => Promise<Management.TurnedOnEndpoint>
  /**
   * Makes a new signing secret; this answer alone holds it. The old one signs until {@link promote}, or until the overlap is over. Fails with `NotFound`,
   * `InvalidInput`.
   */
  readonly rotate: (
    shop: string,
    endpoint: string,
    input?: Management.RotationInput,
    options?: InTransaction,
  ) => Promise<Management.RotatedEndpoint>
  /** Lets the new signing secret sign from now on; the old one is gone. Without a rotation that runs, nothing changes. Fails with `NotFound`. */
  readonly promote: (shop: string, endpoint: string, options?: InTransaction) => Promise<Management.Endpoint>
  /** Sends a test event: the latest ordered design, or a `ping` if there is none; once. Fails with `NotFound`, `PlanRequired`. */
  readonly test: (shop: string, endpoint: string, options?: InTransaction) => Promise<Management.Delivery>
  /**
   * Delivers the kept events since a time (RFC 3339) that the endpoint has not received. Answers how many deliveries that makes. Fails with `NotFound`,
   * `InvalidInput`, `PlanRequired`.
   */
  readonly recover: (
    shop: string,
    endpoint: string,
    input: { readonly since: string },
    options?: InTransaction,
  ) => Promise<{ readonly deliveries: number }>
  /** The endpoint's newest 50 deliveries with every attempt, newest first. Fails with `NotFound`. */
  readonly deliveries: (shop: string, endpoint: string) => Promise<ReadonlyArray<Management.Delivery>>
  /** A delivery with the body that is sent. Fails with `NotFound`. */
  readonly delivery: (shop: string, endpoint: string, id: string) => Promise<Management.DeliveryWithBody>
  /** Sends a delivery's body again, as a new delivery with the same event id. Fails with `NotFound`, `PlanRequired`. */
  readonly redeliver: (
    shop: string,
    endpoint: string,
    id: string,
    options?: InTransaction,
  ) => Promise<Management.Delivery>
}

/** A change of the schema, for a migration tool of yours. */
export interface Migration {
  /** Its place in the order, from 1. */
  readonly id: number
  /** E.g. `resources`. */
  readonly name: string
  /** Statements, to be run in one transaction. They also note that it was run. */
  readonly sql: string
}

/**
 * The service inside your backend. Every method of the nouns may also fail with `Unavailable` and, on a Postgres database, with `NotMigrated`; with
 * `InvalidInput` where `tx` is given and the database is the embedded one or memory.
 */
export interface Designwire {
  readonly shops: Shops
  readonly customizers: Customizers
  readonly designs: Designs
  readonly orders: Orders
  readonly events: Events
  readonly tokens: Tokens
  readonly webhooks: Webhooks

  /** Answers a request to the REST API; 404 to one that is not under `basePath`. Where its `signal` is aborted, the work for it ends. Fails with `InvalidInput` for what is no `Request`, and in no other case. */
  readonly handler: (request: Request) => Promise<Response>
  /** As {@link handler}, but `undefined` for what is not under `basePath`. */
  readonly respond: (request: Request) => Promise<Response | undefined>
  /** Whether a request is under `basePath`, by its URL or its path and query. */
  readonly answers: (request: { readonly url: string }) => boolean

  /**
   * Brings the database's schema up to date and answers the names of the migrations that it ran; several processes may do so at the same time. The embedded
   * database does it by itself. Fails with `Unavailable`, `NotMigrated` where a newer version has migrated the database.
   */
  readonly migrate: () => Promise<ReadonlyArray<string>>
  /** What {@link migrate} would run, as a script; empty where nothing is pending. Fails as {@link migrate}. */
  readonly pendingSql: () => Promise<string>
  /** All migrations, in order, to be handed over one by one to a migration tool of yours; empty for memory. */
  readonly migrations: ReadonlyArray<Migration>

  /** Begins to deliver webhooks in this process; a second call does nothing. Fails with `Unavailable`, `NotMigrated`. */
  readonly start: () => Promise<void>
  /**
   * Ends everything: deliveries under way are finished, connections of its own are closed (a pool of yours is not). It may be called at any time, also twice.
   * Whatever is called afterwards fails with `Unavailable`, and requests are answered 503. Never fails.
   */
  readonly stop: () => Promise<void>
  /**
   * Delivers what is due, and ends: for cron and serverless, in place of {@link start}. It begins at most `max` attempts and none after `seconds`, and finishes
   * those that it began, each within 5 seconds. Fails with `InvalidInput`, `Unavailable`, `NotMigrated`.
   */
  readonly drain: (limits: { readonly max: number; readonly seconds: number }) => Promise<Management.Drained>
  /**
   * Tells workers, also those of other processes, to look for deliveries now: after the commit of a transaction of yours where nobody listens, or with
   * `notifyInTransactions: false`. May be called for every commit: what is told at the same time is told once.
   */
  readonly wake: () => void
}
