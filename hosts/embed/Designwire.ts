import type { Query } from "../../adapters/connection/Query.ts"
import type { Customizer, Definition, Design, EventPage, Order, OrderPage } from "../../core/model/Resources.ts"
import type * as Management from "./Management.ts"

/** The last argument of every method that changes something. */
export interface InTransaction {
  /**
   * An open transaction of yours in the database of this service, e.g. `fromPg(client)`: the change, its events and
   * their deliveries are committed or rolled back with it. After an error the transaction is as it was before the call.
   * Call {@link Designwire.wake} after the commit if nothing listens.
   */
  readonly tx?: Query
  /**
   * The person for whom you call, 1 to 255 characters: the name of the change's actor in {@link Audit.list} and in the
   * settings app. Default: your application, as `application`.
   */
  readonly actor?: string
}

/** Stores with separate data. */
export interface Shops {
  /** Creates a shop or replaces its settings; its contents stay. Fails with `InvalidInput`. */
  readonly put: (shop: string, input: Management.ShopInput, options?: InTransaction) => Promise<Management.Shop>
  /** Fails with `NotFound`. */
  readonly get: (shop: string) => Promise<Management.Shop>
  /** All shops, by id. */
  readonly list: () => Promise<ReadonlyArray<Management.Shop>>
  /**
   * Deletes a shop and everything in it; this can't be undone. If it fails with `Unavailable`, call it again. Fails
   * with `NotFound`.
   */
  readonly delete: (shop: string, options?: InTransaction) => Promise<void>
}

/** Configurable products. */
export interface Customizers {
  /**
   * Creates a customizer or replaces its description; published versions stay. `id`: a positive integer of yours. Fails
   * with `NotFound` without the shop, `InvalidInput`.
   */
  readonly put: (
    shop: string,
    id: number,
    input: Management.CustomizerInput,
    options?: InTransaction,
  ) => Promise<Customizer>
  /**
   * Publishes a definition as the customizer's next version. Every version is kept, and designs stay bound to their
   * version. Fails with `NotFound`, `InvalidInput`, `TooLarge` above 512 KiB, `Refused` with the problems of the
   * definition.
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

/** Products as buyers configured them. */
export interface Designs {
  /**
   * Saves a buyer's choices as a design, or saves a draft again. `id`: 1 to 255 characters of yours; `undefined` for a
   * generated id. The choices are evaluated on the version of the customizer that is published at the time.
   *
   * Fails with `NotFound` without the shop or the customizer, `InvalidInput`, `Refused` with the problems of the
   * selection, `TooLarge` for a selection above 64 KiB or a design above 256 KiB, `Conflict` if the customizer was
   * never published, `DesignFrozen` if the design is ordered or cancelled.
   */
  readonly save: (
    shop: string,
    id: string | undefined,
    input: Management.DesignInput,
    options?: InTransaction,
  ) => Promise<Design>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: string) => Promise<Design>
  /**
   * Replaces texts and uploads of the buyer in the design, whatever its status, and in kept events that contain it,
   * with `[redacted]`. Codes and prices stay, and nothing is sent. This can't be undone. Fails with `NotFound`.
   */
  readonly redact: (shop: string, id: string, options?: InTransaction) => Promise<Design>
  /**
   * Deletes a draft, and replaces texts and uploads of the buyer in kept events that contain it with `[redacted]`.
   * Nothing is sent, and this can't be undone. Fails with `NotFound`, `DesignFrozen` if the design is ordered or
   * cancelled.
   */
  readonly delete: (shop: string, id: string, options?: InTransaction) => Promise<void>
}

