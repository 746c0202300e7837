import { HttpBody, HttpServerResponse } from "effect/http"

/** Statuses of errors that may pass by themselves. */
const passing: ReadonlyArray<number> = [408, 429, 503]

const utf8 = new TextDecoder()

/** Adds `retryable` to the body of an error: whether the same request may succeed later (D89). */
export const withRetryable = (
  response: HttpServerResponse.HttpServerResponse,
): HttpServerResponse.HttpServerResponse => {
  const { body, status } = response
  if (status < 400 || body._tag !== "Uint8Array") return response
  const error = { retryable: passing.includes(status), ...JSON.parse(utf8.decode(body.body)) }
  const { message, retryable, ...rest } = error as { readonly message: string; readonly retryable: boolean }
  const text = JSON.stringify({ message, retryable, ...rest })
  return HttpServerResponse.setBody(response, HttpBody.text(text, "application/json"))
}
