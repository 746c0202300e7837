import type { Platform } from "../Platform.ts"

/**
 * WooCommerce's webhooks (REST API v3). Its ids of deliveries are not unique, so duplicates have the same order and
 * modification. When a webhook is saved, it sends its number in a form that nobody has signed, and expects 200.
 */
export const wooCommerce: Platform = {
  source: "woocommerce",
  name: "WooCommerce",
  // Sites have owners, and each owner may know a secret that several sites have.
  isOfService: false,
  headersOf: (headers) => ({
    signature: headers["x-wc-webhook-signature"],
    topic: headers["x-wc-webhook-topic"],
    eventId: null,
    triggeredAt: null,
    domain: headers["x-wc-webhook-source"],
  }),
  isPing: (body) => /^webhook_id=\d{1,20}$/.test(body),
}
