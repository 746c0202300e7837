/**
 * The resources of the REST API and of webhooks (§2) as plain types. Money is in minor units (cents) of the shop's
 * currency, timestamps are ISO 8601 with an offset.
 *
 * They repeat the types of the schemas alongside this file, because a type that is derived from a schema leads to the
 * types of `effect`, and programs that use `designwire/client`, `/receiver` or `/embed` need not have it.
 * `Resources.test.ts` holds the two equal.
 */

/** A configuration of a product (§2.1). */
export interface Design {
  readonly id: string
  readonly status: "draft" | "ordered" | "cancelled"
  readonly customizer: { readonly id: number; readonly title: string; readonly version: number }
  /** `null` until the design is ordered. */
  readonly order: { readonly id: string; readonly name: string; readonly lineItemId: string } | null
  /** Raw choices, keyed by question id. */
  readonly selection: { readonly [question: string]: unknown }
  /** The answers in the shopper's words, in question order. */
  readonly summary: ReadonlyArray<{ readonly key: string; readonly value: string | ReadonlyArray<string> }>
  /** The answers in production codes, in question order: `values` for multiple choice, `value` for anything else. */
  readonly productionData: ReadonlyArray<
    | {
        readonly key: string
        readonly value: string
        readonly ref?: { readonly questionId: string; readonly answerId: string }
      }
    | {
        readonly key: string
        readonly values: ReadonlyArray<string>
        readonly ref?: { readonly questionId: string; readonly answerIds: ReadonlyArray<string> }
      }
  >
  /** `total` = `base` + the lines + `rounding`, in cents. */
  readonly price: {
    readonly base: number
    /** What each chosen answer adds: question, answer, cents. */
    readonly lines: ReadonlyArray<{
      readonly q: string
      readonly a: string
      readonly amount: number
      readonly variantId: string | number | null
    }>
    readonly rounding: number
    readonly total: number
    readonly currency: string
  }
  /** One URL per view, keyed by view name. */
  readonly images: { readonly [view: string]: string }
  readonly thumbnail: string
  readonly createdAt: string
  /** `null` until the design is ordered. */
  readonly orderedAt: string | null
}

/** An order and its designs (§2.2). */
export interface Order {
  readonly id: string
  readonly name: string
  readonly status: "ordered" | "cancelled"
  readonly currency: string
  /** The sum of its designs' totals, in cents. */
  readonly total: number
  readonly orderedAt: string
  readonly designs: ReadonlyArray<Design>
}

/** A page of orders, newest first (§2.4). */
export interface OrderPage {
  readonly data: ReadonlyArray<Order>
  readonly pagination: {
    /** All orders that match, on this page or not. */
    readonly total: number
    /** The page size that was asked for. A page of very large orders has fewer (D46). */
    readonly limit: number
    /** The next page's `cursor`; `null` on the last page. */
    readonly nextCursor: string | null
  }
}

/** A line of an order, with its design and how many pieces of it must be made. */
export interface OrderLine {
  readonly lineItemId: string
  readonly designId: string
  /** The design of which this one is a copy, for a reorder; `null` for the buyer's own. */
  readonly copyOf: string | null
  /** As reported last; 0 once the platform has removed the line. */
  readonly quantity: number
  readonly status: "draft" | "ordered" | "cancelled"
}

interface Envelope<Kind extends string, Data> {
  /** Unchanged across retries, redeliveries and the feed: drop what you have seen. */
  readonly id: string
  readonly event: Kind
  readonly apiVersion: "2026-10"
  readonly createdAt: string
  /** The domain of the shop. */
  readonly shop: string
  readonly data: Data
  readonly test: boolean
}

/** An event kind that an endpoint can receive (§6). */
export type EndpointKind = "design.ordered" | "order.cancelled" | "design.created" | "design.cancelled"

/** Something that happened, as webhooks and the feed carry it (§2.5, §6). */
export type FeedEvent =
  | Envelope<"design.ordered", { readonly design: Design }>
  | Envelope<"design.created", { readonly design: Design }>
  | Envelope<"design.cancelled", { readonly design: Design }>
  | Envelope<"order.cancelled", { readonly order: Order }>

