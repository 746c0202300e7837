/**
 * Orders and webhooks as Shopify's Admin GraphQL answers them, in the form of its webhooks: what is found goes through
 * the same reader as what has come (D88). No query costs more than 1,000 points, the most that Shopify takes: a
 * connection costs 2 and its nodes, each an object of 1.
 */
import { Result, Schema } from "effect"
import { type Instant, parse } from "../../model/Instant.ts"
import { readable } from "../../model/Text.ts"
import { type ApiFault, type ApiRequest, type ExistingWebhook, type FoundOrder, unreadable } from "./ApiAnswer.ts"
import { idText, shapeReader } from "./Reading.ts"

/** The version of the API. Shopify answers with the oldest one that it has once this one is gone. */
const path = "/admin/api/2026-07/graphql.json"

const request = (query: string, variables: object): ApiRequest => ({
  ...{ method: "POST", path, body: { query, variables } },
})

/** Orders of a page, their first lines, and the most lines of a later page. */
const [ordersOfPage, firstLines, mostLines] = [20, 10, 200]

/** Parcels and refunds of an order, and the lines of each, that are read. */
const [mostParts, linesOfPart] = [10, 20]

const line = `nodes { id quantity currentQuantity requiresShipping customAttributes { key value }
lineItemGroup { id quantity customAttributes { key value } } }
pageInfo { hasNextPage endCursor }`

const ordersQuery = `query Changed($after: String, $query: String!) {
orders(first: ${ordersOfPage}, after: $after, query: $query, sortKey: UPDATED_AT) {
nodes { id name createdAt updatedAt cancelledAt closedAt test displayFinancialStatus displayFulfillmentStatus
paymentGatewayNames paymentTerms { id } lineItems(first: ${firstLines}) { ${line} } }
pageInfo { hasNextPage endCursor } } }`

const linesQuery = `query Lines($id: ID!, $after: String) {
order(id: $id) { lineItems(first: ${mostLines}, after: $after) { ${line} } } }`

const part = `nodes { quantity lineItem { id }`
const partsQuery = `query Parts($id: ID!) { order(id: $id) {
fulfillments(first: ${mostParts}) { status
fulfillmentLineItems(first: ${linesOfPart}) { ${part} } pageInfo { hasNextPage } } }
refunds(first: ${mostParts}) {
refundLineItems(first: ${linesOfPart}) { ${part} restockType } pageInfo { hasNextPage } } } } }`

/** Asks for a page of orders that were changed at a time (RFC 3339) or later, the earliest change first. */
export const askOrders = (since: string, after: string | null): ApiRequest =>
  request(ordersQuery, { after, query: `updated_at:>='${since}'` })

/** Asks for further lines of an order. */
export const askLines = (id: string, after: string): ApiRequest => request(linesQuery, { id, after })

/** Asks for what was shipped and refunded of an order. */
export const askParts = (id: string): ApiRequest => request(partsQuery, { id })

/** Asks which of some orders exist, 250 at most. */
export const askExisting = (ids: ReadonlyArray<string>): ApiRequest =>
  request("query Existing($ids: [ID!]!) { nodes(ids: $ids) { id } }", {
    ids: ids.map((id) => `gid://shopify/Order/${id}`),
  })

const webhooksQuery = `query Webhooks($after: String) { webhookSubscriptions(first: 100, after: $after) {
nodes { id topic uri } pageInfo { hasNextPage endCursor } } }`

/** Asks for a page of the webhooks of the app at the shop. */
export const askWebhooks = (after: string | null): ApiRequest => request(webhooksQuery, { after })

const createMutation = `mutation Register($topic: WebhookSubscriptionTopic!, $uri: String!) {
webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) {
userErrors { message } webhookSubscription { id } } }`

/** Registers a webhook. */
export const register = (topic: string, uri: string): ApiRequest =>
  request(createMutation, { topic: topic.toUpperCase().replaceAll("/", "_"), uri })

