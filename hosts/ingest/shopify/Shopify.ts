import type { Headers } from "effect/http"
import type { Platform } from "../Platform.ts"

/** The beginnings of the names of headers: of webhooks, and of Shopify's events. */
const families = ["x-shopify-", "shopify-"] as const

/**
 * Shopify's webhooks, in its API versions 2026-07 and 2026-10. Duplicates have the same id of the delivery; several
 * webhooks with different contents may have the same `X-Shopify-Event-Id`.
 */
export const shopify: Platform = {
  source: "shopify",
  name: "Shopify",
  isOfService: true,
  headersOf: (headers) => {
    const family = families.find((prefix) => headers[`${prefix}hmac-sha256`] !== undefined) ?? families[0]
    const { [`${family}webhook-id`]: webhookId, [`${family}event-id`]: eventId } = headers as Headers.Headers
    return {
      signature: headers[`${family}hmac-sha256`],
      topic: headers[`${family}topic`],
      eventId: webhookId ?? eventId ?? null,
      triggeredAt: headers[`${family}triggered-at`] ?? null,
      domain: headers[`${family}shop-domain`],
    }
  },
  isPing: () => false,
}