/** A page of the event feed, oldest first (D39). */
export interface EventPage {
  readonly data: ReadonlyArray<FeedEvent>
  readonly pagination: {
    /** The page size that was asked for. A page of very large events has fewer (D46). */
    readonly limit: number
    /** Where to continue, now or later: the next page's `after`. */
    readonly nextCursor: string
    /** Whether there are more already. */
    readonly hasMore: boolean
  }
}

/** A configurable product (§2.3). */
export interface Customizer {
  readonly id: number
  readonly title: string
  readonly status: "draft" | "published"
  /** `gid://<platform>/Product/<numeric id>`. */
  readonly platformProductId: string
  /** Counts published versions; `null` until the first is published. */
  readonly version: number | null
  /** The layers' paths are relative to it. */
  readonly assetBase: string
  /** The published version; `null` until the first is published. */
  readonly definition: Definition | null
}

/** The questions to the buyer, and the meaning of each answer for order, production and price (§2.3). */
export interface Definition {
  readonly schemaVersion: 1
  readonly steps: readonly [DefinitionStep, ...DefinitionStep[]]
  /** In the order of `summary` and `productionData`. */
  readonly questions: ReadonlyArray<DefinitionQuestion>
  readonly rules: ReadonlyArray<DefinitionRule>
}

/** A page of the customizer, which shows a view. */
export interface DefinitionStep {
  readonly id: string
  readonly title: string
  readonly view: string
  /** Rectangles in pixels of the view. */
  readonly printAreas?: ReadonlyArray<{
    readonly id: string
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }>
}

/** An answer of a single or multiple question. */
export interface DefinitionAnswer {
  readonly id: string
  readonly title: string
  /** Its value in `summary`; the title when left out. */
  readonly orderValue?: string
  readonly productionCode: string
  /** Cents, may be negative; 0 when left out. */
  readonly price?: number
  readonly variantId?: string | number | null
  /** Pictures that it puts on views; `path` is relative to the customizer's `assetBase`. */
  readonly layers?: ReadonlyArray<{ readonly view: string; readonly path: string }>
}

interface QuestionBase {
  readonly id: string
  /** The id of the step that it is asked in. */
  readonly step: string
  readonly title: string
  readonly hidden?: boolean
  readonly required?: boolean
  /** Its key in `summary`; the title when left out. */
  readonly orderKey?: string
  /** Its key in `productionData`; the id when left out. */
  readonly productionKey?: string
  readonly printArea?: string
}

type Answers = readonly [DefinitionAnswer, ...DefinitionAnswer[]]

/** Exactly one of the answers. */
interface SingleQuestion extends QuestionBase {
  readonly type: "single"
  readonly answers: Answers
  readonly min?: never
  readonly max?: never
  readonly maxLength?: never
  readonly price?: never
}

/** Between `min` and `max` of the answers. */
interface MultipleQuestion extends QuestionBase {
  readonly type: "multiple"
  readonly answers: Answers
  /** The smallest number of answers; 0 when left out. */
  readonly min?: number
  /** The largest number of answers; all when left out. */
  readonly max?: number
  readonly maxLength?: never
  readonly price?: never
}

/** A text of at most `maxLength` code points. */
interface TextQuestion extends QuestionBase {
  readonly type: "text"
  readonly answers?: readonly []
  readonly min?: never
  readonly max?: never
  /** 255 when left out. */
  readonly maxLength?: number
  /** Cents, charged once when it is answered; 0 when left out. */
  readonly price?: number
}

/** Between `min` and `max` files. */
interface UploadQuestion extends QuestionBase {
  readonly type: "upload"
  readonly answers?: readonly []
  /** The smallest number of files; 0 when left out. */
  readonly min?: number
  /** The largest number of files; 1 when left out. */
  readonly max?: number
  readonly maxLength?: never
  /** Cents, charged once when it is answered; 0 when left out. */
  readonly price?: number
}

/** A question to the buyer; its `type` decides its form. */
export type DefinitionQuestion = SingleQuestion | MultipleQuestion | TextQuestion | UploadQuestion

/** The condition of a rule: exactly one of the five forms. */
export type DefinitionCondition =
  | { readonly question: string; readonly is: string }
  | { readonly question: string; readonly answered: boolean }
  | { readonly all: ReadonlyArray<DefinitionCondition> }
  | { readonly any: ReadonlyArray<DefinitionCondition> }
  | { readonly not: DefinitionCondition }

