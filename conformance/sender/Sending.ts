import { Effect } from "effect"
import { type WebhookRequest, type WebhookResponse, WebhookSender } from "../../core/ports/WebhookSender.ts"

/** For cases that wait for the deadline. */
export const soon = 400

/** Sends to 127.0.0.1 with the times and limits of the specification, unless something else is said. */
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

/** An answer with this code and text. */
export const answered = (statusCode: number, responseStart = ""): WebhookResponse => ({
  statusCode,
  responseStart,
  error: null,
})

/** No answer, and why. */
export const unanswered = (error: NonNullable<WebhookResponse["error"]>): WebhookResponse => ({
  statusCode: null,
  responseStart: null,
  error,
})
