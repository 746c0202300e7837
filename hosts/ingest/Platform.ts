import type { Headers } from "effect/http"
import type { IngestSource } from "../../core/model/ingest/InboxItem.ts"

/** The content of a webhook's headers. */
export interface WebhookHeaders {
  /** Base64 of the HMAC-SHA256 of the raw body. */
  readonly signature: string | undefined
  readonly topic: string | undefined
  /** The platform's id of the event, the same if it is sent again; `null` if the platform has none. */
  readonly eventId: string | null
  /** When the message was triggered; `null` if the platform does not say. */
  readonly triggeredAt: string | null
  /** The domain, or the address, of the shop on the platform. */
  readonly domain: string | undefined
}

/** How a shop platform sends its webhooks. */
export interface Platform {
  readonly source: IngestSource
  /** Its name for people. */
  readonly name: string
  /**
   * Whether webhooks of a shop that has a secret of its own may be signed with the service's as well: the one of an app
   * for many shops, which only its operator knows.
   */
  readonly isOfService: boolean
  readonly headersOf: (headers: Headers.Headers) => WebhookHeaders
  /** Whether an unsigned body asks if something answers at the address. */
  readonly isPing: (body: string) => boolean
}
