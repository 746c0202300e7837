/** Shopify's Admin GraphQL, for one shop: orders in the form of webhooks are answered as the API has them. */
import { connection, costOf, parseQuery, select } from "./GraphQl.ts"
import { type PlatformServer, platformServer } from "./PlatformServer.ts"

interface Line {
  readonly id: number
  readonly quantity: number
  readonly current_quantity: number
  readonly requires_shipping: boolean
  readonly properties: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly sales_line_item_group_id: number | null
}

/** A bundle of which lines are parts. */
interface Group {
  readonly id: number
  readonly quantity: number
  readonly properties: Line["properties"]
}

/** An order as a webhook has it. */
export interface WebhookOrder {
  readonly id: number
  readonly name: string
  readonly created_at: string
  readonly updated_at: string
  readonly cancelled_at: string | null
  readonly closed_at: string | null
  readonly test: boolean
  readonly financial_status: string | null
  readonly fulfillment_status: string | null
  readonly payment_gateway_names: ReadonlyArray<string>
  readonly line_items: ReadonlyArray<Line>
  readonly line_item_groups: ReadonlyArray<Group>
  readonly fulfillments: ReadonlyArray<{
    readonly status: string
    readonly line_items: ReadonlyArray<{ readonly id: number; readonly quantity: number }>
  }>
  readonly refunds: ReadonlyArray<{
    readonly refund_line_items: ReadonlyArray<{
      readonly line_item_id: number
      readonly quantity: number
      readonly restock_type: string
    }>
  }>
}

const gid = (type: string, id: number | string) => `gid://shopify/${type}/${id}`

/** Times are in UTC, as the API writes them. */
const time = (text: string | null) => (text === null ? null : `${new Date(text).toISOString().slice(0, 19)}Z`)

const attributesOf = ({ properties }: Pick<Line, "properties">) =>
  properties.map(({ name, value }) => ({ key: name, value }))

const groupOf = ({ id, ...group }: Group) => ({
  ...{ id: gid("LineItemGroup", id), quantity: group.quantity, customAttributes: attributesOf(group) },
})

const lineOf = ({ id, ...line }: Line, groups: ReadonlyArray<Group>) => ({
  ...{ id: gid("LineItem", id), quantity: line.quantity, currentQuantity: line.current_quantity },
  requiresShipping: line.requires_shipping,
  customAttributes: attributesOf(line),
  lineItemGroup: groups.filter((group) => group.id === line.sales_line_item_group_id).map(groupOf)[0] ?? null,
})

const fulfilment: Readonly<Record<string, string>> = { fulfilled: "FULFILLED", partial: "PARTIALLY_FULFILLED" }

const nodeOf = (order: WebhookOrder) => ({
  ...{ id: gid("Order", order.id), name: order.name, test: order.test },
  ...{ createdAt: time(order.created_at), updatedAt: time(order.updated_at) },
  ...{ cancelledAt: time(order.cancelled_at), closedAt: time(order.closed_at) },
  displayFinancialStatus: order.financial_status?.toUpperCase() ?? null,
  displayFulfillmentStatus: fulfilment[order.fulfillment_status ?? ""] ?? "UNFULFILLED",
  ...{ paymentGatewayNames: order.payment_gateway_names, paymentTerms: null },
  lineItems: connection(order.line_items.map((line) => lineOf(line, order.line_item_groups))),
  fulfillments: ({ first }: Readonly<Record<string, unknown>>) =>
    order.fulfillments.slice(0, Number(first)).map(({ line_items, status }) => ({
      status: status.toUpperCase(),
      fulfillmentLineItems: connection(
        line_items.map(({ id, quantity }) => ({ quantity, lineItem: { id: gid("LineItem", id) } })),
      ),
    })),
  refunds: ({ first }: Readonly<Record<string, unknown>>) =>
    order.refunds.slice(0, Number(first)).map(({ refund_line_items }) => ({
      refundLineItems: connection(
        refund_line_items.map(({ line_item_id, quantity, restock_type }) => ({
          ...{ quantity, restockType: restock_type.toUpperCase(), lineItem: { id: gid("LineItem", line_item_id) } },
        })),
      ),
    })),
})

