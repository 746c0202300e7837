/**
 * The inputs and results of {@link Designwire} beside the resources of the REST API, as plain types. Timestamps are ISO
 * 8601 with an offset, money is in minor units (cents) of the shop's currency. Optional fields of an input may also be
 * `undefined`. `Types.test.ts` holds them equal to the core's schemas, whose types would lead to `effect`.
 */
import type { AttemptError, EndpointKind } from "../../core/model/Resources.ts"

/** A shop's plan: `free` has neither the REST API nor webhooks (§1, D8). */
export type Plan = "free" | "pro" | "plus"

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

/** A store whose data is kept apart from every other's. */
export interface Shop {
  /** 1 to 63 lower-case letters, digits and hyphens. */
  readonly id: string
  readonly domain: string
  readonly currency: string
  readonly plan: Plan
  readonly roundingStep: number
  readonly imageBase: string
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

/** A buyer's choices. */
export interface DesignInput {
  /** A published customizer of the shop. */
  readonly customizerId: number
  /**
   * Values by question id, as the question's type says: an answer's id, a list of them, `{ text }`, an upload's id or a
   * list of them.
   */
  readonly selection: { readonly [question: string]: unknown }
  /** The product's price before the choices, in cents. */
  readonly basePrice: number
  /** When the buyer made it (RFC 3339). Default: now, or what the saved draft says already. */
  readonly createdAt?: string | undefined
}

/** An order as the platform reports it. */
export interface OrderInput {
  /** 1 to 255 characters, e.g. `#1001`. */
  readonly name: string
  /** RFC 3339, e.g. `new Date().toISOString()`. */
  readonly orderedAt: string
  /** The order's lines that have a design. */
  readonly lines: ReadonlyArray<{ readonly designId: string; readonly lineItemId: string }>
}

/** The result of cancelling an order that the shop does not have. */
export interface KeptCancellation {
  /** A sentence for people. */
  readonly message: string
  /** If the order is placed before this time, it is cancelled at once. */
  readonly keptUntil: string
}

/** Which orders to list. */
export interface OrdersQuery {
  /** Orders on the page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined
  /**
   * Only orders placed at or after this time: RFC 3339 with an offset or `Z`, or a date, which stands for 00:00 UTC.
   */
  readonly orderedAfter?: string | undefined
}

/** Which part of the feed to read. */
export interface EventsQuery {
  /**
   * The `nextCursor` of an earlier page, or `latest` to begin with the next event that happens. Default: begin with the
   * oldest that is kept.
   */
  readonly after?: string | undefined
  /** Events on the page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** Only events of these kinds: `design.ordered`, `order.cancelled`, `design.created`. Default: all. */
  readonly types?: ReadonlyArray<EndpointKind> | undefined
}

/** A part of the REST API that a token may read. */
export type TokenScope = "orders:read" | "designs:read" | "customizers:read" | "events:read"

/** The input of creating an API token. */
export interface TokenInput {
  /** 1 to 255 characters: the system that uses it. */
  readonly name: string
  /** When it ends, in RFC 3339, later than now; from then on it is refused. Default: `null`, never. */
  readonly expiresAt?: string | null | undefined
  /** The parts of the REST API that it may read, at least one (D77). Default: all. */
  readonly scopes?: ReadonlyArray<TokenScope> | undefined
}

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
  /** Whether deliveries have the headers of Standard Webhooks beside the service's own. Default: `false`. */
  readonly standardWebhooks?: boolean | undefined
  /**
   * The ids of the customizers whose designs it wants, 1 to 100; of an order, one such design is enough (D76). Default:
   * `null`, all.
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
   * The most attempts under way at the same time, 1 to 8, over all workers; the others wait (D54). Default: `null`, as
   * many as workers allow.
   */
  readonly maxConcurrent?: number | null | undefined
  /**
   * Headers of the owner's own that deliveries have too, for a gateway or basic authentication, by their names: at most
   * 10 (D55). They are kept encrypted. Default: `null`, none.
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

/** A client certificate as PEM, each text of at most 16,384 characters. */
export interface ClientCertificateInput {
  /** The certificate, followed by its issuers if the receiver needs them. */
  readonly certificate: string
  /** The key, without a passphrase. */
  readonly key: string
}

/** OAuth 2.0 client credentials (RFC 6749 §4.4). */
export interface OAuthInput {
  /** Where tokens are requested: a URL that an endpoint could have, too. */
  readonly tokenUrl: string
  /** At most 255 visible ASCII characters. */
  readonly clientId: string
  /** At most 1,024 visible ASCII characters. */
  readonly clientSecret: string
  /** Scopes with one space between two of them, at most 1,024 characters. Default: `null`, those of the server. */
  readonly scope?: string | null
  /** For servers that want one, at most 1,024 visible ASCII characters. Default: `null`, none. */
  readonly audience?: string | null
}

/** A change of an endpoint: what is left out stays as it is. */
export interface EndpointUpdate {
  readonly url?: string | undefined
  readonly events?: ReadonlyArray<EndpointKind> | undefined
  readonly description?: string | undefined
  readonly standardWebhooks?: boolean | undefined
  readonly customizers?: ReadonlyArray<number> | null | undefined
  readonly heedRetryAfter?: boolean | undefined
  readonly payload?: "full" | "reference" | undefined
  readonly ordering?: "none" | "object" | undefined
  readonly maxPerSecond?: number | null | undefined
  readonly maxConcurrent?: number | null | undefined
  readonly headers?: Readonly<Record<string, string>> | null | undefined
  readonly oauth?: OAuthInput | null | undefined
  readonly clientCertificate?: ClientCertificateInput | null | undefined
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
  /** Whether deliveries have the headers of Standard Webhooks beside the service's own. */
  readonly standardWebhooks: boolean
  /** The ids of the customizers whose designs it wants; `null` for all. */
  readonly customizers: ReadonlyArray<number> | null
  /** Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After`. */
  readonly heedRetryAfter: boolean
  /** Whether deliveries have whole designs and orders, or their ids alone. */
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
  readonly clientCertificate: { readonly subject: string; readonly endsAt: string } | null
  /** While its signing secret is rotated: until when the old one signs. */
  readonly rotation: { readonly until: string } | null
}

/** An OAuth client without its secret. */
export interface OAuthClient {
  readonly tokenUrl: string
  readonly clientId: string
  readonly scope: string | null
  readonly audience: string | null
}

/** An endpoint as it is answered when it is added, for the only time with its secret. */
export interface NewEndpoint extends Endpoint {
  /** `whsec_…`: what the receiver verifies signatures with. */
  readonly secret: string
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

/** An endpoint that was enabled. */
export interface EnabledEndpoint extends Endpoint {
  /** How many kept events it has missed since it was switched off: `recover` delivers them. */
  readonly missed: number
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
   * The first 1,024 bytes of the response's body as text; `null` without a response. With the errors `tls` and `token`
   * a sentence that says what failed.
   */
  readonly responseStart: string | null
  /** Why it got no response, or for `redirect` none that counts. */
  readonly error: AttemptError | null
}

/** An event on its way to one endpoint. */
export interface Delivery {
  /** `dlv_…`, the same on every retry. */
  readonly id: string
  /** `evt_…`, the same on every retry and redelivery. */
  readonly eventId: string
  readonly event: EndpointKind | "ping"
  readonly test: boolean
  /** `dropped`: not sent, because its endpoint no longer takes the kind. */
  readonly status: "pending" | "succeeded" | "failed" | "dropped"
  readonly createdAt: string
  /** `null` unless it is pending. */
  readonly nextAttemptAt: string | null
  /** Oldest first. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}

/** The finished deliveries to send again; `{}` finds all but tests. */
export interface ResendInput {
  readonly state?: "succeeded" | "failed" | "dropped" | undefined
  readonly kind?: EndpointKind | "ping" | undefined
  /** Deliveries created at this time (RFC 3339) or later. */
  readonly from?: string | undefined
  /** Deliveries created before this time (RFC 3339). */
  readonly to?: string | undefined
  /** Whether tests are sent again, too. Default: false. */
  readonly tests?: boolean | undefined
  /** {@link Resent.next} of the call before, to go on. */
  readonly next?: string | undefined
}

/** How far deliveries were sent again. */
export interface Resent {
  /** The number of new deliveries. */
  readonly deliveries: number
  /** Goes on with what is left; `null` once all are sent again. */
  readonly next: string | null
}

/** A delivery with what is sent. */
export interface DeliveryWithBody extends Delivery {
  /** JSON, to the byte. */
  readonly body: string
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
  /** Opens the store's pages, once. Only a path without the option `settings.url`. */
  readonly url: string
  readonly expires: string
}

/** Attempts to deliver, in figures. */
export interface ActivityFigures {
  /** Deliveries that succeeded. */
  readonly succeeded: number
  /** Attempts that failed, including attempts of given up deliveries. */
  readonly failedAttempts: number
  /** Deliveries that were given up after their last attempt. */
  readonly givenUp: number
  /** Half of the attempts took no longer, in milliseconds, about; `null` without attempts. */
  readonly p50Ms: number | null
  /** 95 % of the attempts took no longer, in milliseconds, about; `null` without attempts. */
  readonly p95Ms: number | null
}

/** The attempts of an endpoint in a span of time, and its pending deliveries. Durations are approximate. */
export interface Activity extends ActivityFigures {
  readonly from: string
  readonly to: string
  /** Pending deliveries, whenever they were created. */
  readonly pending: number
  /** Hours with attempts by their beginning, oldest first. */
  readonly hours: ReadonlyArray<ActivityFigures & { readonly at: string }>
}

/** Which events of the shop's platform to list. */
export interface InboxQuery {
  /** Only events in this state. */
  readonly state?: InboxEvent["state"] | undefined
  /** Events on the page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
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
   * `waiting`: applied once that is possible. `applied`: carried out. `ignored`: there was nothing to do. `failed`:
   * can't be applied until something else changes.
   */
  readonly state: "waiting" | "applied" | "ignored" | "failed"
  /** Why it is in this state, as a sentence; `null` if there is nothing to say. */
  readonly reason: string | null
  /** The missing design that it waits for; `null` if it waits for none. */
  readonly designId: string | null
  /** When the platform last modified the order before it sent the event; `null` if the event does not say. */
  readonly modifiedAt: string | null
  readonly receivedAt: string
}

/** A page of events of the shop's platform, newest first. */
export interface InboxPage {
  readonly data: ReadonlyArray<InboxEvent>
  readonly pagination: {
    readonly limit: number
    /** The `after` of the next page; `null` on the last. */
    readonly nextCursor: string | null
  }
}

/** Which changes to list. */
export interface AuditQuery {
  /** Changes on the page, 1 to 100. Default: 25. */
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

/** A change by a person or a key, or a change that the service made to an endpoint on its own. */
export interface AuditEntry {
  /** `aud_…`. */
  readonly id: string
  readonly at: string
  readonly actor: {
    /** `application`: you, without an `actor`. `key`: the management key. `service`: the service itself. */
    readonly type: "person" | "key" | "application" | "command" | "service"
    readonly name: string
  }
  /** E.g. `endpoint.changed`. More may follow. */
  readonly action: AuditAction
  readonly subject: {
    readonly type: "shop" | "token" | "endpoint" | "delivery" | "customizer" | "order" | "design" | "inbox"
    readonly id: string
  }
  /** The fields that changed, as they were; `null` if there was nothing before. Never with secrets. */
  readonly before: AuditFields | null
  /** The same fields, as they are since; `null` if there is nothing after. */
  readonly after: AuditFields | null
}

/** Fields by name. */
export interface AuditFields {
  readonly [name: string]: string | number | boolean | null | ReadonlyArray<string>
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

/** A page of changes, newest first. */
export interface AuditPage {
  readonly data: ReadonlyArray<AuditEntry>
  readonly pagination: {
    readonly limit: number
    /** The `after` of the next page; `null` on the last. */
    readonly nextCursor: string | null
  }
}

/** What {@link Designwire.drain} did. */
export interface Drained {
  /** Attempts that it made. */
  readonly attempts: number
  /** Those that the receiver answered with success. */
  readonly succeeded: number
}
