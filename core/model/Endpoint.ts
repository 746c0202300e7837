import { Schema } from "effect"
import { EndpointKind } from "./Event.ts"
import { EndpointStatus, type Health } from "./Health.ts"
import { DateTime, format, type Instant } from "./Instant.ts"
import { storable } from "./Text.ts"

/** An endpoint's URL has at most this many characters (D34). */
export const maximumUrl = 2048

/** A store has at most this many endpoints (§8). */
export const maximumEndpoints = 5

const Kinds = Schema.Array(EndpointKind).check(
  Schema.makeFilter(
    (kinds) =>
      (kinds.length > 0 && new Set(kinds).size === kinds.length) || "at least one event kind, none of them twice",
  ),
)

const optional = {
  events: Schema.optionalKey(Kinds),
  description: Schema.optionalKey(storable(0, 255)),
}

/**
 * What an endpoint is made from; `events` defaults to the first two kinds (D31) and `description` to `""`.
 * Whether the URL's host is public is for `rules/PublicHost` to say.
 */
export const EndpointInput = Schema.Struct({ url: storable(1, maximumUrl), ...optional })
export type EndpointInput = typeof EndpointInput.Type

/** A change of an endpoint: what is left out stays as it is. */
export const EndpointChange = Schema.Struct({ url: Schema.optionalKey(storable(1, maximumUrl)), ...optional })
export type EndpointChange = typeof EndpointChange.Type

/** Since when an endpoint wants what it has missed: events that happened at this time (RFC 3339) or later. */
export const RecoveryInput = Schema.Struct({ since: DateTime })
export type RecoveryInput = typeof RecoveryInput.Type

/** A webhook endpoint as it is kept. */
export interface EndpointRecord extends Health {
  readonly shop: string
  /** `whe_…`. */
  readonly id: string
  readonly url: string
  /** The owner's own words, `""` without any. */
  readonly description: string
  /** The event kinds that it receives, at least one, none twice. */
  readonly kinds: ReadonlyArray<EndpointKind>
  readonly createdAt: Instant
  /** The signing secret, encrypted: never the secret itself (D20). */
  readonly secret: string
}

/** An endpoint as its owner sees it: everything but its secret. */
export const Endpoint = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  description: Schema.String,
  events: Schema.Array(EndpointKind),
  status: EndpointStatus,
  consecutiveFailures: Schema.Int,
  switchedOffAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
})
export type Endpoint = typeof Endpoint.Type

/** What an endpoint's owner sees of it. Timestamps as everywhere (D1). */
export const view = (record: EndpointRecord): Endpoint => ({
  id: record.id,
  url: record.url,
  description: record.description,
  events: record.kinds,
  status: record.status,
  consecutiveFailures: record.consecutiveFailures,
  switchedOffAt: record.switchedOffAt === null ? null : format(record.switchedOffAt),
  createdAt: format(record.createdAt),
})
