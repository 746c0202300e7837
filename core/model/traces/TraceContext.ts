import { Option, type Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/**
 * The trace that an event belongs to, as it is kept: `traceparent` of W3C Trace Context, and after a space `tracestate`
 * if there is one. At most 568 printable ASCII characters.
 */
export type TraceContext = string

/** Headers that carry a trace to another service. */
export interface TraceHeaders {
  readonly traceparent: string
  readonly tracestate?: string
}

/** The length that services must pass on at least. Longer ones are dropped, as the standard allows. */
const longestState = 512

const stateOf = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= longestState && /^[!-~][ -~]*$/.test(text) ? text : undefined

/**
 * The headers that make a receiver's spans children of a span; `undefined` if the span has no ids, as some tracers
 * make them. A `tracestate` that is malformed is left out.
 */
export const traceHeaders = (span: Tracer.AnySpan, state?: string): TraceHeaders | undefined => {
  if (!/[^0]/.test(span.traceId) || !/[^0]/.test(span.spanId)) return undefined
  const traceparent = `00-${span.traceId.padStart(32, "0")}-${span.spanId}-${span.sampled ? "01" : "00"}`
  const tracestate = stateOf(state)
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate }
}

/** The context that makes later spans children of a span; `null` if the span has no ids. */
export const traceContextOf = (span: Tracer.AnySpan, state?: string): TraceContext | null => {
  const headers = traceHeaders(span, state)
  return headers === undefined ? null : Object.values(headers).join(" ")
}

/** The span that a context names, and its `tracestate`. A malformed context is none. */
export const readTraceContext = (
  context: TraceContext | null,
): { readonly span: Tracer.ExternalSpan; readonly state: string | undefined } | undefined => {
  const [, traceparent = "", state] = /^(\S+)(?: (.*))?$/s.exec(context ?? "") ?? []
  const span = HttpTraceContext.w3c(Headers.fromRecordUnsafe({ traceparent }))
  return Option.isNone(span) ? undefined : { span: span.value, state: stateOf(state) }
}
