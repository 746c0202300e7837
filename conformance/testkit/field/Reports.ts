/** Webhooks of states of an order, as of a minute, for sequences of our own. */
import { shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import type { FieldWebhook } from "./RunCase.ts"

const property = "_designwire_id"

const two = (number: number): string => String(number).padStart(2, "0")

/** A line of Shopify; without a design it has no property. */
type ShopifyLine = readonly [design: string | null, pieces: number, fields?: object]

/** A state of Shopify's order 7. */
export const shopify = (
  minute: number,
  lines: ReadonlyArray<ShopifyLine>,
  { id = 7, ...rest }: { readonly id?: number; readonly [field: string]: unknown } = {},
): FieldWebhook => {
  const at = `2026-11-20T10:${two(minute)}:00Z`
  const order = shopifyOrder({
    ...{ id, createdAt: "2026-11-20T10:00:00Z", updatedAt: at },
    lines: lines.map(([design, pieces], index) => ({
      ...{ id: 10 * id + 1 + index, quantity: Math.max(1, pieces), currentQuantity: pieces },
      ...(design === null ? {} : { properties: { [property]: design } }),
    })),
  })
  return {
    topic: "orders/updated",
    headers: {
      "x-shopify-topic": "orders/updated",
      "x-shopify-hmac-sha256": { $sign: true },
      "x-shopify-triggered-at": at,
    },
    body: { ...order, line_items: order.line_items.map((line, index) => ({ ...line, ...lines[index]?.[2] })), ...rest },
  }
}

/** A line of WooCommerce. */
type WooCommerceLine = readonly [id: number, design: string | null, pieces: number, fields?: object]

/** A state of WooCommerce's order 7. */
export const wooCommerce = (
  minute: number,
  lines: ReadonlyArray<WooCommerceLine>,
  status = "processing",
  {
    id = 7,
    topic = "order.updated",
    ...rest
  }: { readonly id?: number; readonly topic?: string; readonly [field: string]: unknown } = {},
): FieldWebhook => {
  const order = wooCommerceOrder({
    ...{ id, status, createdAt: "2026-11-20T10:00:00", modifiedAt: `2026-11-20T10:${two(minute)}:00` },
    lines: lines.map(([line, design, quantity]) => ({
      ...{ id: line, quantity },
      ...(design === null ? {} : { properties: { [property]: design } }),
    })),
  })
  const headers = { "x-wc-webhook-topic": topic, "x-wc-webhook-signature": { $sign: true } }
  const line_items = order.line_items.map((line, index) => ({ ...line, ...lines[index]?.[3] }))
  return { topic, headers, body: { ...order, line_items, ...rest } }
}

/** The deletion of WooCommerce's order 7, which names only its id. */
export const deleted: FieldWebhook = {
  topic: "order.deleted",
  headers: { "x-wc-webhook-topic": "order.deleted", "x-wc-webhook-signature": { $sign: true } },
  body: { id: 7 },
}

/** A list in every order. */
export const permutations = <A>(list: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  list.length <= 1
    ? [list]
    : list.flatMap((first, index) => permutations(list.toSpliced(index, 1)).map((rest) => [first, ...rest]))
