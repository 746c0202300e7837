import { Schema } from "effect"
import { format, type Instant, Timestamp } from "../Instant.ts"
import { named, noted } from "../Means.ts"
import { Pagination } from "../Page.ts"
import { Actor } from "./Actor.ts"

/** Entries are kept for 400 days, in milliseconds (D59). */
export const auditRetention = 400 * 24 * 60 * 60 * 1000

/** What entries are about. */
export const SubjectType = Schema.Literals([
  ...(["shop", "token", "endpoint", "delivery", "customizer", "order", "design", "inbox", "platform"] as const),
])
export type SubjectType = typeof SubjectType.Type

/** The kinds of change. Later versions may add more. */
export const AuditAction = named(
  "AuditAction",
  "The kind of change.",
  Schema.Literals([
    ...(["shop.created", "shop.changed", "token.created", "token.deleted"] as const),
    ...(["endpoint.created", "endpoint.changed", "endpoint.deleted", "endpoint.paused", "endpoint.enabled"] as const),
    ...(["endpoint.secret_rotated", "endpoint.secret_promoted", "endpoint.tested", "endpoint.recovered"] as const),
    ...(["endpoint.failing", "endpoint.switched_off", "endpoint.resent"] as const),
    ...(["delivery.redelivered", "delivery.tried"] as const),
    ...(["customizer.created", "customizer.changed", "customizer.published"] as const),
    ...([
      "order.cancellation_withdrawn",
      "order.redacted",
      "design.redacted",
      "design.deleted",
      "inbox.tried",
      "inbox.placed",
      "inbox.dismissed",
      "platform.connected",
      "platform.changed",
      "platform.removed",
      "platform.disconnected",
      "platform.reconnected",
    ] as const),
  ]),
)
export type AuditAction = typeof AuditAction.Type

/** Fields of a thing, never with secrets: a new secret is only `"rotated"`, and a URL has no values in its query. */
export type AuditFields = { readonly [name: string]: AuditValue }
export type AuditValue = string | number | boolean | null | ReadonlyArray<string>

/** A change of a shop's data by a person or a key, as it is kept (D59). */
export interface AuditEntry {
  readonly shop: string
  /** `aud_…`. */
  readonly id: string
  readonly at: Instant
  readonly actor: Actor
  readonly action: AuditAction
  readonly subject: { readonly type: SubjectType; readonly id: string }
  /** The fields that changed, as they were; `null` if there was nothing before. */
  readonly before: AuditFields | null
  /** The same fields, as they are since; `null` if there is nothing after. */
  readonly after: AuditFields | null
}

/**
 * Says what a change was, from the records before and after it: `null` for nothing. Returns `null` for a change that
 * changes nothing. Pure: a store calls it within the change's transaction, any number of times.
 */
export type Audited<A> = (before: A | null, after: A | null) => AuditEntry | null

/** The end of a page of entries: the last entry on it. */
export interface AuditPosition {
  readonly at: Instant
  readonly id: string
}

const Fields = Schema.NullOr(
  named(
    "AuditFields",
    "Fields by name.",
    Schema.Record(
      Schema.String,
      Schema.NullOr(Schema.Union([Schema.String, Schema.Number, Schema.Boolean, Schema.Array(Schema.String)])),
    ),
  ),
)

/** An entry as its readers see it. */
export const AuditView = Schema.Struct({
  id: noted("`aud_…`.", Schema.String),
  at: Timestamp,
  actor: Actor,
  action: noted("E.g. `endpoint.changed`. More may follow.", AuditAction),
  subject: Schema.Struct({ type: SubjectType, id: Schema.String }),
  before: noted(
    "The fields that changed, as they were; `null` if there was nothing before. Never with secrets.",
    Fields.annotate({ description: "The fields that changed, as they were; null if there was nothing before" }),
  ),
  after: Fields.annotate({ description: "The same fields, as they are since; null if there is nothing after" }),
})
export type AuditView = typeof AuditView.Type

/** An entry as its readers see it. */
export const view = ({ action, actor, after, at, before, id, subject }: AuditEntry): AuditView => ({
  id,
  at: format(at),
  actor,
  action,
  subject,
  before,
  after,
})

/** A page of entries, newest first. */
export const AuditPage = Schema.Struct({
  data: Schema.Array(
    AuditView.annotate({
      identifier: "AuditEntry",
      documentation: "A change by a person or a key, or a change that the service made to an endpoint on its own.",
    }),
  ),
  pagination: Pagination,
}).annotate({ identifier: "AuditPage", documentation: "A page of changes, newest first." })
export type AuditPage = typeof AuditPage.Type
