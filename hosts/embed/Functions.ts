/**
 * The functions of {@link Designwire} on shops, orders and the like, with their inputs and results as plain types.
 * Timestamps are ISO 8601 with an offset, money is in minor units (cents) of the shop's currency. Optional fields of an
 * input may also be `undefined`.
 *
 * Made from core/operations by `npm run functions`: change those.
 */
import type {
  AttemptError,
  Customizer,
  Definition,
  Design,
  EndpointKind,
  EventPage,
  Order,
  OrderLine,
  OrderPage,
} from "../../core/model/Resources.ts"
import type { InTransaction } from "./InTransaction.ts"

/** Who changed what in a shop. */
export interface Audit {
  /**
   * A page of the changes by persons and keys, newest first, with the fields before and after; its `nextCursor` leads
   * to the next page. Each is committed with its change, and kept for 400 days. What the service did to endpoints by
   * itself is among them; orders and designs that you report are data and are not. Fails with `NotFound`,
   * `InvalidInput`.
   */
  readonly list: (shop: string, query?: AuditQuery) => Promise<AuditPage>
}

/** Configurable products. */
export interface Customizers {
  /**
   * Creates a customizer or replaces its description; published versions stay. `id`: a positive integer of yours.
   * Fails with `NotFound` without the shop, `InvalidInput`.
   */
  readonly put: (shop: string, id: number, input: CustomizerInput, options?: InTransaction) => Promise<Customizer>
  /**
   * Publishes a definition as the customizer's next version. Every version is kept, and designs stay bound to their
   * version. Fails with `NotFound`, `InvalidInput`, `TooLarge` above 512 KiB, `Refused` with the problems of the
   * definition.
   */
  readonly publish: (shop: string, id: number, input: PublishInput, options?: InTransaction) => Promise<Customizer>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: number) => Promise<Customizer>
}

/** Products as buyers configured them. */
export interface Designs {
  /**
   * Saves a buyer's choices as a design, or saves a draft again. `id`: 1 to 255 characters of yours; `undefined` for
   * a generated id. The choices are evaluated on the version of the customizer that is published at the time.
   *
   * Fails with `NotFound` without the shop or the customizer, `InvalidInput`, `Refused` with the problems of the
   * selection, `TooLarge` for a selection above 64 KiB or a design above 256 KiB, `Conflict` if the customizer was
   * never published, `DesignFrozen` if the design is ordered or cancelled.
   */
  readonly save: (shop: string, id: string | undefined, input: DesignInput, options?: InTransaction) => Promise<Design>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: string) => Promise<Design>
  /**
   * A page of the drafts, those saved last first: of all customizers or of one, also those alone that were not saved
   * again since a time. Its `nextCursor` leads to the next page. Fails with `NotFound`, `InvalidInput`.
   */
  readonly drafts: (shop: string, query?: DesignsQuery) => Promise<DraftPage>
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

/** Events of a shop. */
export interface Events {
  /**
   * A page of the shop's events, oldest first, as webhooks carry them, without tests. Call it again with its
   * `nextCursor` as `after`, now or later: no event is missed or returned twice, including events that your own open
   * transactions write. Fails with `NotFound` without the shop, `InvalidInput`, `Gone` if events after `after` are no
   * longer kept.
   */
  readonly list: (shop: string, query?: EventsQuery) => Promise<EventPage>
}

/** Events of the shop's platform, which place and cancel orders, and what became of them. */
export interface Inbox {
  /**
   * A page of the events, newest first; its `nextCursor` leads to the next page. They are kept for 30 days, and to
   * the end of that day in UTC. Fails with `NotFound`, `InvalidInput`.
   */
  readonly list: (shop: string, query?: InboxQuery) => Promise<InboxPage>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, id: string) => Promise<InboxEvent>
  /**
   * Tries an event again that is `waiting` or `failed`, and returns it with what became of it. One that is `applied`
   * or `ignored` stays as it is. Fails with `NotFound`.
   */
  readonly apply: (shop: string, id: string, options?: InTransaction) => Promise<InboxEvent>
  /**
   * Places the order of an event that was not placed because of its state: one that is `unpaid`, or `ignored` as a
   * test, or because it was over when it was first heard of. Returns it with what became of it. Fails with
   * `NotFound`, and `Conflict` if there is nothing left to place.
   */
  readonly place: (shop: string, id: string, options?: InTransaction) => Promise<InboxEvent>
}

