import type { IncomingMessage } from "node:http"
import { Clock, Context, Effect, Option, References, Tracer } from "effect"
import { type Headers, HttpMiddleware, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import type { Answer } from "../../core/api/Answer.ts"

/** Opens the span of a request, of kind `server` and a child of the span in `traceparent`, if any. */
export type OpenSpan = (request: IncomingMessage) => Tracer.Span

/** Opens spans by the current tracer: `undefined` if nobody takes them. */
export const openServerSpan: Effect.Effect<OpenSpan | undefined> = Effect.gen(function* () {
  const [tracer, isEnabled, clock] = [yield* Tracer.Tracer, yield* References.TracerEnabled, yield* Clock.Clock]
  if (!isEnabled || tracer === Tracer.nativeTracer) return undefined
  return ({ headers, method }) => {
    const parent = HttpTraceContext.fromHeaders(headers as Headers.Headers)
    return tracer.span({
      ...{ name: method ?? "", kind: "server", parent, root: false, annotations: Context.empty(), links: [] },
      ...{ sampled: !Option.isSome(parent) || parent.value.sampled, startTime: clock.currentTimeNanosUnsafe() },
    })
  }
})

/** Answers a request within its open span, to which Effect's server adds the usual attributes, and which it ends. */
export const inServerSpan = (
  request: IncomingMessage,
  span: Tracer.Span,
  answer: Effect.Effect<Answer>,
): Effect.Effect<Answer> => {
  const response = Effect.map(answer, (body) =>
    HttpServerResponse.raw(body, { status: body.status, headers: body.headers }),
  )
  return HttpMiddleware.tracer(response).pipe(
    Effect.map(({ body }) => (body as { readonly body: unknown }).body as Answer),
    Effect.provideService(HttpServerRequest.HttpServerRequest, requestFor(request)),
    Effect.updateContext((context: Context.Context<never>) =>
      Context.add(context, Tracer.Tracer, withOpen(Context.get(context, Tracer.Tracer), span)),
    ),
  )
}

/** A tracer that returns a request's open span instead of another one. */
const withOpen = (tracer: Tracer.Tracer, open: Tracer.Span): Tracer.Tracer => ({
  ...tracer,
  span: (options) => (options.kind === "server" ? open : tracer.span(options)),
})

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
