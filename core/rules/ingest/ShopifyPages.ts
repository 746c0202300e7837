/**
 * Orders as Shopify's Admin GraphQL answers them, in the form of its webhooks: what is found goes through the same
 * reader as what has come (D88).
 */
import { Schema } from "effect"
import { shapeReader } from "./Reading.ts"

/** Lines of an order in one answer. Others are asked for by `linesQuery`. */
const linesOfPage = 250

const line = `nodes { id quantity currentQuantity requiresShipping customAttributes { key value } }
pageInfo { hasNextPage endCursor }`

const order = `id name createdAt updatedAt cancelledAt closedAt test displayFinancialStatus displayFulfillmentStatus
paymentGatewayNames paymentTerms { id }
lineItems(first: ${linesOfPage}) { ${line} }
fulfillments { status fulfillmentLineItems(first: ${linesOfPage}) { nodes { quantity lineItem { id } } } }
refunds { refundLineItems(first: ${linesOfPage}) { nodes { quantity restockType lineItem { id } } } }`

/** Asks for a page of orders that were changed, the earliest change first. Variables: {@link ordersVariables}. */
export const ordersQuery = `query Changed($first: Int!, $after: String, $query: String!) {
orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) { nodes { ${order} }
pageInfo { hasNextPage endCursor } } }`

/** Asks for further lines of an order. Variables: `id` and `after`. */
export const linesQuery = `query Lines($id: ID!, $after: String!) {
order(id: $id) { lineItems(first: ${linesOfPage}, after: $after) { ${line} } } }`

/** The variables of {@link ordersQuery}: orders that were changed at a time (RFC 3339) or later. */
export const ordersVariables = (since: string, after: string | null, first: number) => ({
  ...{ first, after },
  query: `updated_at:>='${since}'`,
})

const Text = Schema.NullOr(Schema.String)
const PageInfo = Schema.Struct({ hasNextPage: Schema.Boolean, endCursor: Schema.optional(Text) })
const nodesOf = <S extends Schema.Top>(node: S) => Schema.Struct({ nodes: Schema.Array(node) })

const Lines = Schema.Struct({
  nodes: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      quantity: Schema.Int,
      currentQuantity: Schema.Int,
      requiresShipping: Schema.Boolean,
      customAttributes: Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.optional(Text) })),
    }),
  ),
  pageInfo: PageInfo,
})
type Lines = typeof Lines.Type

const Order = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String,
  cancelledAt: Text,
  closedAt: Text,
  test: Schema.Boolean,
  displayFinancialStatus: Text,
  displayFulfillmentStatus: Text,
  paymentGatewayNames: Schema.Array(Schema.String),
  paymentTerms: Schema.NullOr(Schema.Struct({ id: Schema.String })),
  lineItems: Lines,
  fulfillments: Schema.Array(
    Schema.Struct({
      status: Text,
      fulfillmentLineItems: nodesOf(
        Schema.Struct({ quantity: Schema.NullOr(Schema.Int), lineItem: Schema.Struct({ id: Schema.String }) }),
      ),
    }),
  ),
  refunds: Schema.Array(
    Schema.Struct({
      refundLineItems: nodesOf(
        Schema.Struct({
          quantity: Schema.Int,
          restockType: Text,
          lineItem: Schema.Struct({ id: Schema.String }),
        }),
      ),
    }),
  ),
})

const readOrders = shapeReader(
  Schema.Struct({
    data: Schema.Struct({ orders: Schema.Struct({ nodes: Schema.Array(Order), pageInfo: PageInfo }) }),
  }),
)
const readLines = shapeReader(
  Schema.Struct({ data: Schema.Struct({ order: Schema.NullOr(Schema.Struct({ lineItems: Lines })) }) }),
)

/** Lines in the form of webhooks, and the cursor of the next ones. */
export interface FoundLines {
  readonly lines: ReadonlyArray<object>
  readonly moreLines: string | null
}

/** An order that was found: the body of a webhook that says the same, which may lack lines. */
export interface FoundOrder {
  readonly id: string
  readonly payload: { readonly [name: string]: unknown }
  /** Where its further lines begin; `null` if it has no others. */
  readonly moreLines: string | null
}

const next = ({ endCursor = null, hasNextPage }: typeof PageInfo.Type): string | null =>
  hasNextPage ? endCursor : null

