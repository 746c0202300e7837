/** The spans of requests: their attributes, and which requests have one. */
import type { IncomingMessage } from "node:http"
import { Effect, Layer } from "effect"
import { HttpMiddleware, HttpServerRequest, UrlParams } from "effect/http"
import { readTraceContext } from "../../core/model/log/TraceContext.ts"
import { TraceState } from "../../core/support/Tracing.ts"

/** Probes come every few seconds, and nobody looks for them. */
const isProbe = (url: string): boolean => /^\/(?:livez|readyz|metrics)(?:\?|$)/.test(url)

/** Values of queries may be one-time keys or words that a person searched for: spans have only their names. */
export const queryNames: ReadonlyArray<RegExp> = [/./]

/** The settings of Effect's spans of requests. */
export const layerSpans: Layer.Layer<never> = Layer.mergeAll(
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }: HttpServerRequest.HttpServerRequest) => isProbe(url)),
  Layer.succeed(UrlParams.CurrentRedactedNames, queryNames),
)

/** Answers probes without spans of what they do. */
export const untracedProbes = <A, E, R>(app: Effect.Effect<A, E, R>) =>
  HttpServerRequest.HttpServerRequest.use(({ url }) => (isProbe(url) ? Effect.withTracerEnabled(app, false) : app))

/** Passes the `tracestate` of a request on to the events that it causes. */
export const withTraceState = <A, E, R>({ headers }: IncomingMessage, change: Effect.Effect<A, E, R>) => {
  const { traceparent, tracestate } = headers
  return typeof tracestate === "string" &&
    typeof traceparent === "string" &&
    readTraceContext(traceparent) !== undefined
    ? Effect.provideService(change, TraceState, tracestate)
    : change
}
