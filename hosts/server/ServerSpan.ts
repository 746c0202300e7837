import type { IncomingMessage } from "node:http"
import { Effect, Option } from "effect"
import { HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Answer } from "../../core/api/Answer.ts"

/**
 * Answers a request within the span that Effect's server would open: of kind `server`, with the usual attributes, and a
 * child of the span in `traceparent`.
 */
export const inServerSpan = (request: IncomingMessage, answer: Effect.Effect<Answer>): Effect.Effect<Answer> => {
  const response = Effect.map(answer, (body) =>
    HttpServerResponse.raw(body, { status: body.status, headers: body.headers }),
  )
  return HttpMiddleware.tracer(response).pipe(
    Effect.map(({ body }) => (body as { readonly body: unknown }).body as Answer),
    Effect.provideService(HttpServerRequest.HttpServerRequest, requestFor(request)),
  )
}

/** The parts of a request that become attributes. */
const requestFor = (request: IncomingMessage): HttpServerRequest.HttpServerRequest => {
  const { headers, method, url } = request
  const parts = {
    ...{ source: request, method, url, originalUrl: url, headers },
    remoteAddress: Option.fromNullishOr(request.socket.remoteAddress),
    modify: (changed: object) => ({ ...parts, ...changed }),
  }
  return parts as object as HttpServerRequest.HttpServerRequest
}
