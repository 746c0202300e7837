import { Schema } from "effect"
import { CustomizerId } from "../Ids.ts"
import { CertificateView, ClientCertificate, type SealedCertificate } from "./ClientCertificate.ts"
import { ClientCredentials, CredentialsView, type SealedCredentials, viewCredentials } from "./ClientCredentials.ts"
import { OwnHeaders, type SealedHeaders } from "./OwnHeaders.ts"

/** What the deliveries of an endpoint carry: whole objects, or their ids alone (D72). */
export const Payload = Schema.Literals(["full", "reference"])
export type Payload = typeof Payload.Type

/** The order of an endpoint's deliveries: none, or one at a time for each order and each unordered design (D53). */
const Ordering = Schema.Literals(["none", "object"])

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

/** An option that its owner sees as it was given. */
const open = <S extends Schema.Top>(schema: S, usual: S["Type"]) => ({
  input: schema,
  view: schema,
  usual,
  viewOf: (kept: S["Type"]): S["Type"] => kept,
  isSealed: false,
})

/** An option with a secret: `null` removes it, and its owner sees a part of it. */
const sealed = <Given extends Schema.Top, View extends Schema.Top, Kept extends { readonly sealed: string }>(
  given: Given,
  view: View,
  viewOf: (kept: Kept | null) => View["Type"],
) => ({ input: Schema.NullOr(given), view, usual: null as Kept | null, viewOf, isSealed: true })

/**
 * The options of an endpoint: how each is given and shown, and its usual value, as the specification has it. Everything
 * else that knows all options is made from this table.
 */
const optionTable = {
  /** The customizers whose designs it wants; `null` for all (D76). */
  customizers: open(WantedCustomizers, null),
  /** Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After` (D71). */
  heedRetryAfter: open(Schema.Boolean, false),
  payload: open(Payload, "full"),
  ordering: open(Ordering, "none"),
  /** The most attempts that begin in any second, 1 to 1,000, over all workers; `null` for any number (D54). */
  maxPerSecond: open(limitTo(1000), null),
  /** The most attempts under way, 1 to 8, over all workers; `null` for as many as workers allow (D54). */
  maxConcurrent: open(limitTo(8), null),
  /** The owner's headers; `null` without any. Only their names are shown (D55). */
  headers: sealed(OwnHeaders, Schema.Array(Schema.String), (kept: SealedHeaders | null) => kept?.names ?? []),
  /** The OAuth client; `null` without one. Its secret is not shown (D55). */
  oauth: sealed(
    ClientCredentials,
    Schema.NullOr(CredentialsView),
    (kept: SealedCredentials | null) => kept && viewCredentials(kept),
  ),
  /** The client certificate; `null` without one. Its subject and end are shown (D55). */
  clientCertificate: sealed(
    ClientCertificate,
    Schema.NullOr(CertificateView),
    (kept: SealedCertificate | null) => kept && { subject: kept.subject, endsAt: kept.endsAt },
  ),
}

type Table = typeof optionTable
export type OptionName = keyof Table

export const optionNames = Object.keys(optionTable) as ReadonlyArray<OptionName>

/** The options of which a text is sealed. */
export const sealedOptionNames = optionNames.filter((name) => optionTable[name].isSealed) as ReadonlyArray<
  "headers" | "oauth" | "clientCertificate"
>

/** A value for every option. */
const forEachOption = <A>(valueOf: (name: OptionName) => unknown) =>
  Object.fromEntries(optionNames.map((name) => [name, valueOf(name)])) as A

/** How the deliveries of an endpoint differ from the usual ones, as it is kept. */
export type EndpointOptions = { readonly [Name in OptionName]: Table[Name]["usual"] }

/** The options of an endpoint as its owner sees them, without what is secret: `headers` are the names alone. */
export const optionViews = forEachOption<{ readonly [Name in OptionName]: Table[Name]["view"] }>(
  (name) => optionTable[name].view,
)

/** The options in an input: what is left out is as usual in a new endpoint, and stays as it is in a change. */
export const optionInputs = forEachOption<{
  readonly [Name in OptionName]: Schema.optionalKey<Table[Name]["input"]>
}>((name) => Schema.optionalKey(optionTable[name].input as Schema.Top))

const OptionInput = Schema.Struct(optionInputs)
export type OptionInput = typeof OptionInput.Type

/** The usual options, as the specification has them. */
export const usualOptions: EndpointOptions = forEachOption((name) => optionTable[name].usual)

/** The options as the owner of an endpoint sees them. */
export const viewOptions = (options: EndpointOptions) =>
  forEachOption<Schema.Struct.Type<typeof optionViews>>((name) =>
    (optionTable[name].viewOf as (kept: unknown) => unknown)(options[name]),
  )

/** The options in a text that a store keeps: JSON of those that were ever given. */
export const storedOptions = (text: string): EndpointOptions => ({
  ...usualOptions,
  ...(JSON.parse(text) as Partial<EndpointOptions>),
})
