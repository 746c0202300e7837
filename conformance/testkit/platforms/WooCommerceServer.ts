/** WooCommerce's REST API (v3), for one site. */
import { type PlatformAnswer, type PlatformServer, platformServer } from "./PlatformServer.ts"

export interface SiteOrder {
  readonly id: number
  readonly status: string
  readonly date_modified_gmt: string
}

interface SiteWebhook {
  readonly id: number
  status: string
  readonly topic: string
  readonly delivery_url: string
  secret: string
}

export interface WooCommerceServer extends PlatformServer {
  /** By id; those in the trash have the status `trash`. */
  readonly orders: Map<number, SiteOrder>
  readonly webhooks: Array<SiteWebhook>
}

const root = "/wp-json/wc/v3"

const ok = (value: unknown, status = 200): PlatformAnswer => ({ status, body: JSON.stringify(value) })

const error = (status: number, code: string): PlatformAnswer => ok({ code, message: code, data: { status } }, status)

/** A part of a list: `per_page` is 10 by default, and 100 at most. */
const pageOf = <A>(list: ReadonlyArray<A>, query: URLSearchParams): ReadonlyArray<A> => {
  const size = Math.min(100, Number(query.get("per_page") ?? 10))
  const page = Number(query.get("page") ?? 1)
  return list.slice((page - 1) * size, page * size)
}

/** A site of WooCommerce with a key and its secret, `ck_…:cs_…`. */
export const wooCommerceServer = (key: string): WooCommerceServer => {
  const orders = new Map<number, SiteOrder>()
  const webhooks: Array<SiteWebhook> = []
  const listed = (query: URLSearchParams): PlatformAnswer => {
    const include = query.get("include")?.split(",").map(Number)
    const after = query.get("modified_after")
    if (after !== null && (query.get("dates_are_gmt") !== "true" || query.get("orderby") !== "modified")) {
      return error(400, "rest_invalid_param")
    }
    const found = [...orders.values()]
      .filter(({ status }) => status !== "trash")
      .filter(({ id }) => include === undefined || include.includes(id))
      .filter(({ date_modified_gmt }) => after === null || date_modified_gmt > after)
    found.sort((left, right) => left.date_modified_gmt.localeCompare(right.date_modified_gmt) || left.id - right.id)
    const page = pageOf(found, query)
    return ok(query.get("_fields") === "id" ? page.map(({ id }) => ({ id })) : page)
  }
  const changed = (path: string, body: string): PlatformAnswer => {
    const given = JSON.parse(body) as Partial<SiteWebhook>
    if (path === `${root}/webhooks`) {
      const { delivery_url = "", secret = "", status = "active", topic = "" } = given
      webhooks.push({ id: webhooks.length + 1, status, topic, delivery_url, secret })
      return ok(webhooks.at(-1), 201)
    }
    const webhook = webhooks.find(({ id }) => path === `${root}/webhooks/${id}`)
    if (webhook === undefined) return error(404, "woocommerce_rest_shop_webhook_invalid_id")
    Object.assign(webhook, given)
    return ok(webhook)
  }
  const server = platformServer(
    ({ body, headers, method, path }) => {
      if (headers["authorization"] !== `Basic ${Buffer.from(key).toString("base64")}`) {
        return error(401, "woocommerce_rest_cannot_view")
      }
      const { pathname, searchParams: query } = new URL(path, "http://site")
      if (method === "POST") return changed(pathname, body)
      if (pathname === `${root}/orders`) return listed(query)
      if (pathname === `${root}/webhooks`) return ok(pageOf(webhooks, query))
      const one = new RegExp(`^${root}/orders/(\\d+)$`).exec(pathname)?.[1]
      const order = orders.get(Number(one))
      return order === undefined ? error(404, "woocommerce_rest_shop_order_invalid_id") : ok(order)
    },
    () => ({ status: 429, body: "{}", retryAfter: "2" }),
  )
  return { ...server, orders, webhooks }
}
