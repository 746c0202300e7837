/**
 * The reason why a request failed, for programs:
 *
 * - `bad_request`: a parameter or an id that is not allowed; the message names it (400, or found before anything was
 *   sent)
 * - `unauthorized`: the token is unknown or revoked, or has ended (401)
 * - `plan_required`: the shop's plan has no REST API (403)
 * - `scope_required`: the token lacks the scope that the message names (403)
 * - `not_found`: the store has no such object (404)
 * - `gone`: events after this position of the feed have been dropped: begin again without `after` (410)
 * - `rate_limited`: more requests than the service allows in 60 seconds, 120 by default, even after all tries (429)
 * - `unavailable`: the service, or a proxy before it, cannot answer at the moment, even after all tries (502, 503,
 *   504)
 * - `server_error`: a fault of the service, even after all tries (any other 5xx)
 * - `unexpected_answer`: not an answer of the REST API: a redirect, a proxy's page, a body that is not JSON, an error
 *   without `X-Api-Version`. Usually `url` is wrong
 * - `network`: no connection, or it broke, even after all tries; `cause` is the error of `fetch`
 * - `timeout`: no complete answer in time, even after all tries
 */
export type RequestErrorCode =
  | "bad_request"
  | "unauthorized"
  | "plan_required"
  | "scope_required"
  | "not_found"
  | "gone"
  | "rate_limited"
  | "unavailable"
  | "server_error"
  | "unexpected_answer"
  | "network"
  | "timeout"

/** The reasons that may pass by themselves. */
const passing: ReadonlyArray<RequestErrorCode> = ["rate_limited", "unavailable", "server_error", "network", "timeout"]

/** Further facts about a failed request. */
interface Details {
  readonly status?: number
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** A request that failed. The message is the service's own if it gave one, and never holds the token. */
export class DesignwireRequestError extends Error {
  override readonly name = "DesignwireRequestError"
  readonly code: RequestErrorCode
  /** The HTTP status; `undefined` without an answer. */
  readonly status: number | undefined
  /** Seconds after which to ask again, if the answer says so (`Retry-After`). */
  readonly retryAfter: number | undefined
  /** Whether the same request may succeed later. The client has tried it again already, as its options say. */
  readonly retryable: boolean

  constructor(code: RequestErrorCode, message: string, { cause, retryAfter, status }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
    this.retryable = passing.includes(code)
  }
}
