import { Console, Effect, Option } from "effect"
import type { Delivery } from "../../../core/model/Delivery.ts"
import type { Endpoint } from "../../../core/model/Endpoint.ts"
import { printable } from "../../../core/model/log/Printable.ts"
import { configError } from "../ReadConfig.ts"
import { type ManagedShop, type ManageOptions, managedShop, running } from "./Manage.ts"

/** The endpoints to list. */
export interface DeliveriesOptions extends ManageOptions {
  /** Default: all endpoints of the shop. */
  readonly endpoint: Option.Option<string>
}

/** `designwire deliveries list`: the newest deliveries of a shop's endpoints, newest first. */
export const listDeliveries = Effect.fn("deliveries.list")(function* (options: DeliveriesOptions) {
  const shop = yield* managedShop(options)
  const logs = yield* running(() => logsOf(shop, options))
  if (logs.length === 0) yield* print(`The shop ${shop.shop} has no webhook endpoint`)
  for (const { deliveries, endpoint } of logs) {
    yield* print(`${endpoint.id}  ${endpoint.url}`)
    if (deliveries.length === 0) yield* print("  nothing was delivered yet")
    for (const delivery of deliveries) yield* print(`  ${lineOf(delivery)}`)
  }
})

/** `designwire deliveries redeliver`: sends a delivery's body again, as a new delivery. */
export const redeliver = Effect.fn("deliveries.redeliver")(function* (
  options: DeliveriesOptions & { readonly delivery: string },
) {
  const shop = yield* managedShop(options)
  const logs = yield* running(() => logsOf(shop, options))
  const log = logs.find(({ deliveries }) => deliveries.some(({ id }) => id === options.delivery))
  if (log === undefined) {
    return yield* configError(
      `No log of the shop ${shop.shop} shows a delivery ${options.delivery}: designwire deliveries list`,
    )
  }
  const path = `/webhooks/${log.endpoint.id}/deliveries/${options.delivery}/redeliver`
  const made = (yield* running(() => shop.call("POST", path))) as Delivery
  yield* print(`${made.id}  ${made.event}  to ${log.endpoint.url}`)
})

const print = (line: string) => Console.log(printable(line))

const logsOf = async ({ call }: ManagedShop, { endpoint }: DeliveriesOptions) => {
  const { data } = (await call("GET", "/webhooks")) as { readonly data: ReadonlyArray<Endpoint> }
  const chosen = data.filter(({ id }) => Option.isNone(endpoint) || endpoint.value === id)
  return Promise.all(
    chosen.map(async (one) => {
      const log = (await call("GET", `/webhooks/${one.id}/deliveries`)) as { readonly data: ReadonlyArray<Delivery> }
      return { endpoint: one, deliveries: log.data }
    }),
  )
}

const lineOf = ({ attempts, createdAt, event, id, status, test }: Delivery): string => {
  const last = attempts.at(-1)
  const outcome = last === undefined ? "" : `  ${last.statusCode ?? last.error}  ${last.durationMs} ms`
  const count = `${attempts.length} attempt${attempts.length === 1 ? "" : "s"}`
  return `${createdAt}  ${id}  ${event}${test ? " (test)" : ""}  ${status}  ${count}${outcome}`
}