/** Orders of the shop's platform. An order freezes its designs. */
export interface Orders {
  /**
   * Places an order of the platform: its designs become ordered and are frozen, and each produces a `design.ordered`
   * event, all of it or nothing. `id`: the platform's.
   *
   * Call it every time the platform reports the order: the same content changes nothing, new lines are linked, and
   * lines left out stay linked. Returns the current order; if `lines` is empty, stores nothing and returns `undefined`.
   *
   * Fails with `NotFound` without the shop or a design, `InvalidInput`, `Refused` for a design named twice, `TooLarge`
   * for more than 32 MiB of designs, `Conflict` if a design belongs to another order, is cancelled or is priced in
   * another currency, or if the order was placed with another name, time or line item.
   */
  readonly place: (
    shop: string,
    id: string,
    input: Management.OrderInput,
    options?: InTransaction,
  ) => Promise<Order | undefined>
  /**
   * Cancels an order and its designs, with an `order.cancelled` event. Cancelling twice changes nothing.
   *
   * Returns `undefined` for an order that came without custom items in the last 24 hours. If the shop has no such order
   * otherwise, because it has not come yet, the cancellation is kept for 24 hours: an order that is placed in that time
   * is cancelled in the same change. The result then has `keptUntil` instead of a `status`. Fails with `NotFound`
   * without the shop, or for an id that no order can have.
   */
  readonly cancel: (
    shop: string,
    id: string,
    options?: InTransaction,
  ) => Promise<Order | Management.KeptCancellation | undefined>
  /**
   * Takes back the kept cancellation of an order that has not come yet, one by {@link cancel} or by the shop's
   * platform: the order is placed and not cancelled when it comes. Taking it back again changes nothing.
   *
   * Returns whether there was one. Fails with `NotFound` without the shop, or for an id that no order can have, and
   * with `Conflict` if the order has come and was cancelled, which is final.
   */
  readonly withdrawCancellation: (shop: string, id: string, options?: InTransaction) => Promise<boolean>
  /**
   * Replaces texts and uploads of buyers in the order's designs, and in kept events that contain them, with
   * `[redacted]`. Codes and prices stay, and nothing is sent. This can't be undone. Fails with `NotFound`.
   */
  readonly redact: (shop: string, id: string, options?: InTransaction) => Promise<Order>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: string) => Promise<Order>
  /**
   * A page of the shop's orders, newest first; its `nextCursor` leads to the next page. Fails with `NotFound` without
   * the shop, `InvalidInput`.
   */
  readonly list: (shop: string, query?: Management.OrdersQuery) => Promise<OrderPage>
}

/** Events of a shop. */
export interface Events {
  /**
   * A page of the shop's events, oldest first, as webhooks carry them, without tests. Call it again with its
   * `nextCursor` as `after`, now or later: no event is missed or returned twice, including events that your own open
   * transactions write. Fails with `NotFound` without the shop, `InvalidInput`, `Gone` if events after `after` are no
   * longer kept.
   */
  readonly list: (shop: string, query?: Management.EventsQuery) => Promise<EventPage>
}

/** API tokens of a shop, for clients of its REST API. */
export interface Tokens {
  /**
   * Creates a token, without an end and with all scopes unless the input says otherwise; only this result has its text.
   * Fails with `NotFound` without the shop, `InvalidInput`, `Conflict` beyond the hundredth token, `PlanRequired`.
   */
  readonly create: (shop: string, input: Management.TokenInput, options?: InTransaction) => Promise<Management.NewToken>
  /** Newest first. Fails with `NotFound` without the shop. */
  readonly list: (shop: string) => Promise<ReadonlyArray<Management.Token>>
  /**
   * Deletes a token. This process refuses it at once, every other within a second; with `tx`, within a second of your
   * commit. Fails with `NotFound`.
   */
  readonly delete: (shop: string, id: string, options?: InTransaction) => Promise<void>
}