/** While `when` holds, shows and hides questions and disables answers. */
export interface DefinitionRule {
  readonly id: string
  readonly when: DefinitionCondition
  readonly show?: ReadonlyArray<string>
  readonly hide?: ReadonlyArray<string>
  readonly disable?: ReadonlyArray<{ readonly question: string; readonly answers: ReadonlyArray<string> }>
}

/**
 * Why an attempt got no response, or for `redirect` none that counts. With `token` nothing was sent, because the
 * endpoint's token URL gave no access token.
 */
export type AttemptError = "dns" | "connect" | "tls" | "timeout" | "redirect" | "address_refused" | "reset" | "token"

/**
 * Kinds of notices to owners: an endpoint has failed 10 times in a row; it was switched off; a delivery was given up,
 * because its last attempt failed (D42); an API token ends within seven days (D77); events of a shop platform that were
 * not applied were dropped (D57).
 */
export type NoticeKind = Notice["notice"]

/** Something that the owner of a shop should know. */
export type Notice = DeliveryNotice | TokenNotice | InboxNotice | PlatformEventNotice | PlatformNotice

interface AnyNotice {
  /** `ntc_…`, the same each time it is sent. */
  readonly id: string
  /** The shop's id. */
  readonly shop: string
}

/** A notice about an endpoint and its deliveries. */
export interface DeliveryNotice extends AnyNotice {
  readonly notice: "endpoint.failing" | "endpoint.switched_off" | "delivery.given_up"
  /** When the attempt ended that brought it about. */
  readonly createdAt: string
  /** The endpoint, and how many attempts in a row had failed by then. */
  readonly endpoint: { readonly id: string; readonly url: string; readonly consecutiveFailures: number }
  /**
   * The delivery that was attempted, and how its last attempt ended: without a response `statusCode` is `null`, and
   * `error` says why.
   */
  readonly delivery: {
    readonly id: string
    readonly event: EndpointKind | "ping"
    readonly attempts: number
    readonly statusCode: number | null
    readonly error: AttemptError | null
  }
}

/** A notice about an API token that ends. */
export interface TokenNotice extends AnyNotice {
  readonly notice: "token.ending"
  /** Seven days before the end, or when the token was created, if that was later. */
  readonly createdAt: string
  /** The token: `hint` is its last four characters. */
  readonly token: { readonly id: string; readonly name: string; readonly hint: string; readonly expiresAt: string }
}

/** A notice about events of a shop's platform that were dropped after 30 days, and were never applied. */
export interface InboxNotice extends AnyNotice {
  readonly notice: "inbox.dropped"
  /** When they were dropped. */
  readonly createdAt: string
  readonly inbox: {
    /** How many were dropped. */
    readonly events: number
    /** The first of them that came: what it was about, and why it was not applied. */
    readonly oldest: NoticedEvent & { readonly state: "waiting" | "failed" }
  }
}

/** An event of a shop's platform in a notice. */
interface NoticedEvent {
  readonly id: string
  readonly source: "shopify" | "woocommerce"
  readonly topic: string
  readonly orderId: string | null
  readonly reason: string | null
  readonly receivedAt: string
}

/**
 * A notice about events of a shop's platform that have failed, or that have waited for long: one for each shop, kind
 * and hour at most. It has the oldest that no notice has reported yet.
 */
export interface PlatformEventNotice extends AnyNotice {
  readonly notice: "inbox.failed" | "inbox.waiting"
  /** When that was seen. */
  readonly createdAt: string
  /** `waiting`: for a design, for 15 minutes; `unpaid`: for payment, for 24 hours. */
  readonly inbox: NoticedEvent & {
    readonly state: "failed" | "waiting" | "unpaid"
    /** How many events of the shop are in such trouble now, this one included. */
    readonly events: number
    /** The ids of the first orders that the new ones among them are about, 10 at most. */
    readonly orders: ReadonlyArray<string>
  }
}

/**
 * A notice that a shop's platform sends nothing more: its app was uninstalled, or its webhooks were removed or switched
 * off; or that it no longer accepts the access key, so that lost orders are not found.
 */
export interface PlatformNotice extends AnyNotice {
  readonly notice: "platform.disconnected"
  /** When that was, or was seen. */
  readonly createdAt: string
  readonly platform: {
    readonly name: "shopify" | "woocommerce"
    readonly domain: string
    /** A sentence; `null`, or missing in notices of earlier versions, if the platform has ended the connection. */
    readonly reason?: string | null
  }
}
