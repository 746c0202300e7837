import { Schema } from "effect"
import { EndpointKind } from "../events/Event.ts"
import { EndpointStatus, type Health } from "../Health.ts"
import { DateTime, format, type Instant, Timestamp } from "../Instant.ts"
import { noted } from "../Means.ts"
import { storable } from "../Text.ts"
import { type EndpointOptions, optionInputs, optionViews, viewOptions } from "./EndpointOptions.ts"
import { maximumUrl } from "./HostPolicy.ts"

/** A store has at most this many endpoints (§8). */
export const maximumEndpoints = 5

const Kinds = Schema.Array(EndpointKind).check(
  Schema.makeFilter((kinds) => kinds.length > 0 && new Set(kinds).size === kinds.length, {
    expected: "a list of at least one event kind, none of them twice",
  }),
)

const EndpointUrl = storable(1, maximumUrl).annotate({
  // A query may have a secret.
  unrepeated: true,
  expected: `a URL of 1 to ${maximumUrl} characters, e.g. https://erp.example.com/webhooks`,
})

const optional = {
  events: noted("At least one kind. Default: `design.ordered` and `order.cancelled`.", Schema.optionalKey(Kinds)),
  description: noted("At most 255 characters.", Schema.optionalKey(storable(0, 255))),
  standardWebhooks: noted(
    "Whether deliveries have the headers of Standard Webhooks alongside the service's own. Default: `false`.",
    Schema.optionalKey(Schema.Boolean),
  ),
  ...optionInputs,
}

/**
 * What an endpoint is made from; `events` defaults to the first two kinds (D31), `description` to `""`,
 * `standardWebhooks` to `false` (D41), and the others to `EndpointOptions.usualOptions`. Whether the URL's host is
 * public is for `rules/PublicHost` to say.
 */
export const EndpointInput = Schema.Struct({
  url: noted(
    "`https:`, with a public host (D34, D35), unless the options `allowHttp` and `allowNetworks` allow more; at most " +
      "2,048 characters.",
    EndpointUrl,
  ),
  ...optional,
}).annotate({ documentation: "The input of adding a webhook endpoint." })
export type EndpointInput = typeof EndpointInput.Type

/** A change of an endpoint: what is left out stays as it is. */
export const EndpointUpdate = Schema.Struct({ url: Schema.optionalKey(EndpointUrl), ...optional }).annotate({
  documentation: "A change of an endpoint: what is left out stays as it is.",
})
export type EndpointUpdate = typeof EndpointUpdate.Type

/** Since when an endpoint wants what it has missed: events that happened at this time (RFC 3339) or later. */
export const RecoveryInput = Schema.Struct({
  since: noted("Events that happened at this time (RFC 3339) or later.", DateTime),
}).annotate({ documentation: "Since when an endpoint wants what it has missed." })
export type RecoveryInput = typeof RecoveryInput.Type

/** The longest overlap of a rotation in seconds: 7 days (D40). */
const maximumOverlap = 604_800

const seconds = { expected: `a number of whole seconds, 0 to ${maximumOverlap} (7 days)` }

/**
 * How a signing secret is replaced: for `overlap` seconds the old one still signs (D40), by default for a day; 0
 * replaces it at once.
 */
export const RotationInput = Schema.Struct({
  overlap: noted(
    "Whole seconds for which the old secret still signs, 0 to 604800 (7 days). Default: 86400, a day. 0 replaces it " +
      "at once: for a secret that has leaked.",
    Schema.optionalKey(
      Schema.Number.check(Schema.isInt(seconds), Schema.isBetween({ minimum: 0, maximum: maximumOverlap }, seconds)),
    ),
  ),
}).annotate({ documentation: "How a signing secret is replaced." })
export type RotationInput = typeof RotationInput.Type

/** The signing secrets of an endpoint. They are kept encrypted, never as they are (D20). */
export interface SigningSecrets {
  /** The signing secret; while a rotation runs, the old one. */
  readonly secret: string
  /** Since when it signs; `null` if no other one did before. */
  readonly secretSince: Instant | null
  /**
   * The new secret, and when it takes the place of the old one (D40). It may be over: what holds at an instant is for
   * `rules/SecretRotation` to say.
   */
  readonly rotation: { readonly secret: string; readonly until: Instant } | null
}

/** A webhook endpoint as it is kept. */
export interface EndpointRecord extends Health, SigningSecrets {
  readonly shop: string
  /** `whe_…`. */
  readonly id: string
  readonly url: string
  /** The owner's own words, `""` without any. */
  readonly description: string
  /** The event kinds that it receives, at least one, none twice. */
  readonly kinds: ReadonlyArray<EndpointKind>
  readonly createdAt: Instant
  /** Whether its deliveries have the headers of Standard Webhooks alongside the service's own (D41). */
  readonly standardWebhooks: boolean
  readonly options: EndpointOptions
}

/** A rotation as the owner sees it: until when the old secret signs. */
const Rotation = Schema.Struct({ until: Timestamp })

/** An endpoint as its owner sees it: everything but its secrets. `rotation` is `null` while there is only one. */
export const Endpoint = Schema.Struct({
  id: noted("`whe_…`.", Schema.String),
  url: Schema.String,
  description: Schema.String,
  events: Schema.Array(EndpointKind),
  status: noted(
    "`paused` by its owner, or `switched_off` after 20 failed attempts in a row, until it is enabled.",
    EndpointStatus,
  ),
  consecutiveFailures: Schema.Int,
  switchedOffAt: noted("Since when it is paused or switched off; `null` while it is active.", Schema.NullOr(Timestamp)),
  createdAt: Timestamp,
  standardWebhooks: noted(
    "Whether deliveries have the headers of Standard Webhooks alongside the service's own.",
    Schema.Boolean,
  ),
  ...optionViews,
  rotation: noted("While its signing secret is rotated: until when the old one signs.", Schema.NullOr(Rotation)),
}).annotate({ documentation: "A webhook endpoint and how its deliveries go." })
export type Endpoint = typeof Endpoint.Type

/** An endpoint as its owner sees it, `rotation` as it is kept. Timestamps are in the usual form (D1). */
export const view = (record: EndpointRecord): Endpoint => ({
  id: record.id,
  url: record.url,
  description: record.description,
  events: record.kinds,
  status: record.status,
  consecutiveFailures: record.consecutiveFailures,
  switchedOffAt: record.switchedOffAt === null ? null : format(record.switchedOffAt),
  createdAt: format(record.createdAt),
  standardWebhooks: record.standardWebhooks,
  ...viewOptions(record.options),
  rotation: record.rotation === null ? null : { until: format(record.rotation.until) },
})
