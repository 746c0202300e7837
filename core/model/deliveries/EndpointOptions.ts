import { Schema } from "effect"
import { CustomizerId } from "../Ids.ts"
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

/** The options that are shown as they are kept. */
const shown = {
  /** The customizers whose designs it wants; `null` for all (D76). */
  customizers: WantedCustomizers,
  /** Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After` (D71). */
  heedRetryAfter: Schema.Boolean,
  payload: Payload,
  ordering: Ordering,
}

/** How the deliveries of an endpoint differ from the usual ones, as it is kept. */
export interface EndpointOptions extends Schema.Struct.Type<typeof shown> {
  /** `null` without any. */
  readonly headers: SealedHeaders | null
}

/** The options of an endpoint as its owner sees them: `headers` are the names alone. */
export const optionViews = { ...shown, headers: Schema.Array(Schema.String) }

/** The options in an input: what is left out is as usual in a new endpoint, and stays as it is in a change. */
export const optionInputs = {
  customizers: Schema.optionalKey(shown.customizers),
  heedRetryAfter: Schema.optionalKey(shown.heedRetryAfter),
  payload: Schema.optionalKey(shown.payload),
  ordering: Schema.optionalKey(shown.ordering),
  headers: Schema.optionalKey(Schema.NullOr(OwnHeaders)),
}

const OptionInput = Schema.Struct(optionInputs)
export type OptionInput = typeof OptionInput.Type

/** The usual options, as the specification has them. */
export const usualOptions: EndpointOptions = {
  customizers: null,
  heedRetryAfter: false,
  payload: "full",
  ordering: "none",
  headers: null,
}

/** The options as the owner of an endpoint sees them. */
export const viewOptions = ({ customizers, headers, heedRetryAfter, ordering, payload }: EndpointOptions) => ({
  customizers,
  heedRetryAfter,
  payload,
  ordering,
  headers: headers?.names ?? [],
})

/** The options in a text that a store keeps: JSON of those that were ever given. */
export const storedOptions = (text: string): EndpointOptions => ({
  ...usualOptions,
  ...(JSON.parse(text) as Partial<EndpointOptions>),
})