/** Orders of the shop's platform. An order freezes its designs. */
export interface Orders {
  /**
   * Places an order of the platform: its designs become ordered and are frozen, and each produces a `design.ordered`
   * event, all of it or nothing. `id`: the platform's.
   *
   * Call it every time the platform reports the order: the same content changes nothing, new lines are linked, and
   * lines left out stay linked. Returns the current order; if `lines` is empty, stores nothing and returns
   * `undefined`.
   *
   * Fails with `NotFound` without the shop or a design, `InvalidInput`, `Refused` for a design named twice or a
   * second design for a line, `TooLarge` for more than 32 MiB of designs, `Conflict` if a design belongs to another
   * order, is cancelled or is priced in another currency, or if the order was placed with another name, time or line
   * item: its `conflict` has the field and both values.
   */
  readonly place: (shop: string, id: string, input: OrderInput, options?: InTransaction) => Promise<Order | undefined>
  /**
   * Cancels an order and its designs, with an `order.cancelled` event. Cancelling twice changes nothing.
   *
   * Returns `undefined` for an order that came without custom items in the last 24 hours. If the shop has no such
   * order otherwise, because it has not come yet, the cancellation is kept for 24 hours: an order that is placed in
   * that time is cancelled in the same change. The result then has `keptUntil` instead of a `status`. Fails with
   * `NotFound` without the shop, or for an id that no order can have.
   */
  readonly cancel: (shop: string, id: string, options?: InTransaction) => Promise<Order | KeptCancellation | undefined>
  /**
   * Cancels a line of an order: its design is cancelled, with a `design.cancelled` event, and the order holds while
   * it has another ordered design. With the last one the whole order is cancelled. A design that is on other lines,
   * too, stays, and this line has no pieces from then on. Cancelling twice changes nothing.
   *
   * Fails with `NotFound` without the shop, the order or a line of it with a design.
   */
  readonly cancelLine: (shop: string, id: string, lineItemId: string, options?: InTransaction) => Promise<Order>
  /**
   * The order's lines that have a design, each with its quantity: how many pieces of the design must be made. A line
   * that the platform has removed has the quantity 0, a cancelled one keeps its own. Fails with `NotFound`.
   */
  readonly lines: (shop: string, id: string) => Promise<ReadonlyArray<OrderLine>>
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
  readonly list: (shop: string, query?: OrdersQuery) => Promise<OrderPage>
}

/** Connections of the shop to Shopify and WooCommerce, whose webhooks place and cancel orders. */
export interface Platforms {
  /** By the name of the platform, without secrets. Fails with `NotFound`. */
  readonly list: (shop: string) => Promise<ReadonlyArray<Platform>>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, platform: PlatformName) => Promise<Platform>
  /**
   * Connects the shop to a platform, or replaces the settings of its connection. `secret` and `accessKey` stay as
   * they are if they are left out; a secret that is replaced is good for `overlap` seconds more. Fails with
   * `NotFound`, `InvalidInput`, `Refused`, and `Conflict` if another shop has the domain.
   */
  readonly put: (
    shop: string,
    platform: PlatformName,
    input: PlatformInput,
    options?: InTransaction,
  ) => Promise<Platform>
  /** Removes a connection with its secrets; orders and events stay. Fails with `NotFound`. */
  readonly delete: (shop: string, platform: PlatformName, options?: InTransaction) => Promise<void>
}

/** The settings app, in which people manage a shop's tokens and webhooks. */
export interface Settings {
  /**
   * Makes a link that lets one person into the settings app, for this shop only. It shows a button that begins a
   * session of twelve hours, once. Fails with `NotFound` without the shop, `InvalidInput`, and `Conflict` without the
   * option `settings`.
   */
  readonly link: (shop: string, input: SettingsLinkInput) => Promise<SettingsLink>
}

/** Shops with separate data. */
export interface Shops {
  /** Creates a shop or replaces its settings; its contents stay. Fails with `InvalidInput`. */
  readonly put: (shop: string, input: ShopInput, options?: InTransaction) => Promise<Shop>
  /** Fails with `NotFound`. */
  readonly get: (shop: string) => Promise<Shop>
  /** All shops, by id. */
  readonly list: () => Promise<ReadonlyArray<Shop>>
  /**
   * Deletes a shop and everything in it; this can't be undone. If it fails with `Unavailable`, call it again. Fails
   * with `NotFound`.
   */
  readonly delete: (shop: string, options?: InTransaction) => Promise<void>
}