const foundLines = ({ nodes, pageInfo }: Lines): FoundLines => ({
  lines: nodes.map(({ currentQuantity, customAttributes, id, quantity, requiresShipping }) => ({
    ...{ id, quantity, current_quantity: currentQuantity, requires_shipping: requiresShipping },
    fulfillment_status: null,
    properties: customAttributes.map(({ key, value = null }) => ({ name: key, value })),
  })),
  moreLines: next(pageInfo),
})

/** States of an order's fulfilment in the words of webhooks; all others are none. */
const fulfilment: Readonly<Record<string, string>> = { FULFILLED: "fulfilled", PARTIALLY_FULFILLED: "partial" }

/** A word of an enumeration as webhooks write it. */
const lower = (word: string | null): string | null => word?.toLowerCase() ?? null

const foundOrder = (found: typeof Order.Type): FoundOrder => {
  const { lines, moreLines } = foundLines(found.lineItems)
  return {
    id: found.id,
    moreLines,
    payload: {
      ...{ id: found.id, admin_graphql_api_id: found.id, name: found.name, test: found.test },
      ...{ created_at: found.createdAt, updated_at: found.updatedAt },
      ...{ cancelled_at: found.cancelledAt, closed_at: found.closedAt },
      financial_status: lower(found.displayFinancialStatus),
      fulfillment_status: fulfilment[found.displayFulfillmentStatus ?? ""] ?? null,
      ...{ payment_gateway_names: found.paymentGatewayNames, payment_terms: found.paymentTerms },
      fulfillments: found.fulfillments.map(({ fulfillmentLineItems, status }) => ({
        status: lower(status),
        line_items: fulfillmentLineItems.nodes.map(({ lineItem, quantity }) => ({ id: lineItem.id, quantity })),
      })),
      refunds: found.refunds.map(({ refundLineItems }) => ({
        refund_line_items: refundLineItems.nodes.map(({ lineItem, quantity, restockType }) => ({
          ...{ line_item_id: lineItem.id, quantity, restock_type: lower(restockType) },
        })),
      })),
      line_items: lines,
    },
  }
}

/** What Shopify answers instead of a page. */
export type Refusal =
  | { readonly _tag: "Throttled"; readonly milliseconds: number }
  | { readonly _tag: "LostKey"; readonly message: string }
  | { readonly _tag: "Unreadable"; readonly message: string }

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

/** Why an answer has no page; `undefined` if it has no errors. */
const refusalOf = (answer: unknown): Refusal | undefined => {
  const read = readErrors(answer)
  if (read._tag === "Failure" || read.success.errors.length === 0) return undefined
  const has = (code: string) => read.success.errors.some(({ extensions }) => extensions?.code === code)
  if (has("THROTTLED")) return { _tag: "Throttled", milliseconds: waitAfter(answer) || 1_000 }
  const message = read.success.errors.map((error) => error.message).join("; ")
  return has("ACCESS_DENIED") ? { _tag: "LostKey", message } : { _tag: "Unreadable", message }
}

/** A page of orders, and the cursor of the next one. */
export interface OrdersPage {
  readonly _tag: "Page"
  readonly orders: ReadonlyArray<FoundOrder>
  readonly next: string | null
}

/** Reads an answer to {@link ordersQuery}. */
export const readOrdersPage = (answer: unknown): OrdersPage | Refusal => {
  const refusal = refusalOf(answer)
  if (refusal !== undefined) return refusal
  const read = readOrders(answer)
  if (read._tag === "Failure") return { _tag: "Unreadable", message: read.failure }
  const { nodes, pageInfo } = read.success.data.orders
  return { _tag: "Page", orders: nodes.map(foundOrder), next: next(pageInfo) }
}

/** Reads an answer to {@link linesQuery}. An order that is gone meanwhile has no further lines. */
export const readLinesPage = (answer: unknown): ({ readonly _tag: "Lines" } & FoundLines) | Refusal => {
  const refusal = refusalOf(answer)
  if (refusal !== undefined) return refusal
  const read = readLines(answer)
  if (read._tag === "Failure") return { _tag: "Unreadable", message: read.failure }
  const { order: found } = read.success.data
  return found === null
    ? { _tag: "Lines", lines: [], moreLines: null }
    : { _tag: "Lines", ...foundLines(found.lineItems) }
}

/** An order with further lines. */
export const withLines = ({ id, payload }: FoundOrder, { lines, moreLines }: FoundLines): FoundOrder => ({
  ...{ id, moreLines },
  payload: { ...payload, line_items: [...(payload["line_items"] as ReadonlyArray<object>), ...lines] },
})
