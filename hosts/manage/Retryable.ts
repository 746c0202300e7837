import { HttpBody, HttpServerResponse } from "effect/http"

/** Whether errors with a status may pass by themselves. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** The body of an error that is about no input. */
export const errorBody = (status: number, message: string): string =>
  JSON.stringify({ message, retryable: isPassing(status) })

const utf8 = new TextDecoder()

/**
 * Adds `retryable` to the body of an error: whether the same request may succeed later (D89). A 503 also says when to
 * try again.
 */
export const withRetryable = (
  response: HttpServerResponse.HttpServerResponse,
): HttpServerResponse.HttpServerResponse => {
  const { body, status } = response
  if (status < 400 || body._tag !== "Uint8Array") return response
  const error = { retryable: isPassing(status), ...JSON.parse(utf8.decode(body.body)) }
  const { message, retryable, ...rest } = error as { readonly message: string; readonly retryable: boolean }
  const text = JSON.stringify({ message, retryable, ...rest })
  const whole = HttpServerResponse.setBody(response, HttpBody.text(text, "application/json"))
  const isTimed = status !== 503 || response.headers["retry-after"] !== undefined
  return isTimed ? whole : HttpServerResponse.setHeader(whole, "retry-after", "1")
}
