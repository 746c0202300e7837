/** Orders and webhooks as WooCommerce's REST API (v3) answers them: an order has the form of a webhook's body (D88). */
import { Result, Schema } from "effect"
import { format, type Instant, parse } from "../../model/Instant.ts"
import { isPlainObject, own, ownString } from "../../model/json/Json.ts"
import { type ApiFault, type ApiRequest, type ExistingWebhook, type FoundOrder, unreadable } from "./ApiAnswer.ts"
import { PlatformId, shapeReader } from "./Reading.ts"

const root = "/wp-json/wc/v3"

/** Orders of a page: plugins may make each of them large. And the most elements of any page that WooCommerce gives. */
const [ordersOfPage, mostOfPage] = [50, 100]

const second = 1_000

/**
 * A place among the orders that were modified since a time: pages are counted from 1. An order that is modified while
 * pages are read moves to the end, and those behind it move up. So a full page leads to the time of its last order.
 */
export interface OrdersPlace {
  readonly since: Instant
  readonly page: number
}

/** Asks for a page of orders that were modified, the earliest first. WooCommerce asks for what is later than a time. */
export const askOrders = ({ page, since }: OrdersPlace): ApiRequest => {
  const after = format(since - second).slice(0, 19)
  const query = new URLSearchParams({
    ...{ modified_after: after, dates_are_gmt: "true", orderby: "modified", order: "asc", status: "any" },
    ...{ per_page: String(ordersOfPage), page: String(page) },
  })
  return { method: "GET", path: `${root}/orders?${query}` }
}

/** Asks which of some orders exist, 100 at most. Those in the trash are not among them. */
export const askExisting = (ids: ReadonlyArray<string>): ApiRequest => {
  const query = new URLSearchParams({ include: ids.join(","), status: "any", per_page: String(mostOfPage) })
  return { method: "GET", path: `${root}/orders?${query}&_fields=id` }
}

/** Asks for an order, which may be in the trash. */
export const askOrder = (id: string): ApiRequest => ({
  method: "GET",
  path: `${root}/orders/${encodeURIComponent(id)}`,
})

/** Asks for a page of the site's webhooks. */
export const askWebhooks = (page: number): ApiRequest => ({
  ...{ method: "GET", path: `${root}/webhooks?status=all&per_page=${mostOfPage}&page=${page}` },
})

/** Registers a webhook. */
export const register = (topic: string, address: string, secret: string): ApiRequest => ({
  ...{ method: "POST", path: `${root}/webhooks` },
  body: { name: `designwire ${topic}`, topic, delivery_url: address, secret, status: "active" },
})

/** Turns a webhook on again, and gives it the secret. */
export const activate = (id: string, secret: string): ApiRequest => ({
  ...{ method: "POST", path: `${root}/webhooks/${encodeURIComponent(id)}`, body: { status: "active", secret } },
})

const readKey = shapeReader(
  Schema.Struct({
    id: PlatformId,
    date_modified_gmt: Schema.String,
  }),
)

const foundOrder = (json: unknown): Result.Result<FoundOrder, ApiFault> =>
  Result.flatMap(Result.mapError(readKey(json), unreadable), ({ date_modified_gmt, id }) => {
    const modifiedAt = parse(`${date_modified_gmt}Z`)
    return modifiedAt === undefined
      ? Result.fail(unreadable("date_modified_gmt: must be a date-time in UTC without an offset"))
      : Result.succeed({ id: String(id), modifiedAt, payload: json as object })
  })

const notAList = unreadable("The body must be a list")

const listIn = (json: unknown): Result.Result<ReadonlyArray<unknown>, ApiFault> =>
  Array.isArray(json) ? Result.succeed(json) : Result.fail(notAList)

/** Reads an order. */
export const readOrder = foundOrder

/** Reads a page of orders, and the place of the next one; `null` behind the last. */
export const readOrders = (
  json: unknown,
  { page, since }: OrdersPlace,
): Result.Result<{ readonly orders: ReadonlyArray<FoundOrder>; readonly next: OrdersPlace | null }, ApiFault> =>
  Result.flatMap(listIn(json), (list) =>
    Result.map(Result.all(list.map(foundOrder)), (orders) => {
      const last = orders.at(-1)
      if (last === undefined) return { orders, next: null }
      const isFull = orders.length >= ordersOfPage && last.modifiedAt > since
      // Plugins may leave orders out of a page, so that only an empty one is the end.
      return { orders, next: isFull ? { since: last.modifiedAt, page: 1 } : { since, page: page + 1 } }
    }),
  )

/** Reads the ids of a list. */
export const readIds = (json: unknown): Result.Result<ReadonlyArray<string>, ApiFault> =>
  Result.map(listIn(json), (list) =>
    list.flatMap((each) => (isPlainObject(each) ? String(own(each, "id") ?? "") : [])).filter((id) => id !== ""),
  )

/** Reads a page of webhooks; the next one may have others if it is full. */
export const readWebhooks = (
  json: unknown,
): Result.Result<{ readonly webhooks: ReadonlyArray<ExistingWebhook>; readonly isFull: boolean }, ApiFault> =>
  Result.map(listIn(json), (list) => ({
    webhooks: list.filter(isPlainObject).map((each) => ({
      id: String(own(each, "id") ?? ""),
      topic: ownString(each, "topic") ?? "",
      address: ownString(each, "delivery_url") ?? "",
      isActive: own(each, "status") === "active",
    })),
    isFull: list.length >= mostOfPage,
  }))
