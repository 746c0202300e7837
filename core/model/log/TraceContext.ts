import { Tracer } from "effect"

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

/** Version 00 of `traceparent`, and after a space `tracestate`. */
const form = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?: (.*))?$/s

const hasIds = (traceId: string, spanId: string): boolean => /[^0]/.test(traceId) && /[^0]/.test(spanId)

const stateOf = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= longestState && /^[!-~][ -~]*$/.test(text) ? text : undefined

/**
 * The headers that make a receiver's spans children of a span; `undefined` if the span has no ids, as some tracers
 * make them. A `tracestate` that is malformed is left out.
 */
export const traceHeaders = (span: Tracer.AnySpan, state?: string): TraceHeaders | undefined => {
  if (!hasIds(span.traceId, span.spanId)) return undefined
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
  // Every attempt reads one, so it is a single match, not Effect's reader of headers.
  const [, traceId, spanId, flags, state] = form.exec(context ?? "") ?? []
  if (traceId === undefined || spanId === undefined || !hasIds(traceId, spanId)) return undefined
  const sampled = (Number.parseInt(flags ?? "", 16) & 1) === 1
  return { span: Tracer.externalSpan({ traceId, spanId, sampled }), state: stateOf(state) }
}
