import { Effect } from "effect"
import { type TlsFault, tlsFaults } from "../../../core/model/webhooks/TlsFault.ts"
import { type WebhookRequest, type WebhookResponse, WebhookSender } from "../../../core/ports/WebhookSender.ts"

/** Times for cases that wait for the deadline. */
export const soon = 400

/** Sends to 127.0.0.1, by default with the times and limits of the specification. */
export const send = (
  url: string,
  request: Partial<Omit<WebhookRequest, "url">> = {},
): Effect.Effect<WebhookResponse, never, WebhookSender> =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.send({
      url,
      addresses: ["127.0.0.1"],
      headers: { "Content-Type": "application/json", "User-Agent": "Conformance-Webhooks/1.0" },
      body: '{"id":"evt_1"}',
      timeout: 10_000,
      connectTimeout: 5_000,
      responseLimit: 1_024,
      ...request,
    }),
  )

/** A result with this status and text. */
export const answered = (
  statusCode: number,
  responseStart = "",
  retryAfter: string | null = null,
): WebhookResponse => ({
  statusCode,
  responseStart,
  retryAfter,
  error: null,
})

/** A result without a response, and the reason; with `tls` what failed. */
export const unanswered = (
  error: NonNullable<WebhookResponse["error"]>,
  fault: TlsFault | null = null,
): WebhookResponse => ({
  statusCode: null,
  responseStart: fault === null ? null : tlsFaults[fault],
  retryAfter: null,
  error,
})
