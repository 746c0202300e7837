import { Tracer } from "effect"

/**
 * A tracer whose spans of requests are named by method and route, as OpenTelemetry names them, once the route is known:
 * Effect knows it after the span has begun.
 */
export const namedByRoute = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...(tracer.context === undefined ? {} : { context: tracer.context }),
    span: (options) => {
      const span = tracer.span(options)
      if (options.kind !== "server" || !span.sampled) return span
      const set = span.attribute.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          set(key, value)
          if (key === "http.route") Object.assign(span, { name: `${options.name} ${value}` })
        },
      })
    },
  })