/** API tokens of a shop, for clients of its REST API. */
export interface Tokens {
  /**
   * Creates a token, without an end and with all scopes unless the input says otherwise; only this result has its
   * text. Fails with `NotFound` without the shop, `InvalidInput`, `Conflict` beyond the hundredth token,
   * `PlanRequired`.
   */
  readonly create: (shop: string, input: TokenInput, options?: InTransaction) => Promise<NewToken>
  /** Newest first. Fails with `NotFound` without the shop. */
  readonly list: (shop: string) => Promise<ReadonlyArray<Token>>
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
  readonly create: (shop: string, input: EndpointInput, options?: InTransaction) => Promise<NewEndpoint>
  /** Oldest first. Fails with `NotFound` without the shop. */
  readonly list: (shop: string) => Promise<ReadonlyArray<Endpoint>>
  /** Fails with `NotFound`. */
  readonly get: (shop: string, endpoint: string) => Promise<Endpoint>
  /**
   * Updates an endpoint's URL, kinds, description or headers. Fails with `NotFound`, `InvalidInput`, `Refused` as
   * {@link create}.
   */
  readonly update: (shop: string, endpoint: string, input: EndpointUpdate, options?: InTransaction) => Promise<Endpoint>
  /** Deletes an endpoint, and its pending deliveries. Fails with `NotFound`. */
  readonly delete: (shop: string, endpoint: string, options?: InTransaction) => Promise<void>
  /**
   * Pauses an endpoint: until it is enabled, its pending deliveries are held, and new events make none. One that is
   * off already stays as it is. Fails with `NotFound`.
   */
  readonly pause: (shop: string, endpoint: string, options?: InTransaction) => Promise<Endpoint>
  /** Enables an endpoint that is paused or switched off: its deliveries continue. Fails with `NotFound`. */
  readonly enable: (shop: string, endpoint: string, options?: InTransaction) => Promise<EnabledEndpoint>
  /**
   * Creates a new signing secret; only this result has it. The old one signs until {@link promote}, or until the
   * overlap ends. Fails with `NotFound`, `InvalidInput`.
   */
  readonly rotate: (
    shop: string,
    endpoint: string,
    input?: RotationInput,
    options?: InTransaction,
  ) => Promise<RotatedEndpoint>
  /**
   * Signs with the new secret from now on, and drops the old one. Changes nothing if no rotation is under way. Fails
   * with `NotFound`.
   */
  readonly promote: (shop: string, endpoint: string, options?: InTransaction) => Promise<Endpoint>
  /**
   * Sends a test event, once: the latest ordered design, or a `ping` if there is none. Fails with `NotFound`,
   * `PlanRequired`.
   */
  readonly test: (shop: string, endpoint: string, options?: InTransaction) => Promise<Delivery>
  /** The endpoint's newest 50 deliveries with every attempt, newest first. Fails with `NotFound`. */
  readonly deliveries: (shop: string, endpoint: string) => Promise<ReadonlyArray<Delivery>>
  /** A delivery with its body. Fails with `NotFound`. */
  readonly delivery: (shop: string, endpoint: string, delivery: string) => Promise<DeliveryWithBody>
  /**
   * Sends a delivery's body again, as a new delivery with the same event id. Fails with `NotFound`, `PlanRequired`.
   */
  readonly redeliver: (shop: string, endpoint: string, delivery: string, options?: InTransaction) => Promise<Delivery>
  /**
   * Attempts a pending delivery now instead of at the time of its retry; the retry schedule continues after it. Fails
   * with `NotFound`, `PlanRequired`, and with `Conflict` if an attempt is under way, if the delivery is finished, or
   * if the endpoint is paused or switched off.
   */
  readonly tryNow: (shop: string, endpoint: string, delivery: string, options?: InTransaction) => Promise<Delivery>
  /**
   * Sends the finished deliveries of the log that the input finds again, as new deliveries, at most one of an event;
   * none of an event that has a pending delivery. While `next` is not null, call it with the same input and this
   * `next` to continue. Fails with `NotFound`, `InvalidInput`, `PlanRequired`.
   *
   * @example
   * let next: string | undefined
   * do {
   *   const done = await designwire.webhooks.resend("acme", endpoint, { state: "failed", next })
   *   next = done.next ?? undefined
   * } while (next !== undefined)
   */
  readonly resend: (shop: string, endpoint: string, input: ResendInput, options?: InTransaction) => Promise<Resent>
  /**
   * Delivers kept events since a time (RFC 3339) that the endpoint has not received. Returns the number of new
   * deliveries. Fails with `NotFound`, `InvalidInput`, `PlanRequired`.
   */
  readonly recover: (
    shop: string,
    endpoint: string,
    input: RecoveryInput,
    options?: InTransaction,
  ) => Promise<{
    /** Number of new deliveries. */
    readonly deliveries: number
  }>
  /**
   * What the endpoint was sent, by the hour, and what is pending: of the last 24 hours, or of the hours from `from`
   * to `to` (RFC 3339). Hours are kept for 30 days. Fails with `NotFound`, `InvalidInput`.
   */
  readonly activity: (
    shop: string,
    endpoint: string,
    input?: { readonly from?: string | undefined; readonly to?: string | undefined },
  ) => Promise<Activity>
}

/** The query of {@link Audit.list}. */
export interface AuditQuery {
  /** Changes on a page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
  /** Only changes of things of a type, e.g. `endpoint`, or of one thing, e.g. `endpoint:whe_…`. */
  readonly subject?: string | undefined
  /** Only changes at this time (RFC 3339) or date, or later. */
  readonly from?: string | undefined
  /** Only changes before this time (RFC 3339) or date. */
  readonly to?: string | undefined
}

/** The query of {@link Designs.drafts}. */
export interface DesignsQuery {
  /** Which designs: drafts are listed; orders have the others. Default: draft. */
  readonly status?: "draft" | undefined
  /** Drafts on a page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
  /** Only drafts of this customizer, 1 to undefined. */
  readonly customizer?: number | undefined
  /** Only drafts that were not saved again since this time (RFC 3339) or date. */
  readonly savedBefore?: string | undefined
}

