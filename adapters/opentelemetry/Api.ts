/** The parts of the module `@opentelemetry/api` that spans need, so that the package itself is not needed. */

/** Additions of other tracers to `traceparent`. */
export interface TraceState {
  get(key: string): string | undefined
  set(key: string, value: string): TraceState
  unset(key: string): TraceState
  serialize(): string
}

/** The ids of a span. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
  readonly isRemote?: boolean
  readonly traceState?: TraceState
}

/** The parts that a span has from its start. */
export interface SpanOptions {
  readonly kind?: number
  readonly startTime?: [seconds: number, nanoseconds: number]
  readonly links?: Array<{ context: SpanContext }>
}

/** A span of OpenTelemetry. */
export interface ApiSpan {
  spanContext(): SpanContext
  setAttribute(key: string, value: AttributeValue): unknown
  addEvent(name: string, attributes: Readonly<Record<string, AttributeValue>>, time: [number, number]): unknown
  addLinks(links: Array<{ context: SpanContext }>): unknown
  setStatus(status: { code: number; message?: string }): unknown
  updateName(name: string): unknown
  end(time: [number, number]): void
}

/** A value of an attribute. */
export type AttributeValue = string | number | boolean

/** The module `@opentelemetry/api`, from version 1.9: `import * as openTelemetry from "@opentelemetry/api"`. */
export interface OpenTelemetryApi {
  readonly ROOT_CONTEXT: object
  readonly context: { active(): object }
  readonly trace: {
    // biome-ignore lint/suspicious/noExplicitAny: a context of the package is of its own type
    getTracer(name: string): { startSpan(name: string, options: SpanOptions, context: any): ApiSpan }
    // biome-ignore lint/suspicious/noExplicitAny: a context of the package is of its own type
    getSpanContext(context: any): SpanContext | undefined
    // biome-ignore lint/suspicious/noExplicitAny: a context of the package is of its own type
    setSpanContext(context: any, spanContext: SpanContext): object
  }
}
