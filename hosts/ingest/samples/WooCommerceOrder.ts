/** Payloads in the shape of WooCommerce's webhooks (REST API v3), with values of our own. */
import type { SampleLine } from "./ShopifyOrder.ts"

/** What differs between samples. Times are in UTC, without an offset. */
export interface SampleWooCommerceOrder {
  readonly id: number
  readonly lines: ReadonlyArray<SampleLine>
  readonly status?: string
  readonly currency?: string
  readonly createdAt?: string
  readonly modifiedAt?: string
}

const address = {
  ...{ first_name: "Ada", last_name: "Byron", company: "", address_1: "12 Mill Lane", address_2: "" },
  ...{ city: "Ashford", state: "", postcode: "TN23 1AA", country: "GB", phone: "" },
}

const lineItem = ({ id, properties = {}, quantity = 1 }: SampleLine) => ({
  ...{ id, name: "Ring", product_id: 93, variation_id: 0, quantity, tax_class: "" },
  ...{ subtotal: "129.00", subtotal_tax: "0.00", total: "129.00", total_tax: "0.00", taxes: [] },
  meta_data: Object.entries(properties).map(([key, value], index) => ({
    ...{ id: id * 10 + index, key, value, display_key: key, display_value: value },
  })),
  ...{ sku: "RING-1", global_unique_id: "", price: 129, image: { id: "12", src: "" }, parent_name: null },
})

/** The payload of `order.created`, `order.updated` and `order.restored`. */
export const wooCommerceOrder = (order: SampleWooCommerceOrder) => {
  const { createdAt = "2026-10-05T14:48:00", currency = "EUR", id, status = "processing" } = order
  const modifiedAt = order.modifiedAt ?? createdAt
  return {
    ...{ id, parent_id: 0, status, currency, version: "10.2.1", prices_include_tax: true },
    date_created: createdAt,
    date_modified: modifiedAt,
    ...{ discount_total: "0.00", discount_tax: "0.00", shipping_total: "0.00", shipping_tax: "0.00" },
    ...{ cart_tax: "0.00", total: "129.00", total_tax: "0.00", customer_id: 0, order_key: "wc_order_9f1c8a6e0f0d4" },
    billing: { ...address, email: "ada@example.com" },
    shipping: address,
    ...{ payment_method: "bacs", payment_method_title: "Direct bank transfer", transaction_id: "" },
    ...{ customer_ip_address: "192.0.2.17", customer_user_agent: "", created_via: "checkout", customer_note: "" },
    ...{ date_completed: null, date_paid: null, cart_hash: "", number: String(id), meta_data: [] },
    line_items: order.lines.map(lineItem),
    ...{ tax_lines: [], shipping_lines: [], fee_lines: [], coupon_lines: [], refunds: [] },
    ...{ payment_url: "", is_editable: false, needs_payment: false, needs_processing: true },
    date_created_gmt: createdAt,
    date_modified_gmt: modifiedAt,
    ...{ date_completed_gmt: null, date_paid_gmt: null, currency_symbol: "€" },
    _links: { self: [{ href: `https://acme.example.com/wp-json/wc/v3/orders/${id}` }] },
  }
}

/** The payload of `order.deleted`. */
export const wooCommerceDeletion = (id: number) => ({ id })