/** The query of {@link Events.list}. */
export interface EventsQuery {
  /**
   * pagination.nextCursor of an earlier page. Without it the feed begins with the oldest stored event. `latest`
   * begins with the next event.
   */
  readonly after?: string | undefined
  /** Events on a page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** Only events of these kinds. Default: all. */
  readonly types?: ReadonlyArray<EndpointKind> | undefined
}

/** The query of {@link Inbox.list}. */
export interface InboxQuery {
  /** Events on a page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
  /** Only events in this state. */
  readonly state?: "waiting" | "applied" | "ignored" | "failed" | "unpaid" | undefined
}

/** The query of {@link Orders.list}. */
export interface OrdersQuery {
  /** Orders on a page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** pagination.nextCursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * Only orders placed at or after this time: an RFC 3339 date-time with an offset or Z, or a date. Of the other
   * forms of ISO 8601 only the basic form and times without seconds are accepted.
   */
  readonly orderedAfter?: string | undefined
}

/** Attempts to deliver, in figures. */
export interface ActivityFigures {
  /** Deliveries that succeeded. */
  readonly succeeded: number
  /** Attempts that failed, also of deliveries that were given up. */
  readonly failedAttempts: number
  /** Deliveries that were given up after their last attempt. */
  readonly givenUp: number
  /** Half of the attempts took no longer, in milliseconds; 5,000 stands for more, too; `null` without attempts. */
  readonly p50Ms: number | null
  /** 95 % of the attempts took no longer, in milliseconds; 5,000 stands for more, too; `null` without attempts. */
  readonly p95Ms: number | null
}

/** The kind of change. */
export type AuditAction =
  | "shop.created"
  | "shop.changed"
  | "token.created"
  | "token.deleted"
  | "endpoint.created"
  | "endpoint.changed"
  | "endpoint.deleted"
  | "endpoint.paused"
  | "endpoint.enabled"
  | "endpoint.secret_rotated"
  | "endpoint.secret_promoted"
  | "endpoint.tested"
  | "endpoint.recovered"
  | "endpoint.failing"
  | "endpoint.switched_off"
  | "endpoint.resent"
  | "delivery.redelivered"
  | "delivery.tried"
  | "customizer.created"
  | "customizer.changed"
  | "customizer.published"
  | "order.cancellation_withdrawn"
  | "order.redacted"
  | "design.redacted"
  | "design.deleted"
  | "inbox.tried"
  | "inbox.placed"
  | "inbox.dismissed"
  | "platform.connected"
  | "platform.changed"
  | "platform.removed"
  | "platform.disconnected"
  | "platform.reconnected"

