import { Schema } from "effect"
import { CustomizerId } from "../Ids.ts"
import { CertificateView, ClientCertificate, type SealedCertificate } from "./ClientCertificate.ts"
import { ClientCredentials, CredentialsView, type SealedCredentials, viewCredentials } from "./ClientCredentials.ts"
import { OwnHeaders, type SealedHeaders } from "./OwnHeaders.ts"

/** What the deliveries of an endpoint carry: whole objects, or their ids alone (D72). */
export const Payload = Schema.Literals(["full", "reference"])
export type Payload = typeof Payload.Type

/** The order of an endpoint's deliveries: none, or one at a time for each order and each unordered design (D53). */
export const Ordering = Schema.Literals(["none", "object"])
export type Ordering = typeof Ordering.Type

/** An endpoint names at most this many customizers (D76). */
const maximumCustomizers = 100

/** The customizers whose designs an endpoint wants; `null` for all. */
const WantedCustomizers = Schema.NullOr(
  Schema.Array(CustomizerId).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(maximumCustomizers),
    Schema.makeFilter((ids) => new Set(ids).size === ids.length || "each customizer once"),
  ),
)

const limitTo = (maximum: number) => Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })))

/** The options that are shown as they are kept. */
const shown = {
  /** The customizers whose designs it wants; `null` for all (D76). */
  customizers: WantedCustomizers,
  /** Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After` (D71). */
  heedRetryAfter: Schema.Boolean,
  payload: Payload,
  ordering: Ordering,
  /** The most attempts that begin in any second, 1 to 1,000, over all workers; `null` for any number (D54). */
  maxPerSecond: limitTo(1000),
  /** The most attempts under way, 1 to 8, over all workers; `null` for as many as workers allow (D54). */
  maxConcurrent: limitTo(8),
}

/** How the deliveries of an endpoint differ from the usual ones, as it is kept. */
export interface EndpointOptions extends Schema.Struct.Type<typeof shown> {
  /** `null` without any. */
  readonly headers: SealedHeaders | null
  /** `null` without any. */
  readonly oauth: SealedCredentials | null
  /** `null` without one. */
  readonly clientCertificate: SealedCertificate | null
}

/** The options of an endpoint as its owner sees them, without what is secret: `headers` are the names alone. */
export const optionViews = {
  ...shown,
  headers: Schema.Array(Schema.String),
  oauth: Schema.NullOr(CredentialsView),
  clientCertificate: Schema.NullOr(CertificateView),
}

/** The options in an input: what is left out is as usual in a new endpoint, and stays as it is in a change. */
export const optionInputs = {
  customizers: Schema.optionalKey(shown.customizers),
  heedRetryAfter: Schema.optionalKey(shown.heedRetryAfter),
  payload: Schema.optionalKey(shown.payload),
  ordering: Schema.optionalKey(shown.ordering),
  maxPerSecond: Schema.optionalKey(shown.maxPerSecond),
  maxConcurrent: Schema.optionalKey(shown.maxConcurrent),
  headers: Schema.optionalKey(Schema.NullOr(OwnHeaders)),
  oauth: Schema.optionalKey(Schema.NullOr(ClientCredentials)),
  clientCertificate: Schema.optionalKey(Schema.NullOr(ClientCertificate)),
}

const OptionInput = Schema.Struct(optionInputs)
export type OptionInput = typeof OptionInput.Type

/** The usual options, as the specification has them. */
export const usualOptions: EndpointOptions = {
  customizers: null,
  heedRetryAfter: false,
  payload: "full",
  ordering: "none",
  maxPerSecond: null,
  maxConcurrent: null,
  headers: null,
  oauth: null,
  clientCertificate: null,
}

/** The options as the owner of an endpoint sees them. */
export const viewOptions = ({
  clientCertificate,
  customizers,
  headers,
  heedRetryAfter,
  maxConcurrent,
  maxPerSecond,
  oauth,
  ordering,
  payload,
}: EndpointOptions) => ({
  customizers,
  heedRetryAfter,
  payload,
  ordering,
  maxPerSecond,
  maxConcurrent,
  headers: headers?.names ?? [],
  oauth: oauth && viewCredentials(oauth),
  clientCertificate: clientCertificate && { subject: clientCertificate.subject, endsAt: clientCertificate.endsAt },
})

/** The options in a text that a store keeps: JSON of those that were ever given. */
export const storedOptions = (text: string): EndpointOptions => ({
  ...usualOptions,
  ...(JSON.parse(text) as Partial<EndpointOptions>),
})
