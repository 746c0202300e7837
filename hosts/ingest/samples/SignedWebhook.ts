import { createHmac, randomUUID } from "node:crypto"
import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"

/** A webhook to sign. */
export interface SampleWebhook {
  readonly topic: string
  readonly body: string
  readonly secret: string
  /** The id of the delivery. Default: a new one. */
  readonly id?: string
  /** The shop's domain on the platform. Default: one of a sample. */
  readonly domain?: string | undefined
}

/** The headers of a webhook as the platform sends it. */
export const signedHeaders: Readonly<
  Record<IngestSource, (webhook: SampleWebhook) => Readonly<Record<string, string>>>
> = {
  shopify: ({ body, domain = "acme.myshopify.com", id = randomUUID(), secret, topic }) => ({
    "content-type": "application/json",
    "x-shopify-topic": topic,
    "x-shopify-hmac-sha256": signatureOf(body, secret),
    "x-shopify-shop-domain": domain,
    "x-shopify-api-version": "2026-10",
    "x-shopify-webhook-id": id,
    "x-shopify-event-id": randomUUID(),
    "x-shopify-triggered-at": new Date().toISOString(),
  }),
  woocommerce: ({ body, domain = "acme.example.com", id = "4b1e6f0c9d", secret, topic }) => {
    const [resource = "", event = ""] = topic.split(".")
    return {
      "content-type": "application/json",
      "x-wc-webhook-source": `https://${domain}/`,
      "x-wc-webhook-topic": topic,
      "x-wc-webhook-resource": resource,
      "x-wc-webhook-event": event,
      "x-wc-webhook-signature": signatureOf(body, secret),
      "x-wc-webhook-id": "7",
      "x-wc-webhook-delivery-id": id,
    }
  },
}

/**
 * The text of a payload as platforms send it: with escapes that `JSON.stringify` does not write. A body that was parsed
 * and written again has another signature.
 */
export const asSent = (payload: unknown): string =>
  JSON.stringify(payload)
    .replaceAll("/", "\\/")
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Base64 of the HMAC-SHA256 of a body, the signature of both platforms. */
const signatureOf = (body: string, secret: string): string => createHmac("sha256", secret).update(body).digest("base64")