/** Webhook endpoints of a shop, and their deliveries. */
export interface Webhooks {
  /**
   * Creates an endpoint; only this result has its signing secret. Fails with `NotFound` without the shop,
   * `InvalidInput`, `Refused` for a URL that is not allowed, `Conflict` beyond the fifth endpoint, `PlanRequired`.
   */
  readonly create: (
    shop: string,
    input: Management.EndpointInput,
    options?: InTransaction,
  ) => Promise<Management.NewEndpoint>
  /** Oldest first. Fails with `NotFound` without the shop. */
  readonly list: (shop: string) => Promise<ReadonlyArray<Management.Endpoint>>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, endpoint: string) => Promise<Management.Endpoint>
  /**
   * Updates an endpoint's URL, kinds, description or headers. Fails with `NotFound`, `InvalidInput`, `Refused` as
   * {@link create}.
   */
  readonly update: (
    shop: string,
    endpoint: string,
    input: Management.EndpointUpdate,
    options?: InTransaction,
  ) => Promise<Management.Endpoint>
  /** Deletes an endpoint, and its pending deliveries. Fails with `NotFound`. */
  readonly delete: (shop: string, endpoint: string, options?: InTransaction) => Promise<void>
  /**
   * Pauses an endpoint: until it is enabled, its pending deliveries are held, and new events make none. One that is off
   * already stays as it is. Fails with `NotFound`.
   */
  readonly pause: (shop: string, endpoint: string, options?: InTransaction) => Promise<Management.Endpoint>
  /** Enables an endpoint that is paused or switched off: its deliveries go on. Fails with `NotFound`. */
  readonly enable: (shop: string, endpoint: string, options?: InTransaction) => Promise<Management.EnabledEndpoint>
  /**
   * Creates a new signing secret; only this result has it. The old one signs until {@link promote}, or until the
   * overlap ends. Fails with `NotFound`, `InvalidInput`.
   */
  readonly rotate: (
    shop: string,
    endpoint: string,
    input?: Management.RotationInput,
    options?: InTransaction,
  ) => Promise<Management.RotatedEndpoint>
  /**
   * Signs with the new secret from now on, and drops the old one. Changes nothing if no rotation is under way. Fails
   * with `NotFound`.
   */
  readonly promote: (shop: string, endpoint: string, options?: InTransaction) => Promise<Management.Endpoint>
  /**
   * Sends a test event, once: the latest ordered design, or a `ping` if there is none. Fails with `NotFound`,
   * `PlanRequired`.
   */
  readonly test: (shop: string, endpoint: string, options?: InTransaction) => Promise<Management.Delivery>
  /**
   * Delivers kept events since a time (RFC 3339) that the endpoint has not received. Returns the number of new
   * deliveries. Fails with `NotFound`, `InvalidInput`, `PlanRequired`.
   */
  readonly recover: (
    shop: string,
    endpoint: string,
    input: { readonly since: string },
    options?: InTransaction,
  ) => Promise<{ readonly deliveries: number }>
  /**
   * What the endpoint was sent, by the hour, and what is pending: of the last 24 hours, or of the hours from `from` to
   * `to` (RFC 3339). Hours are kept for 30 days. Fails with `NotFound`, `InvalidInput`.
   */
  readonly activity: (
    shop: string,
    endpoint: string,
    input?: { readonly from?: string | undefined; readonly to?: string | undefined },
  ) => Promise<Management.Activity>
  /** The endpoint's newest 50 deliveries with every attempt, newest first. Fails with `NotFound`. */
  readonly deliveries: (shop: string, endpoint: string) => Promise<ReadonlyArray<Management.Delivery>>
  /** A delivery with its body. Fails with `NotFound`. */
  readonly delivery: (shop: string, endpoint: string, id: string) => Promise<Management.DeliveryWithBody>
  /** Sends a delivery's body again, as a new delivery with the same event id. Fails with `NotFound`, `PlanRequired`. */
  readonly redeliver: (
    shop: string,
    endpoint: string,
    id: string,
    options?: InTransaction,
  ) => Promise<Management.Delivery>
  /**
   * Attempts a pending delivery now instead of at the time of its retry; the retry schedule goes on after it. Fails
   * with `NotFound`, `PlanRequired`, and with `Conflict` if an attempt is under way, if the delivery is finished, or if
   * the endpoint is paused or switched off.
   */
  readonly tryNow: (shop: string, endpoint: string, id: string, options?: InTransaction) => Promise<Management.Delivery>
  /**
   * Sends the finished deliveries of the log that the input finds again, as new deliveries, at most one of an event;
   * none of an event that has a pending delivery. While `next` is not null, call it with the same input and this `next`
   * to go on. Fails with `NotFound`, `InvalidInput`, `PlanRequired`.
   *
   * @example
   * let next: string | undefined
   * do {
   *   const done = await designwire.webhooks.resend("acme", endpoint, { state: "failed", next })
   *   next = done.next ?? undefined
   * } while (next !== undefined)
   */
  readonly resend: (
    shop: string,
    endpoint: string,
    input: Management.ResendInput,
    options?: InTransaction,
  ) => Promise<Management.Resent>
}

/** Events of the shop's platform, which place and cancel orders, and what became of them. */
export interface Inbox {
  /**
   * A page of the events, newest first; its `nextCursor` leads to the next page. They are kept for 30 days, and to the
   * end of that day in UTC. Fails with `NotFound`, `InvalidInput`.
   */
  readonly list: (shop: string, query?: Management.InboxQuery) => Promise<Management.InboxPage>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: string) => Promise<Management.InboxEvent>
  /**
   * Tries an event again that is `waiting` or `failed`, and returns it with what became of it. One that is `applied` or
   * `ignored` stays as it is. Fails with `NotFound`.
   */
  readonly apply: (shop: string, id: string, options?: InTransaction) => Promise<Management.InboxEvent>
}