const Text = Schema.NullOr(Schema.String)
const Whole = Schema.NullOr(Schema.Int)
const Id = Schema.Struct({ id: Schema.String })
const PageInfo = Schema.Struct({ hasNextPage: Schema.Boolean, endCursor: Schema.optional(Text) })
const pageOf = <S extends Schema.Top>(node: S) => Schema.Struct({ nodes: Schema.Array(node), pageInfo: PageInfo })
const dataOf = <S extends Schema.Struct.Fields>(fields: S) => Schema.Struct({ data: Schema.Struct(fields) })

const Attributes = Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.optional(Text) }))

const Lines = pageOf(
  Schema.Struct({
    ...{ id: Schema.String, quantity: Schema.Int, currentQuantity: Schema.Int, requiresShipping: Schema.Boolean },
    customAttributes: Attributes,
    /** The bundle that it is a part of. */
    lineItemGroup: Schema.NullOr(
      Schema.Struct({ id: Schema.String, quantity: Schema.Int, customAttributes: Attributes }),
    ),
  }),
)

const Order = Schema.Struct({
  ...{ id: Schema.String, name: Schema.String, createdAt: Schema.String, updatedAt: Schema.String },
  ...{ cancelledAt: Text, closedAt: Text, test: Schema.Boolean },
  ...{ displayFinancialStatus: Text, displayFulfillmentStatus: Text },
  paymentGatewayNames: Schema.Array(Schema.String),
  paymentTerms: Schema.NullOr(Id),
  lineItems: Lines,
})
type Order = typeof Order.Type

const Parts = Schema.Struct({
  fulfillments: Schema.Array(
    Schema.Struct({
      status: Text,
      fulfillmentLineItems: pageOf(Schema.Struct({ quantity: Whole, lineItem: Id })),
    }),
  ),
  refunds: Schema.Array(
    Schema.Struct({
      refundLineItems: pageOf(Schema.Struct({ quantity: Schema.Int, restockType: Text, lineItem: Id })),
    }),
  ),
})
type Parts = typeof Parts.Type

/** An order as a page has it, which may lack lines and what was shipped of it. */
export interface PartialOrder {
  readonly order: Order
  /** The cursor of its further lines; `null` if it has no others. */
  readonly moreLines: string | null
}

const next = ({ endCursor = null, hasNextPage }: typeof PageInfo.Type): string | null =>
  hasNextPage ? endCursor : null

/** The longest wait that an answer asks for, in milliseconds. */
const longestWait = 60_000

const readErrors = shapeReader(
  Schema.Struct({
    errors: Schema.Array(
      Schema.Struct({
        message: Schema.String,
        extensions: Schema.optional(Schema.Struct({ code: Schema.optional(Schema.String) })),
      }),
    ),
  }),
)

const readCost = shapeReader(
  Schema.Struct({
    extensions: Schema.Struct({
      cost: Schema.Struct({
        requestedQueryCost: Schema.Finite,
        throttleStatus: Schema.Struct({ currentlyAvailable: Schema.Finite, restoreRate: Schema.Finite }),
      }),
    }),
  }),
)

/**
 * The milliseconds after which Shopify's bucket has room for a query that costs as much as the one that was answered;
 * 0 if it has, or if the answer does not say.
 */
export const waitAfter = (answer: unknown): number => {
  const cost = readCost(answer)
  if (cost._tag === "Failure") return 0
  const { requestedQueryCost, throttleStatus } = cost.success.extensions.cost
  const lacking = requestedQueryCost - throttleStatus.currentlyAvailable
  if (lacking <= 0) return 0
  return throttleStatus.restoreRate <= 0
    ? longestWait
    : Math.min(longestWait, Math.ceil((lacking / throttleStatus.restoreRate) * 1_000))
}

