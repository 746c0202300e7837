import type { Headers } from "effect/http"
import type { Platform } from "../Platform.ts"

/** The headers of webhooks, and those of Shopify's events, which have the same names without `x-`. */
const families = ["x-shopify-", "shopify-"] as const

/**
 * Shopify's webhooks, in its API versions 2026-07 and 2026-10. The id of the delivery is the one that tells duplicates:
 * `X-Shopify-Event-Id` may be that of several webhooks with different contents.
 */
export const shopify: Platform = {
  source: "shopify",
  headersOf: (headers) => {
    const family = families.find((prefix) => headers[`${prefix}hmac-sha256`] !== undefined) ?? families[0]
    const { [`${family}webhook-id`]: webhookId, [`${family}event-id`]: eventId } = headers as Headers.Headers
    return {
      signature: headers[`${family}hmac-sha256`],
      topic: headers[`${family}topic`],
      eventId: webhookId ?? eventId ?? null,
    }
  },
  isPing: () => false,
}