/** Who changed what in a shop. */
export interface Audit {
  /**
   * A page of the changes by persons and keys, newest first, with the fields before and after; its `nextCursor` leads
   * to the next page. Each is committed with its change, and kept for 400 days. What the service did to endpoints by
   * itself is among them; orders and designs that you report are data and are not. Fails with `NotFound`,
   * `InvalidInput`.
   */
  readonly list: (shop: string, query?: Management.AuditQuery) => Promise<Management.AuditPage>
}

/** The settings app, in which people manage a store's tokens and webhooks. */
export interface Settings {
  /**
   * Makes a link that lets one person into the settings app, for this store only. It shows a button that begins a
   * session of twelve hours, once. Fails with `NotFound` without the shop, `InvalidInput`, and `Conflict` without the
   * option `settings`.
   */
  readonly link: (shop: string, input: Management.SettingsLinkInput) => Promise<Management.SettingsLink>
}

/** A change of the schema, for your migration tool. */
export interface Migration {
  /** Its place in the order, from 1. */
  readonly id: number
  /** E.g. `resources`. */
  readonly name: string
  /** Statements to run in one transaction. They also record the migration. */
  readonly sql: string
}

/**
 * The service inside your backend. Methods of `shops`, `orders` and the like may also fail with `Unavailable` and, on a
 * Postgres database, with `NotMigrated`; with `InvalidInput` if `tx` is given and the database is embedded or memory.
 */
export interface Designwire {
  readonly shops: Shops
  readonly customizers: Customizers
  readonly designs: Designs
  readonly orders: Orders
  readonly events: Events
  readonly tokens: Tokens
  readonly webhooks: Webhooks
  readonly inbox: Inbox
  readonly audit: Audit
  readonly settings: Settings

  /**
   * Answers a request to the REST API, the settings app or the webhooks of a platform, with 404 if it is for none of
   * them. If its `signal` is aborted, the work for it ends. Fails only with `InvalidInput`, if it is not a `Request`.
   */
  readonly handler: (request: Request) => Promise<Response>
  /** As {@link handler}, but returns `undefined` for a request that is for none of them. */
  readonly respond: (request: Request) => Promise<Response | undefined>
  /** Whether a request is for one of them, by its URL or its path and query. */
  readonly answers: (request: { readonly url: string }) => boolean

  /**
   * Runs pending migrations and returns their names; several processes may do so at the same time. The embedded
   * database migrates itself. Fails with `Unavailable`, `NotMigrated` if a newer version has migrated the database.
   */
  readonly migrate: () => Promise<ReadonlyArray<string>>
  /**
   * A script of the migrations that {@link migrate} would run; empty if nothing is pending. Fails as {@link migrate}.
   */
  readonly pendingSql: () => Promise<string>
  /** All migrations, in order, for your migration tool; empty for memory and the embedded database. */
  readonly migrations: ReadonlyArray<Migration>

  /**
   * Starts delivering webhooks in this process; a second call does nothing. Fails with `Unavailable`, `NotMigrated`.
   */
  readonly start: () => Promise<void>
  /**
   * Stops everything: finishes deliveries under way and closes its own connections, but not your pool. It may be called
   * at any time, also twice. Later calls fail with `Unavailable`, and requests get 503. Never fails.
   */
  readonly stop: () => Promise<void>
  /**
   * Makes due deliveries and returns: for cron and serverless, instead of {@link start}. It begins at most `max`
   * attempts, and none after `seconds`, and finishes each within 5 seconds. Before that it applies the events of
   * platforms that wait. Fails with `InvalidInput`, `Unavailable`, `NotMigrated`.
   */
  readonly drain: (limits: { readonly max: number; readonly seconds: number }) => Promise<Management.Drained>
  /**
   * Makes workers, also in other processes, look for deliveries now. Call it after the commit of a transaction of yours
   * if nothing listens, or with `notifyInTransactions: false`. It may be called for every commit: simultaneous calls
   * become one signal.
   */
  readonly wake: () => void
}
