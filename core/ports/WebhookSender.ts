import { Context, type Effect, type Redacted } from "effect"
import type { AttemptError } from "../model/webhooks/Delivery.ts"

/** A certificate and its key, as PEM. */
export interface PresentedCertificate {
  readonly certificate: string
  readonly key: Redacted.Redacted<string>
}

/** A request to send, once. */
export interface WebhookRequest {
  /** `https:`, or `http:` if allowed. */
  readonly url: string
  /** Approved addresses of the URL's host, at least one; the connection goes to one of these (D36). */
  readonly addresses: ReadonlyArray<string>
  /**
   * Header names in their case (D20a). All headers except `Host`, `Content-Length`, `Connection` and
   * `Accept-Encoding: identity`, which the sender adds.
   */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The certificate with its chain to present if the receiver asks for one over TLS, and its key, as PEM (D55). A
   * connection with another one, or with none, must not be used. Default: none.
   */
  readonly clientCertificate?: PresentedCertificate | undefined
  /** Default: POST. */
  readonly method?: "GET" | "POST" | undefined
  /** Sent byte for byte as UTF-8; empty with GET. */
  readonly body: string
  /** Milliseconds from now until the attempt must end. */
  readonly timeout: number
  /** Milliseconds of `timeout` for connecting, TLS included. */
  readonly connectTimeout: number
  /** Maximum bytes of the response's body to read. */
  readonly responseLimit: number
}

/** The response, which is anything with a status line, or the reason for its absence as one word (D32). */
export interface WebhookResponse {
  readonly statusCode: number | null
  /**
   * First bytes of the body as text, without NUL and with U+FFFD for invalid UTF-8; `null` without a status line. With
   * the error `tls` what failed: one of `tlsFaults`.
   */
  readonly responseStart: string | null
  /** The header `Retry-After` as it came, at most 100 characters; `null` without one. */
  readonly retryAfter: string | null
  /** `null` with a status line. */
  readonly error: Exclude<AttemptError, "redirect" | "address_refused" | "dns" | "token"> | null
}

/**
 * Sends webhooks (§6, D26, D36). Adapters must: follow no redirect; decompress nothing; verify certificates against the
 * URL's host; reuse a connection only if its remote address is one of `addresses`; add only the named headers; end by
 * the timeout whatever the receiver does, with the status line if it arrived in time.
 *
 * Never fails: problems with a receiver are a {@link WebhookResponse}. A fault of the sender itself must be a defect,
 * at once: a response, or none until the timeout, would be counted against the receiver. Interruption ends the request.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResponse> }
>()("designwire/WebhookSender") {}
