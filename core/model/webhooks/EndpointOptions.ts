import { Schema } from "effect"

/** What the deliveries of an endpoint carry: whole objects, or their ids alone (D72). */
export const Payload = Schema.Literals(["full", "reference"])
export type Payload = typeof Payload.Type

/** How the deliveries of an endpoint differ from the usual ones. */
const fields = {
  /** Whether a retry comes no earlier than a 429 or 503 of the receiver asks by `Retry-After` (D71). */
  heedRetryAfter: Schema.Boolean,
  payload: Payload,
}

/** The options of an endpoint, each as it holds. */
export const EndpointOptions = Schema.Struct(fields)
export type EndpointOptions = typeof EndpointOptions.Type

/** The same in an input: what is left out is as usual in a new endpoint, and stays as it is in a change. */
export const optionInputs = {
  heedRetryAfter: Schema.optionalKey(fields.heedRetryAfter),
  payload: Schema.optionalKey(fields.payload),
}

/** The usual options, as the specification has them. */
export const usualOptions: EndpointOptions = { heedRetryAfter: false, payload: "full" }

/** The options of an input that are given. */
export const givenOptions = (input: Partial<EndpointOptions>): Partial<EndpointOptions> =>
  Object.fromEntries(
    Object.keys(usualOptions).flatMap((name) => {
      const value = input[name as keyof EndpointOptions]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The options in a text that a store keeps: JSON of those that were ever given. */
export const storedOptions = (text: string): EndpointOptions => ({
  ...usualOptions,
  ...(JSON.parse(text) as Partial<EndpointOptions>),
})
