/** Payloads in the shape of Shopify's webhooks, with values of our own. */

/** A line of a sample, and its properties by name. */
export interface SampleLine {
  readonly id: number
  readonly quantity?: number
  readonly currentQuantity?: number
  readonly properties?: Readonly<Record<string, string>>
}

/** What differs between samples. */
export interface SampleOrder {
  readonly id: number
  readonly lines: ReadonlyArray<SampleLine>
  readonly currency?: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly cancelledAt?: string | null
}

const money = (amount: string, currency: string) => ({
  shop_money: { amount, currency_code: currency },
  presentment_money: { amount, currency_code: currency },
})

const address = {
  ...{ first_name: "Ada", last_name: "Byron", name: "Ada Byron", company: null, phone: null },
  ...{ address1: "12 Mill Lane", address2: "", city: "Ashford", zip: "TN23 1AA", province: null },
  ...{ country: "United Kingdom", country_code: "GB", province_code: null, latitude: 51.14, longitude: 0.87 },
}

const customer = {
  ...{ id: 6_200_000_000_001, created_at: null, updated_at: null, first_name: "Ada", last_name: "Byron" },
  ...{ state: "enabled", note: null, verified_email: true, multipass_identifier: null, tax_exempt: false },
  ...{ email: "ada@example.com", phone: null, currency: "EUR", tax_exemptions: [] },
  admin_graphql_api_id: "gid://shopify/Customer/6200000000001",
  default_address: {
    ...{ ...address, id: 8_300_000_000_001, customer_id: 6_200_000_000_001, country_name: "United Kingdom" },
    default: true,
  },
}

const lineItem = (line: SampleLine, currency: string) => ({
  id: line.id,
  admin_graphql_api_id: `gid://shopify/LineItem/${line.id}`,
  attributed_staffs: [],
  current_quantity: line.currentQuantity ?? line.quantity ?? 1,
  fulfillable_quantity: line.quantity ?? 1,
  fulfillment_service: "manual",
  fulfillment_status: null,
  ...{ gift_card: false, grams: 40, name: "Ring", price: "129.00", price_set: money("129.00", currency) },
  ...{ product_exists: true, product_id: 7_100_000_000_001, requires_shipping: true, sku: "RING-1", taxable: true },
  properties: Object.entries(line.properties ?? {}).map(([name, value]) => ({ name, value })),
  quantity: line.quantity ?? 1,
  ...{ sales_line_item_group_id: null, title: "Ring", total_discount: "0.00" },
  total_discount_set: money("0.00", currency),
  ...{ variant_id: 42_000_000_000_001, variant_inventory_management: "shopify", variant_title: null, vendor: "Acme" },
  ...{ tax_lines: [], duties: [], discount_allocations: [] },
})

/** A shipping line, as an order has one for each parcel rate. */
const shippingLine = (currency: string) => ({
  ...{ id: 4_400_000_000_001, carrier_identifier: null, code: "Standard" },
  current_discounted_price_set: money("0.00", currency),
  ...{ discounted_price: "0.00", discounted_price_set: money("0.00", currency), is_removed: false, phone: null },
  ...{ price: "0.00", price_set: money("0.00", currency), requested_fulfillment_service_id: null },
  ...{ source: "shopify", title: "Standard", tax_lines: [], discount_allocations: [] },
})

/**
 * The payload of `orders/create`, `orders/paid`, `orders/updated` and `orders/cancelled`, with the fields of the sample
 * payloads in Shopify's documentation.
 */
export const shopifyOrder = (order: SampleOrder) => {
  const { cancelledAt = null, createdAt = "2026-10-05T10:48:00-04:00", currency = "EUR", id, lines } = order
  const [total, none] = [money("129.00", currency), money("0.00", currency)]
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Order/${id}`,
    ...{ app_id: 580_111, browser_ip: "192.0.2.17", buyer_accepts_marketing: false },
    cancel_reason: cancelledAt === null ? null : "customer",
    cancelled_at: cancelledAt,
    ...{ cart_token: null, checkout_token: "9f1c8a6e0f0d4c7f", client_details: null, closed_at: null },
    ...{ confirmation_number: "XPAV284CT", confirmed: true, contact_email: "ada@example.com", created_at: createdAt },
    currency,
    current_shipping_price_set: none,
    ...{ current_subtotal_price: "129.00", current_subtotal_price_set: total },
    current_total_additional_fees_set: null,
    ...{ current_total_discounts: "0.00", current_total_discounts_set: none, current_total_duties_set: null },
    ...{ current_total_price: "129.00", current_total_price_set: total },
    ...{ current_total_tax: "0.00", current_total_tax_set: none },
    ...{ customer_locale: "en", device_id: null, discount_codes: [], duties_included: false },
    ...{ email: "ada@example.com", estimated_taxes: false, financial_status: "paid", fulfillment_status: null },
    ...{ landing_site: null, landing_site_ref: null, location_id: null },
    ...{ merchant_business_entity_id: "MTU0ODM4MDAwOQ", merchant_of_record_app_id: null },
    ...{ name: `#${id % 10_000}`, note: null, note_attributes: [] },
    ...{ number: (id % 10_000) - 1_000, order_number: id % 10_000 },
    order_status_url: "https://acme.example.com/1/orders/9f1c8a6e/authenticate?key=sample",
    ...{ original_total_additional_fees_set: null, original_total_duties_set: null },
    ...{ payment_gateway_names: ["bogus"], phone: null, po_number: null, presentment_currency: currency },
    ...{ processed_at: createdAt, reference: null, referring_site: null },
    ...{ source_identifier: null, source_name: "web", source_url: null },
    ...{ subtotal_price: "129.00", subtotal_price_set: total, tags: "", tax_exempt: false, tax_lines: [] },
    ...{ taxes_included: true, test: false, token: "9f1c8a6e0f0d4c7f" },
    ...{ total_cash_rounding_payment_adjustment_set: none, total_cash_rounding_refund_adjustment_set: none },
    ...{ total_discounts: "0.00", total_discounts_set: none },
    ...{ total_line_items_price: "129.00", total_line_items_price_set: total, total_outstanding: "0.00" },
    ...{ total_price: "129.00", total_price_set: total, total_shipping_price_set: none },
    ...{ total_tax: "0.00", total_tax_set: none, total_tip_received: "0.00", total_weight: 40 },
    updated_at: order.updatedAt ?? createdAt,
    user_id: null,
    billing_address: address,
    customer,
    ...{ discount_applications: [], fulfillments: [] },
    line_items: lines.map((line) => lineItem(line, currency)),
    ...{ payment_terms: null, refunds: [] },
    shipping_address: address,
    shipping_lines: [shippingLine(currency)],
    ...{ returns: [], line_item_groups: [] },
  }
}

/** The domain of the shop of samples that name none. */
export const sampleDomain = "acme.myshopify.com"

const buyerOf = (domain: string) => ({
  ...{ shop_id: 954_881, shop_domain: domain },
  customer: { id: 6_200_000_000_001, email: "ada@example.com", phone: "+441632960017" },
})

/** The payload of `customers/redact`. */
export const shopifyRedaction = (orders: ReadonlyArray<number>, domain = sampleDomain) => ({
  ...buyerOf(domain),
  orders_to_redact: orders,
})

/** The payload of `customers/data_request`. */
export const shopifyDataRequest = (orders: ReadonlyArray<number>, domain = sampleDomain) => ({
  ...buyerOf(domain),
  orders_requested: orders,
  data_request: { id: 9_991 },
})
