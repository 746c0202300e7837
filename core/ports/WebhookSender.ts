import { Context, type Effect } from "effect"
import type { AttemptError } from "../model/Delivery.ts"

/** A request to send, once. */
export interface WebhookRequest {
  /** `https:`, or `http:` where that is allowed. */
  readonly url: string
  /** The addresses of the URL's host that were just approved, at least one; the connection goes to one of them and to no other (D36). */
  readonly addresses: ReadonlyArray<string>
  /** Names in the case in which they are sent (D20a). All headers but `Host`, `Content-Length`, `Connection` and `Accept-Encoding: identity`, which the sender adds. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent byte for byte, as UTF-8. */
  readonly body: string
  /** Milliseconds from now until the attempt has to be over. */
  readonly timeout: number
  /** Milliseconds of those that connecting may take, TLS included. */
  readonly connectTimeout: number
  /** Of the response's body at most this many bytes are read. */
  readonly responseLimit: number
}

/** What came back. An answer is whatever has a status line; why there is none is said in one word (D32). */
export interface WebhookResponse {
  readonly statusCode: number | null
  /** The first bytes of the body as text, without NUL and with U+FFFD where they are not UTF-8; `null` without a status line. */
  readonly responseStart: string | null
  /** `null` where a status line came. */
  readonly error: Exclude<AttemptError, "redirect" | "address_refused" | "dns"> | null
}

/**
 * Sends webhooks (§6, D26, D36). Adapters must: follow no redirect; decompress nothing; verify certificates against the URL's host; use a kept-alive connection only if its
 * remote address is one of `addresses`; add no header of their own but those named; end by the timeout whatever the receiver does, with the
 * status line if it came in time.
 *
 * Never fails: what goes wrong with a receiver is a {@link WebhookResponse}. Interruption ends the request.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResponse> }
>()("designwire/WebhookSender") {}
