import { Equal } from "effect"
import type { EndpointRecord } from "./Endpoint.ts"
import type { EndpointOptions } from "./EndpointOptions.ts"

/** The fields of an endpoint that change, and its options that do. The others stay as they are. */
export interface EndpointChange
  extends Partial<Pick<EndpointRecord, "url" | "kinds" | "description" | "standardWebhooks">> {
  readonly options?: Partial<EndpointOptions>
}

/** The endpoint after a change. */
export const changedBy = (endpoint: EndpointRecord, { options, ...fields }: EndpointChange): EndpointRecord => ({
  ...endpoint,
  ...fields,
  options: { ...endpoint.options, ...options },
})

/** The part of an endpoint that a change may change: not its health, nor its secrets. */
const configurationOf = ({ description, kinds, options, standardWebhooks, url }: EndpointRecord) => ({
  ...{ description, kinds, options, standardWebhooks, url },
})

/** Whether two records of an endpoint agree in all that a change may change. */
export const isConfigured = (one: EndpointRecord, other: EndpointRecord): boolean =>
  Equal.equals(configurationOf(one), configurationOf(other))

/** Whether two records of an endpoint differ in which events they take: its pending deliveries may be dropped. */
export const takesOthers = (before: EndpointRecord, after: EndpointRecord): boolean =>
  !Equal.equals(before.kinds, after.kinds) || !Equal.equals(before.options.customizers, after.options.customizers)