/** An event on its way to one endpoint. */
export interface Delivery {
  /** `dlv_…`, the same on every retry. */
  readonly id: string
  /** `evt_…`, the same on every retry and redelivery. */
  readonly eventId: string
  readonly event: "design.ordered" | "order.cancelled" | "design.created" | "design.cancelled" | "ping"
  readonly test: boolean
  /** `dropped`: not sent, because its endpoint no longer takes the kind. */
  readonly status: "pending" | "succeeded" | "failed" | "dropped"
  readonly createdAt: string
  /** `null` unless it is pending. */
  readonly nextAttemptAt: string | null
  /** Oldest first. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}

/** A webhook endpoint and how its deliveries go. */
export interface Endpoint {
  /** `whe_…`. */
  readonly id: string
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<EndpointKind>
  /** `paused` by its owner, or `switched_off` after 20 failed attempts in a row, until it is enabled. */
  readonly status: "active" | "paused" | "switched_off"
  readonly consecutiveFailures: number
  /** Since when it is paused or switched off; `null` while it is active. */
  readonly switchedOffAt: string | null
  readonly createdAt: string
  /** Whether deliveries have the headers of Standard Webhooks alongside the service's own. */
  readonly standardWebhooks: boolean
  /** The ids of the customizers whose designs it wants; `null` for all. */
  readonly customizers: ReadonlyArray<number> | null
  /** Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After`. */
  readonly heedRetryAfter: boolean
  /** Whether deliveries have whole designs and orders, or only their ids. */
  readonly payload: "full" | "reference"
  /** Whether deliveries about one order or unordered design go one at a time, in order. */
  readonly ordering: "none" | "object"
  /** The most attempts that begin in any second; `null` for any number. */
  readonly maxPerSecond: number | null
  /** The most attempts under way at the same time; `null` for as many as workers allow. */
  readonly maxConcurrent: number | null
  /** The names of the owner's own headers. */
  readonly headers: ReadonlyArray<string>
  /** The OAuth client, without its secret. */
  readonly oauth: OAuthClient | null
  /** Whose client certificate deliveries present, and when it ends. */
  readonly clientCertificate: {
    readonly subject: string
    readonly endsAt: string
  } | null
  /** While its signing secret is rotated: until when the old one signs. */
  readonly rotation: {
    readonly until: string
  } | null
}

/** A shop's plan: `free` has neither the REST API nor webhooks (§1, D8). */
export type Plan = "free" | "pro" | "plus"

/** An API token, after the one time that its text is shown. */
export interface Token {
  /** `tok_…`. */
  readonly id: string
  readonly name: string
  /** The token's last four characters. */
  readonly hint: string
  readonly createdAt: string
  /** Exact to about a minute; `null` if it was never used. */
  readonly lastUsedAt: string | null
  /** When it ends; `null` if it does not. */
  readonly expiresAt: string | null
  /** The parts of the REST API that it may read. */
  readonly scopes: ReadonlyArray<TokenScope>
}

/** A part of the REST API that a token may read. */
export type TokenScope = "orders:read" | "designs:read" | "customizers:read" | "events:read"

/** A page of changes, newest first. */
export interface AuditPage {
  readonly data: ReadonlyArray<AuditEntry>
  readonly pagination: {
    /** Page size applied. */
    readonly limit: number
    /** Pass as after for the next page; `null` on the last page. */
    readonly nextCursor: string | null
  }
}

/** The description of a customizer, apart from its definition. */
export interface CustomizerInput {
  /** 1 to 255 characters. */
  readonly title: string
  /** `gid://<platform>/Product/<numeric id>`. */
  readonly platformProductId: string
  /** An absolute `http(s)` URL: the layers' paths are relative to it. */
  readonly assetBase: string
}

/** The input of publishing. */
export interface PublishInput {
  readonly definition: Definition
}

/** A buyer's choices. */
export interface DesignInput {
  /** A published customizer of the shop. */
  readonly customizerId: number
  /**
   * Values by question id, as the question's type says: an answer's id, a list of them, `{ text }`, an upload's id or
   * a list of them.
   */
  readonly selection: Readonly<Record<string, unknown>>
  /** The product's price before the choices, in cents. */
  readonly basePrice: number
  /** When the buyer made it (RFC 3339). Default: now, or what the saved draft says already. */
  readonly createdAt?: string | undefined
}

/** A page of drafts, those saved last first. */
export interface DraftPage {
  readonly data: ReadonlyArray<{
    /** The design's id. */
    readonly id: string
    /** When the draft was last saved. */
    readonly savedAt: string
    /** A product as a buyer configured it. */
    readonly design: Design
  }>
  readonly pagination: {
    /** Page size applied. */
    readonly limit: number
    /** Pass as after for the next page; `null` on the last page. */
    readonly nextCursor: string | null
  }
}

/** A page of events of the shop's platform, newest first. */
export interface InboxPage {
  readonly data: ReadonlyArray<InboxEvent>
  readonly pagination: {
    /** Page size applied. */
    readonly limit: number
    /** Pass as after for the next page; `null` on the last page. */
    readonly nextCursor: string | null
  }
}

/** An event that a shop's platform has sent, and what became of it. */
export interface InboxEvent {
  /** `inb_…`. */
  readonly id: string
  readonly source: "shopify" | "woocommerce"
  /** The platform's name for this kind of event. */
  readonly topic: string
  /** The platform's id of the event; `null` if the platform sends none. */
  readonly eventId: string | null
  /** The order that the event is about; `null` if it is about none, or if the event can't be read. */
  readonly orderId: string | null
  /**
   * waiting: applied once that is possible; applied: carried out; ignored: there was nothing to do; failed: can't be
   * applied until something else changes; unpaid: its order waits for payment.
   */
  readonly state: "waiting" | "applied" | "ignored" | "failed" | "unpaid"
  /** Why it is in this state, as a sentence; `null` if there is nothing to say. */
  readonly reason: string | null
  /** The missing design that it waits for; `null` if it waits for none. */
  readonly designId: string | null
  /** When the platform last modified the order before it sent the event; `null` if the event does not say. */
  readonly modifiedAt: string | null
  readonly receivedAt: string
}

/** An order as the platform reports it. */
export interface OrderInput {
  /** 1 to 255 characters, e.g. `#1001`. */
  readonly name: string
  /** RFC 3339, e.g. `new Date().toISOString()`. */
  readonly orderedAt: string
  /** The order's lines that have a design. */
  readonly lines: ReadonlyArray<{
    readonly designId: string
    readonly lineItemId: string
    /** How many pieces of it. Default: 1, or what was placed before. */
    readonly quantity?: number
  }>
}

/** The result of cancelling an order that the shop does not have. */
export interface KeptCancellation {
  /** A sentence for people. */
  readonly message: string
  /** If the order is placed before this time, it is cancelled at once. */
  readonly keptUntil: string
}

/** A shop's connection to a platform, without its secrets. */
export interface Platform {
  /** A platform that a shop may be connected to. */
  readonly platform: PlatformName
  readonly domain: string
  /** Whether it has a secret of its own. */
  readonly hasSecret: boolean
  /** Until when its former secret is good as well; `null` without one. */
  readonly formerSecretUntil: string | null
  /** Whether it has a key of the platform's API. */
  readonly hasAccessKey: boolean
  /** `null`, here and below: as the service is configured. */
  readonly property: string | null
  readonly placed: ReadonlyArray<string> | null
  readonly payLater: ReadonlyArray<string> | null
  readonly tests: boolean | null
  readonly done: ReadonlyArray<string> | null
  readonly reorderCopies: boolean | null
  readonly createdAt: string
  readonly changedAt: string
  /** Since when the platform sends nothing more, e.g. because the app was uninstalled; `null` while it sends. */
  readonly disconnectedAt: string | null
  /** When the platform's API was last asked for orders that were changed; `null` before the first time. */
  readonly askedAt: string | null
  /** Why the platform's API does not answer; `null` while it does. */
  readonly trouble: string | null
  /** Topics of webhooks that the platform had, and that are gone or switched off. */
  readonly missingWebhooks: ReadonlyArray<string>
}

/** The input of connecting a shop to a platform. */
export interface PlatformInput {
  /**
   * Shopify: the domain that the shop was created with, `….myshopify.com`. WooCommerce: the address of the site, with
   * its path if it has one. No other shop may have it.
   */
  readonly domain: string
  /**
   * The secret that signs the webhooks, 16 to 255 characters. It is never shown again. Left out: the one it has, or
   * else the service's. `null`: only the service's.
   */
  readonly secret?: string | null | undefined
  /**
   * If `secret` replaces another one: the whole seconds for which the former one is good as well, 0 to 604800 (7
   * days). Default: 86400, a day.
   */
  readonly overlap?: number | undefined
  /**
   * The key of the platform's API: Shopify's access token, or `key:secret` of WooCommerce's REST API. It is never
   * shown again. Left out: the one it has. `null`: none.
   */
  readonly accessKey?: string | null | undefined
  /** The name of the line items' property that has the design's id. Default: `null`, as the service is configured. */
  readonly property?: string | null | undefined
  /**
   * States with which an order is placed: Shopify's states of payment, WooCommerce's states of orders. Default:
   * `null`, as the service is configured.
   */
  readonly placed?: ReadonlyArray<string> | null | undefined
  /**
   * Shopify: payment gateways that need no payment before production. Default: `null`, as the service is configured.
   */
  readonly payLater?: ReadonlyArray<string> | null | undefined
  /** Shopify: whether test orders are placed. Default: `null`, as the service is configured. */
  readonly tests?: boolean | null | undefined
  /** WooCommerce: states of orders that were made. Default: `null`, as the service is configured. */
  readonly done?: ReadonlyArray<string> | null | undefined
  /** Whether a reorder gets copies of its designs. Default: `null`, as the service is configured. */
  readonly reorderCopies?: boolean | null | undefined
}

/** For whom a link to the settings app is. */
export interface SettingsLinkInput {
  /** The person who gets the link, for the log of what they change. 1 to 255 characters. */
  readonly actor: string
  /** Until when it can be used (RFC 3339): at most 24 hours from now. Default: 15 minutes. */
  readonly expires?: string | undefined
  /** The page to begin with, e.g. `webhooks/new`. Default: the first page. */
  readonly next?: string | undefined
  /** Whether its session can look at everything and change nothing. Default: false. */
  readonly readOnly?: boolean | undefined
}

/** A link to the settings app. */
export interface SettingsLink {
  /** Opens the shop's pages, once. Only a path without the option `settings.url`. */
  readonly url: string
  /** Until when it can be used. Its session lasts twelve hours. */
  readonly expires: string
}

/** The input of putting a shop. */
export interface ShopInput {
  /** A lower-case host name, e.g. `shop.example.com`: what webhooks say of the shop. */
  readonly domain: string
  /** Three capital letters, e.g. `EUR` (ISO 4217). */
  readonly currency: string
  /** An absolute `http(s)` URL that the default addresses of pictures begin with. */
  readonly imageBase: string
  /** Default: `pro`. */
  readonly plan?: Plan | undefined
  /** Prices are rounded to a multiple of this number of cents. Default: 1. */
  readonly roundingStep?: number | undefined
}

/** A shop whose data is kept apart from every other's. */
export interface Shop {
  /** 1 to 63 lower-case letters, digits and hyphens. */
  readonly id: string
  readonly domain: string
  readonly currency: string
  /** A shop's plan: `free` has neither the REST API nor webhooks (§1, D8). */
  readonly plan: Plan
  readonly roundingStep: number
  readonly imageBase: string
}

/** The input of creating an API token. */
export interface TokenInput {
  /** 1 to 255 characters: the system that uses it. */
  readonly name: string
  /** When it ends, in RFC 3339, later than now; from then on it is refused. Default: `null`, never. */
  readonly expiresAt?: string | null | undefined
  /** The parts of the REST API that it may read, at least one (D77). Default: all. */
  readonly scopes?: ReadonlyArray<TokenScope> | undefined
}

/** An API token as it is answered when it is made, for the only time. */
export interface NewToken extends Token {
  /** `cmz_…`, to be sent as `Authorization: Bearer cmz_…`. */
  readonly token: string
}

/** The input of adding a webhook endpoint. */
export interface EndpointInput {
  /**
   * `https:`, with a public host (D34, D35), unless the options `allowHttp` and `allowNetworks` allow more; at most
   * 2,048 characters.
   */
  readonly url: string
  /** At least one kind. Default: `design.ordered` and `order.cancelled`. */
  readonly events?: ReadonlyArray<EndpointKind> | undefined
  /** At most 255 characters. */
  readonly description?: string | undefined
  /** Whether deliveries have the headers of Standard Webhooks alongside the service's own. Default: `false`. */
  readonly standardWebhooks?: boolean | undefined
  /**
   * The ids of the customizers whose designs it wants, 1 to 100; of an order, one such design is enough (D76).
   * Default: `null`, all.
   */
  readonly customizers?: ReadonlyArray<number> | null | undefined
  /**
   * Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After`, at most 24 hours (D71).
   * Default: `false`.
   */
  readonly heedRetryAfter?: boolean | undefined
  /** `reference` sends the ids of designs and orders instead of the objects (D72). Default: `full`. */
  readonly payload?: "full" | "reference" | undefined
  /** `object` sends deliveries about one order or unordered design one at a time, in order (D53). Default: `none`. */
  readonly ordering?: "none" | "object" | undefined
  /**
   * The most attempts that begin in any second, 1 to 1,000, over all workers; the others wait (D54). Default: `null`,
   * any number.
   */
  readonly maxPerSecond?: number | null | undefined
  /**
   * The most attempts under way at the same time, 1 to 8, over all workers; the others wait (D54). Default: `null`,
   * as many as workers allow.
   */
  readonly maxConcurrent?: number | null | undefined
  /**
   * Headers of the owner's own that deliveries have too, for a gateway or basic authentication, by their names: at
   * most 10 (D55). They are kept encrypted. Default: `null`, none.
   */
  readonly headers?: Readonly<Record<string, string>> | null | undefined
  /**
   * The OAuth 2.0 client whose access tokens deliveries have in `Authorization` (D55). Its secret is kept encrypted.
   * Default: `null`, none.
   */
  readonly oauth?: OAuthInput | null | undefined
  /**
   * The certificate that deliveries present to the receiver over TLS, and its key, as PEM (D55). They are kept
   * encrypted. Default: `null`, none.
   */
  readonly clientCertificate?: ClientCertificateInput | null | undefined
}

/** An endpoint as it is answered when it is added, for the only time with its secret. */
export interface NewEndpoint extends Endpoint {
  /** `whsec_…`: what the receiver verifies signatures with. */
  readonly secret: string
}

/** A change of an endpoint: what is left out stays as it is. */
export interface EndpointUpdate {
  readonly url?: string | undefined
  /** At least one kind. */
  readonly events?: ReadonlyArray<EndpointKind> | undefined
  /** At most 255 characters. */
  readonly description?: string | undefined
  /** Whether deliveries have the headers of Standard Webhooks alongside the service's own. */
  readonly standardWebhooks?: boolean | undefined
  /** The ids of the customizers whose designs it wants, 1 to 100; of an order, one such design is enough (D76). */
  readonly customizers?: ReadonlyArray<number> | null | undefined
  /**
   * Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After`, at most 24 hours (D71).
   */
  readonly heedRetryAfter?: boolean | undefined
  /** `reference` sends the ids of designs and orders instead of the objects (D72). */
  readonly payload?: "full" | "reference" | undefined
  /** `object` sends deliveries about one order or unordered design one at a time, in order (D53). */
  readonly ordering?: "none" | "object" | undefined
  /** The most attempts that begin in any second, 1 to 1,000, over all workers; the others wait (D54). */
  readonly maxPerSecond?: number | null | undefined
  /** The most attempts under way at the same time, 1 to 8, over all workers; the others wait (D54). */
  readonly maxConcurrent?: number | null | undefined
  /**
   * Headers of the owner's own that deliveries have too, for a gateway or basic authentication, by their names: at
   * most 10 (D55). They are kept encrypted.
   */
  readonly headers?: Readonly<Record<string, string>> | null | undefined
  /**
   * The OAuth 2.0 client whose access tokens deliveries have in `Authorization` (D55). Its secret is kept encrypted.
   */
  readonly oauth?: OAuthInput | null | undefined
  /**
   * The certificate that deliveries present to the receiver over TLS, and its key, as PEM (D55). They are kept
   * encrypted.
   */
  readonly clientCertificate?: ClientCertificateInput | null | undefined
}

/** An endpoint that was enabled. */
export interface EnabledEndpoint extends Endpoint {
  /** How many kept events it has missed since it was switched off: `recover` delivers them. */
  readonly missed: number
}

/** How a signing secret is replaced. */
export interface RotationInput {
  /**
   * Whole seconds for which the old secret still signs, 0 to 604800 (7 days). Default: 86400, a day. 0 replaces it at
   * once: for a secret that has leaked.
   */
  readonly overlap?: number | undefined
}

/** An endpoint as it is answered when its secret is rotated, for the only time with the new one. */
export interface RotatedEndpoint extends Endpoint {
  /** `whsec_…`: let the receiver verify with both until the old one no longer signs. */
  readonly secret: string
}

/** A delivery with what is sent. */
export interface DeliveryWithBody extends Delivery {
  /** JSON, to the byte. */
  readonly body: string
}

/** The finished deliveries to send again; `{}` finds all but tests. */
export interface ResendInput {
  readonly state?: "succeeded" | "failed" | "dropped" | undefined
  readonly kind?: "design.ordered" | "order.cancelled" | "design.created" | "design.cancelled" | "ping" | undefined
  /** Deliveries created at this time (RFC 3339) or later. */
  readonly from?: string | undefined
  /** Deliveries created before this time (RFC 3339). */
  readonly to?: string | undefined
  /** Whether tests are sent again, too. Default: false. */
  readonly tests?: boolean | undefined
  /** {@link Resent.next} of the call before, to continue. */
  readonly next?: string | undefined
}

/** How far deliveries were sent again. */
export interface Resent {
  /** The number of new deliveries. */
  readonly deliveries: number
  /** Continues with what is left; `null` once all are sent again. */
  readonly next: string | null
}

/** Since when an endpoint wants what it has missed. */
export interface RecoveryInput {
  /** Events that happened at this time (RFC 3339) or later. */
  readonly since: string
}

/** The attempts of an endpoint in a span of time, without tests, and its pending deliveries. */
export interface Activity extends ActivityFigures {
  readonly from: string
  readonly to: string
  /** Pending deliveries, whenever they were created. */
  readonly pending: number
  /** Hours with attempts, oldest first. */
  readonly hours: ReadonlyArray<
    ActivityFigures & {
      /** The hour's beginning, in UTC. */
      readonly at: string
    }
  >
}

/** One try to deliver an event. */
export interface DeliveryAttempt {
  /** From 1. */
  readonly number: number
  /** When it began. */
  readonly at: string
  /** `null` without a response in time. */
  readonly statusCode: number | null
  /** Whole milliseconds. */
  readonly durationMs: number
  /**
   * The first 1,024 bytes of the response's body as text; `null` without a response. With the errors `tls` and
   * `token` a sentence that says what failed.
   */
  readonly responseStart: string | null
  /** Why it got no response, or for `redirect` none that counts. */
  readonly error: AttemptError | null
}

/** An OAuth client without its secret. */
export interface OAuthClient {
  readonly tokenUrl: string
  readonly clientId: string
  readonly scope: string | null
  readonly audience: string | null
}

/** A change by a person or a key, or a change that the service made to an endpoint on its own. */
export interface AuditEntry {
  /** `aud_…`. */
  readonly id: string
  readonly at: string
  readonly actor: {
    /**
     * `person`: somebody in the settings app, or whom an application names. `key`: the management key. `application`:
     * the application around the library. `command`: the command line. `service`: the service itself.
     */
    readonly type: "person" | "key" | "application" | "command" | "service"
    /** At most 255 characters, as the session or the application names it. */
    readonly name: string
  }
  /** E.g. `endpoint.changed`. More may follow. */
  readonly action: AuditAction
  readonly subject: {
    readonly type: "shop" | "token" | "endpoint" | "delivery" | "customizer" | "order" | "design" | "inbox" | "platform"
    readonly id: string
  }
  /** The fields that changed, as they were; `null` if there was nothing before. Never with secrets. */
  readonly before: AuditFields | null
  /** The same fields, as they are since; `null` if there is nothing after. */
  readonly after: AuditFields | null
}

/** A platform that a shop may be connected to. */
export type PlatformName = "shopify" | "woocommerce"

/** OAuth 2.0 client credentials (RFC 6749 §4.4). */
export interface OAuthInput {
  /** The address that gives tokens: a URL that an endpoint could have, too. */
  readonly tokenUrl: string
  /** At most 255 visible ASCII characters. */
  readonly clientId: string
  /** At most 1,024 visible ASCII characters. */
  readonly clientSecret: string
  /** Scopes with one space between two of them, at most 1,024 characters. Default: `null`, the server's own. */
  readonly scope?: string | null
  /** For servers that want one, at most 1,024 visible ASCII characters. Default: `null`, none. */
  readonly audience?: string | null
}

/** A client certificate as PEM, each text of at most 16,384 characters. */
export interface ClientCertificateInput {
  /** The certificate, followed by its issuers if the receiver needs them. */
  readonly certificate: string
  /** The key, without a passphrase. */
  readonly key: string
}

/** Fields by name. */
export interface AuditFields {
  readonly [name: string]: string | number | boolean | ReadonlyArray<string> | null
}
