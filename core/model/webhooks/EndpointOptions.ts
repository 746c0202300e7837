import { Schema } from "effect"
import { CustomizerId } from "../Ids.ts"
import { noted } from "../Means.ts"
import { CertificateView, ClientCertificate, type SealedCertificate } from "./ClientCertificate.ts"
import { ClientCredentials, CredentialsView, type SealedCredentials, viewCredentials } from "./ClientCredentials.ts"
import { OwnHeaders, type SealedHeaders } from "./OwnHeaders.ts"

/** The content of the deliveries of an endpoint: whole objects, or only their ids (D72). */
export const Payload = Schema.Literals(["full", "reference"])
export type Payload = typeof Payload.Type

/** The order of an endpoint's deliveries: none, or one at a time for each order and each unordered design (D53). */
const Ordering = Schema.Literals(["none", "object"])

/** An endpoint names at most this many customizers (D76). */
const maximumCustomizers = 100

const customizerIds = { expected: `a list of 1 to ${maximumCustomizers} ids of customizers, each once` }

/** The customizers whose designs an endpoint wants; `null` for all. */
const WantedCustomizers = Schema.NullOr(
  Schema.Array(CustomizerId).check(
    Schema.isMinLength(1, customizerIds),
    Schema.isMaxLength(maximumCustomizers, customizerIds),
    Schema.makeFilter((ids) => new Set(ids).size === ids.length, customizerIds),
  ),
)

const limitTo = (maximum: number) =>
  Schema.NullOr(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }, { expected: `an integer from 1 to ${maximum}` })),
  )

/** The meaning of an option, for readers of documents: as it is shown, and as it is given. */
interface Words {
  readonly shown: string
  readonly given: string
}

/** An option that its owner sees as it was given. */
const open = <S extends Schema.Top>(schema: S, usual: S["Type"], words: Words) => ({
  input: schema,
  view: noted(words.shown, schema),
  usual,
  viewOf: (kept: S["Type"]): S["Type"] => kept,
  isSealed: false,
  words,
})

/** An option with a secret: `null` removes it, and its owner sees a part of it. */
const sealed = <Given extends Schema.Top, View extends Schema.Top, Kept extends { readonly sealed: string }>(
  given: Given,
  view: View,
  viewOf: (kept: Kept | null) => View["Type"],
  words: Words,
) => ({
  input: Schema.NullOr(given),
  view: noted(words.shown, view),
  usual: null as Kept | null,
  viewOf,
  isSealed: true,
  words,
})

/**
 * The options of an endpoint: how each is given and shown, and its usual value, as the specification has it. Everything
 * else that knows all options is made from this table.
 */
const optionTable = {
  customizers: open(WantedCustomizers, null, {
    shown: "The ids of the customizers whose designs it wants; `null` for all.",
    given:
      "The ids of the customizers whose designs it wants, 1 to 100; of an order, one such design is " +
      "enough (D76). Default: `null`, all.",
  }),
  heedRetryAfter: open(Schema.Boolean, false, {
    shown: "Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After`.",
    given:
      "Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After`, at " +
      "most 24 hours (D71). Default: `false`.",
  }),
  payload: open(Payload, "full", {
    shown: "Whether deliveries have whole designs and orders, or only their ids.",
    given: "`reference` sends the ids of designs and orders instead of the objects (D72). Default: `full`.",
  }),
  ordering: open(Ordering, "none", {
    shown: "Whether deliveries about one order or unordered design go one at a time, in order.",
    given:
      "`object` sends deliveries about one order or unordered design one at a time, in order (D53). " +
      "Default: `none`.",
  }),
  maxPerSecond: open(limitTo(1000), null, {
    shown: "The most attempts that begin in any second; `null` for any number.",
    given:
      "The most attempts that begin in any second, 1 to 1,000, over all workers; the others wait " +
      "(D54). Default: `null`, any number.",
  }),
  maxConcurrent: open(limitTo(8), null, {
    shown: "The most attempts under way at the same time; `null` for as many as workers allow.",
    given:
      "The most attempts under way at the same time, 1 to 8, over all workers; the others wait (D54). " +
      "Default: `null`, as many as workers allow.",
  }),
  headers: sealed(OwnHeaders, Schema.Array(Schema.String), (kept: SealedHeaders | null) => kept?.names ?? [], {
    shown: "The names of the owner's own headers.",
    given:
      "Headers of the owner's own that deliveries have too, for a gateway or basic authentication, by " +
      "their names: at most 10 (D55). They are kept encrypted. Default: `null`, none.",
  }),
  oauth: sealed(
    ClientCredentials,
    Schema.NullOr(CredentialsView),
    (kept: SealedCredentials | null) => kept && viewCredentials(kept),
    {
      shown: "The OAuth client, without its secret.",
      given:
        "The OAuth 2.0 client whose access tokens deliveries have in `Authorization` (D55). Its secret " +
        "is kept encrypted. Default: `null`, none.",
    },
  ),
  clientCertificate: sealed(
    ClientCertificate,
    Schema.NullOr(CertificateView),
    (kept: SealedCertificate | null) => kept && { subject: kept.subject, endsAt: kept.endsAt },
    {
      shown: "Whose client certificate deliveries present, and when it ends.",
      given:
        "The certificate that deliveries present to the receiver over TLS, and its key, as PEM (D55). " +
        "They are kept encrypted. Default: `null`, none.",
    },
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

/** The options of an endpoint as its owner sees them, without what is secret: `headers` has only the names. */
export const optionViews = forEachOption<{ readonly [Name in OptionName]: Table[Name]["view"] }>(
  (name) => optionTable[name].view,
)

/** The options in an input: what is left out is as usual in a new endpoint, and stays as it is in a change. */
export const optionInputs = forEachOption<{
  readonly [Name in OptionName]: Schema.optionalKey<Table[Name]["input"]>
}>((name) => noted(optionTable[name].words.given, Schema.optionalKey(optionTable[name].input as Schema.Top)))

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