/** The fault that an answer with the status 200 has; `undefined` if it has no errors. */
export const shopifyFault = (answer: unknown): ApiFault | undefined => {
  const read = readErrors(answer)
  if (read._tag === "Failure" || read.success.errors.length === 0) return undefined
  const has = (code: string) => read.success.errors.some(({ extensions }) => extensions?.code === code)
  const said = readable(read.success.errors.map((error) => error.message).join("; "))
  if (has("THROTTLED")) {
    return { kind: "throttled", message: `The platform was asked too much: ${said}`, wait: waitAfter(answer) || 1_000 }
  }
  return has("ACCESS_DENIED")
    ? { kind: "key", message: `The access key lacks a right: ${said}`, wait: null }
    : { kind: "outage", message: `The platform has answered: ${said}`, wait: null }
}

/** A reader of the data of an answer without errors. */
const reading = <A, I, B>(schema: Schema.Codec<A, I>, of: (data: A) => B) => {
  const read = shapeReader(schema)
  return (answer: unknown): Result.Result<B, ApiFault> => Result.map(Result.mapError(read(answer), unreadable), of)
}

/** Reads a page of orders, and the cursor of the next one. */
export const readOrders = reading(dataOf({ orders: pageOf(Order) }), ({ data: { orders } }) => ({
  orders: orders.nodes.map((order): PartialOrder => ({ order, moreLines: next(order.lineItems.pageInfo) })),
  next: next(orders.pageInfo),
}))

/** Reads further lines of an order into it. One that is gone meanwhile has none. */
export const readLines = (found: PartialOrder) =>
  reading(dataOf({ order: Schema.NullOr(Schema.Struct({ lineItems: Lines })) }), ({ data }): PartialOrder => {
    const { nodes = [], pageInfo } = data.order?.lineItems ?? {}
    const { order } = found
    const lineItems = { ...order.lineItems, nodes: [...order.lineItems.nodes, ...nodes] }
    return { order: { ...order, lineItems }, moreLines: pageInfo === undefined ? null : next(pageInfo) }
  })

/** Reads what was shipped and refunded of an order; `null` if it is gone. */
export const readParts = reading(dataOf({ order: Schema.NullOr(Parts) }), ({ data }) => data.order)

/** Reads which orders exist. */
export const readExisting = reading(
  dataOf({ nodes: Schema.Array(Schema.NullOr(Schema.Struct({ id: Schema.optional(Schema.String) }))) }),
  ({ data }) => data.nodes.flatMap((node) => (node?.id === undefined ? [] : idText(node.id))),
)

/** A topic as webhooks name it in their header. */
const topicOf = (name: string): string => name.toLowerCase().replace("_", "/")

/** Reads a page of webhooks, and the cursor of the next one. */
export const readWebhooks = reading(
  dataOf({
    webhookSubscriptions: pageOf(
      Schema.Struct({ id: Schema.String, topic: Schema.String, uri: Schema.optional(Text) }),
    ),
  }),
  ({ data: { webhookSubscriptions } }) => ({
    webhooks: webhookSubscriptions.nodes.map(
      ({ id, topic, uri }): ExistingWebhook => ({ id, topic: topicOf(topic), address: uri ?? "", isActive: true }),
    ),
    next: next(webhookSubscriptions.pageInfo),
  }),
)

/** Reads whether a webhook was registered: a sentence if it was not. */
export const readRegistered = reading(
  dataOf({
    webhookSubscriptionCreate: Schema.Struct({
      userErrors: Schema.Array(Schema.Struct({ message: Schema.String })),
      webhookSubscription: Schema.NullOr(Id),
    }),
  }),
  ({ data: { webhookSubscriptionCreate: created } }): string | undefined =>
    created.webhookSubscription === null
      ? readable(created.userErrors.map(({ message }) => message).join("; "))
      : undefined,
)

/** Whether it has to be asked what was shipped and refunded of an order: some pieces are gone, or were shipped. */
export const needsParts = ({ order }: PartialOrder): boolean =>
  order.cancelledAt === null &&
  order.lineItems.nodes.some(
    ({ customAttributes, lineItemGroup }) =>
      customAttributes.length + (lineItemGroup?.customAttributes.length ?? 0) > 0,
  ) &&
  (order.displayFulfillmentStatus === "PARTIALLY_FULFILLED" ||
    order.lineItems.nodes.some(({ currentQuantity, quantity }) => currentQuantity < quantity))

