/** The delivery logs of a shop's endpoints, as the management API has them. */
import { Effect, Option } from "effect"
import { type Delivery, logLength } from "../../../core/model/webhooks/Delivery.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { type ConfigError, configError } from "../ReadConfig.ts"
import { type ManagedShop, running } from "./Manage.ts"
import { isNotFound } from "./Refusal.ts"

/** An endpoint of a shop. */
export interface ChosenEndpoint {
  /** Default: all of the shop. */
  readonly endpoint: Option.Option<string>
}

/** A line for each endpoint of a shop, and one for each of its newest deliveries. */
export const linesOf = Effect.fnUntraced(function* (shop: ManagedShop, chosen: ChosenEndpoint) {
  const endpoints = yield* endpointsOf(shop, chosen)
  if (endpoints.length === 0) return [`The shop ${shop.shop} has no webhook endpoint`]
  const parts = yield* Effect.forEach(
    endpoints,
    (endpoint) => Effect.map(newestOf(shop, endpoint), (deliveries) => ({ endpoint, deliveries })),
    { concurrency: 5 },
  )
  return parts.flatMap(({ deliveries, endpoint }) => [
    `${endpoint.id}  ${endpoint.url}`,
    ...(deliveries.length === 0 ? ["  nothing was delivered yet"] : deliveries.map((each) => `  ${lineOf(each)}`)),
  ])
})

/** Sends a delivery again, whichever endpoint it belongs to and however old it is, and returns a line about it. */
export const sentAgain = Effect.fnUntraced(function* (
  shop: ManagedShop,
  { delivery, ...chosen }: ChosenEndpoint & { readonly delivery: string },
) {
  for (const { id, url } of yield* endpointsOf(shop, chosen)) {
    const path = `/webhooks/${id}/deliveries/${encodeURIComponent(delivery)}/redeliver`
    const made = yield* running(async () => {
      try {
        return (await shop.call("POST", path)) as Delivery
      } catch (error) {
        if (isNotFound(error)) return undefined
        throw error
      }
    })
    if (made !== undefined) return `${made.id}  ${made.event}  to ${url}`
  }
  return yield* configError(`No log of the shop ${shop.shop} shows a delivery ${delivery}: designwire deliveries list`)
})

const endpointsOf = Effect.fnUntraced(function* ({ call, shop }: ManagedShop, { endpoint }: ChosenEndpoint) {
  const { data } = (yield* running(() => call("GET", "/webhooks"))) as { readonly data: ReadonlyArray<Endpoint> }
  if (Option.isNone(endpoint)) return data
  const found = data.filter(({ id }) => id === endpoint.value)
  return found.length > 0 ? found : yield* configError(`The shop ${shop} has no webhook endpoint ${endpoint.value}`)
})

/** The newest deliveries to an endpoint. A page of the log ends early if it is large. */
const newestOf = ({ call }: ManagedShop, endpoint: Endpoint): Effect.Effect<ReadonlyArray<Delivery>, ConfigError> =>
  running(async () => {
    const found: Array<Delivery> = []
    let after: string | null = null
    do {
      const query: string = after === null ? "" : `?after=${encodeURIComponent(after)}`
      const page = (await call("GET", `/webhooks/${endpoint.id}/deliveries${query}`)) as {
        readonly data: ReadonlyArray<Delivery>
        /** Services before 0.3.0 have one page. */
        readonly pagination?: { readonly nextCursor: string | null }
      }
      found.push(...page.data)
      after = page.pagination?.nextCursor ?? null
    } while (after !== null && found.length < logLength)
    return found.slice(0, logLength)
  })

const lineOf = ({ attempts, createdAt, event, id, status, test }: Delivery): string => {
  const last = attempts.at(-1)
  const outcome = last === undefined ? "" : `  ${last.statusCode ?? last.error}  ${last.durationMs} ms`
  const count = `${attempts.length} attempt${attempts.length === 1 ? "" : "s"}`
  return `${createdAt}  ${id}  ${event}${test ? " (test)" : ""}  ${status}  ${count}${outcome}`
}