export interface ShopifyServer extends PlatformServer {
  /** By id. */
  readonly orders: Map<number, WebhookOrder>
  readonly subscriptions: Array<{ readonly id: string; readonly topic: string; readonly uri: string }>
}

/** The most points of a query, and the points that come back in a second. */
const [mostPoints, restoreRate] = [1_000, 100]

const ok = (body: object) => ({ status: 200, body: JSON.stringify(body) })

const errors = (message: string, code: string, cost: number, available = 2_000) =>
  ok({ errors: [{ message, extensions: { code } }], ...extensions(cost, available) })

const extensions = (requestedQueryCost: number, currentlyAvailable: number) => ({
  extensions: {
    cost: { requestedQueryCost, throttleStatus: { maximumAvailable: 2_000, currentlyAvailable, restoreRate } },
  },
})

/** A shop of Shopify with an access token. */
export const shopifyServer = (token: string): ShopifyServer => {
  const orders = new Map<number, WebhookOrder>()
  const subscriptions: ShopifyServer["subscriptions"] = []
  const root = {
    orders: (args: Readonly<Record<string, unknown>>) => {
      const since = /^updated_at:>='(.+)'$/.exec(String(args["query"]))?.[1]
      if (since === undefined || args["sortKey"] !== "UPDATED_AT") throw new Error(`No such query: ${args["query"]}`)
      const found = [...orders.values()].filter(({ updated_at }) => Date.parse(updated_at) >= Date.parse(since))
      found.sort((left, right) => Date.parse(left.updated_at) - Date.parse(right.updated_at) || left.id - right.id)
      return connection(found.map(nodeOf))(args)
    },
    order: ({ id }: Readonly<Record<string, unknown>>) => nodeAt(String(id)),
    nodes: ({ ids }: Readonly<Record<string, unknown>>) => (ids as ReadonlyArray<string>).map(nodeAt),
    webhookSubscriptions: (args: Readonly<Record<string, unknown>>) => connection(subscriptions)(args),
    webhookSubscriptionCreate: ({ topic, webhookSubscription }: Readonly<Record<string, unknown>>) => {
      const { uri } = webhookSubscription as { readonly uri: string }
      if (subscriptions.some((each) => each.topic === topic && each.uri === uri)) {
        return { userErrors: [{ message: "Address for this topic has already been taken" }], webhookSubscription: null }
      }
      const id = gid("WebhookSubscription", subscriptions.length + 1)
      subscriptions.push({ id, topic: String(topic), uri })
      return { userErrors: [], webhookSubscription: { id } }
    },
  }
  const nodeAt = (id: string) => {
    const order = orders.get(Number(id.replace(gid("Order", ""), "")))
    return order === undefined ? null : nodeOf(order)
  }
  const server = platformServer(
    ({ body, headers, method, path }) => {
      if (headers["x-shopify-access-token"] !== token) {
        return { status: 401, body: '{"errors":"[API] Invalid API key or access token"}' }
      }
      if (method !== "POST" || !/^\/admin\/api\/20\d\d-\d\d\/graphql\.json$/.test(path))
        return { status: 404, body: "{}" }
      const { query, variables } = JSON.parse(body)
      const fields = parseQuery(query, variables)
      const cost = costOf(fields)
      if (cost > mostPoints) return errors(`Query cost is ${cost}`, "MAX_COST_EXCEEDED", cost)
      return ok({ data: select(root, fields), ...extensions(cost, 2_000 - cost) })
    },
    () => errors("Throttled", "THROTTLED", 500, 300),
  )
  return { ...server, orders, subscriptions }
}
