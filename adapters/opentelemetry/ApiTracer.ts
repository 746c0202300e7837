/** Spans by the tracer provider that an application has registered with the module `@opentelemetry/api`. */
import { Cause, type Context, type Exit, Option, Tracer } from "effect"
import type { ApiSpan, AttributeValue, OpenTelemetryApi, SpanContext, SpanOptions } from "./Api.ts"
import { withoutLoneStatements } from "./Beginnings.ts"

/** The application's active span, and its `tracestate`. */
export interface ActiveSpan {
  readonly span: Tracer.ExternalSpan
  readonly state: string | undefined
}

/** Contexts of spans of the application, with all that its tracer has put into them. */
const foreign = new WeakMap<Tracer.AnySpan, SpanContext>()

const isValid = ({ spanId, traceId }: SpanContext): boolean => /[^0]/.test(traceId) && /[^0]/.test(spanId)

/** The span that is active at the call; `undefined` without one. */
export const activeSpan = ({ context, trace }: OpenTelemetryApi): ActiveSpan | undefined => {
  const found = trace.getSpanContext(context.active())
  if (found === undefined || !isValid(found)) return undefined
  const { spanId, traceFlags, traceId, traceState } = found
  const span = Tracer.externalSpan({ traceId, spanId, sampled: (traceFlags & 1) === 1 })
  foreign.set(span, found)
  return { span, state: traceState?.serialize() }
}

/** The kinds of spans by their numbers. */
const kinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } satisfies Record<Tracer.SpanKind, number>

const contextOf = (span: Tracer.AnySpan): SpanContext => {
  if (span instanceof Span) return span.context
  const { sampled, spanId, traceId } = span
  return foreign.get(span) ?? { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true }
}

const timeOf = (nanoseconds: bigint): [number, number] => [
  Number(nanoseconds / 1_000_000_000n),
  Number(nanoseconds % 1_000_000_000n),
]

const valueOf = (value: unknown): AttributeValue =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value)

const linksOf = (links: ReadonlyArray<Tracer.SpanLink>) => links.map(({ span }) => ({ context: contextOf(span) }))

type Options = Parameters<Tracer.Tracer["span"]>[0]

class Span implements Tracer.Span {
  readonly _tag = "Span"
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly annotations: Context.Context<never>
  readonly links: Array<Tracer.SpanLink>
  readonly kind: Tracer.SpanKind
  readonly attributes = new Map<string, unknown>()
  readonly #span: ApiSpan
  readonly context: SpanContext
  status: Tracer.SpanStatus

  constructor(span: ApiSpan, { annotations, kind, links, name, parent, startTime }: Options) {
    this.#span = span
    this.context = span.spanContext()
    this.annotations = annotations
    this.kind = kind
    this.links = links
    this.name = name
    this.parent = parent
    this.status = { _tag: "Started", startTime }
  }

  get traceId(): string {
    return this.context.traceId
  }

  get spanId(): string {
    return this.context.spanId
  }

  get sampled(): boolean {
    return (this.context.traceFlags & 1) === 1
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
    this.#span.setAttribute(key, valueOf(value))
    if (key === "http.route" && this.kind === "server") this.#span.updateName(`${this.name} ${value}`)
  }

  event(name: string, startTime: bigint, attributes: Record<string, unknown> = {}): void {
    const values = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, valueOf(value)]))
    this.#span.addEvent(name, values, timeOf(startTime))
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links.push(...links)
    this.#span.addLinks(linksOf(links))
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
    if (exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause)) {
      const [error] = Cause.prettyErrors(exit.cause)
      this.#span.setStatus({ code: 2, ...(error === undefined ? {} : { message: error.message }) })
    }
    this.#span.end(timeOf(endTime))
  }
}

/** A tracer that makes spans by the application's provider, which samples and exports them. */
export const apiTracer = (api: OpenTelemetryApi): Tracer.Tracer => {
  const tracer = api.trace.getTracer("designwire")
  const made = Tracer.make({
    span: (options) => {
      const begun: SpanOptions = {
        kind: kinds[options.kind],
        startTime: timeOf(options.startTime),
        links: linksOf(options.links),
      }
      const context = Option.match(options.parent, {
        onNone: () => api.ROOT_CONTEXT,
        onSome: (parent) => api.trace.setSpanContext(api.ROOT_CONTEXT, contextOf(parent)),
      })
      return new Span(tracer.startSpan(options.name, begun, context), options)
    },
  })
  return withoutLoneStatements(made)
}