/** States of an order's fulfilment in the words of webhooks; all others are none. */
const fulfilment: Readonly<Record<string, string>> = { FULFILLED: "fulfilled", PARTIALLY_FULFILLED: "partial" }

/** A word of an enumeration as webhooks write it. */
const lower = (word: string | null): string | null => word?.toLowerCase() ?? null

/** Whether there is more of it than was read. */
const isLarger = ({ fulfillments, refunds }: Parts): boolean =>
  fulfillments.length >= mostParts ||
  refunds.length >= mostParts ||
  fulfillments.some(({ fulfillmentLineItems }) => fulfillmentLineItems.pageInfo.hasNextPage) ||
  refunds.some(({ refundLineItems }) => refundLineItems.pageInfo.hasNextPage)

const sentOf = ({ fulfillments }: Parts) =>
  fulfillments.map(({ fulfillmentLineItems, status }) => ({
    status: lower(status),
    line_items: fulfillmentLineItems.nodes.map(({ lineItem, quantity }) => ({ id: lineItem.id, quantity })),
  }))

const refundedOf = ({ refunds }: Parts) =>
  refunds.map(({ refundLineItems }) => ({
    refund_line_items: refundLineItems.nodes.map(({ lineItem, quantity, restockType }) => ({
      ...{ line_item_id: lineItem.id, quantity, restock_type: lower(restockType) },
    })),
  }))

const propertiesOf = (attributes: typeof Attributes.Type) =>
  attributes.map(({ key, value = null }) => ({ name: key, value }))

/** The bundles of an order, each once. */
const groupsOf = ({ lineItems }: Order) => {
  const groups = lineItems.nodes.flatMap(({ lineItemGroup }) => lineItemGroup ?? [])
  const once = new Map(groups.map((group) => [group.id, group]))
  return [...once.values()].map(({ customAttributes, id, quantity }) => ({
    ...{ id, quantity, properties: propertiesOf(customAttributes) },
  }))
}

/**
 * An order with all its lines as the body of a webhook that says the same. `parts`: what was shipped and refunded, if
 * that was asked for. Of an order with more of that than is read, no piece counts as gone.
 */
export const foundShopifyOrder = ({ order }: PartialOrder, parts: Parts | null): FoundOrder => {
  const isWhole = parts === null || !isLarger(parts)
  const refunds = parts === null || !isWhole ? [] : refundedOf(parts)
  const isFulfilled = order.displayFulfillmentStatus === "FULFILLED"
  return {
    id: idText(order.id),
    modifiedAt: parse(order.updatedAt) ?? (Number.NaN as Instant),
    payload: {
      ...{ id: order.id, admin_graphql_api_id: order.id, name: order.name, test: order.test },
      ...{ created_at: order.createdAt, updated_at: order.updatedAt },
      ...{ cancelled_at: order.cancelledAt, closed_at: order.closedAt },
      financial_status: lower(order.displayFinancialStatus),
      fulfillment_status: fulfilment[order.displayFulfillmentStatus ?? ""] ?? null,
      ...{ payment_gateway_names: order.paymentGatewayNames, payment_terms: order.paymentTerms },
      fulfillments: parts === null ? [] : sentOf(parts),
      refunds,
      line_items: order.lineItems.nodes.map(
        ({ currentQuantity, customAttributes, id, lineItemGroup, quantity, requiresShipping }) => ({
          ...{
            id,
            quantity,
            current_quantity: isWhole ? currentQuantity : quantity,
            requires_shipping: requiresShipping,
          },
          fulfillment_status: isFulfilled ? "fulfilled" : null,
          properties: propertiesOf(customAttributes),
          sales_line_item_group_id: lineItemGroup?.id ?? null,
        }),
      ),
      line_item_groups: groupsOf(order),
    },
  }
}
