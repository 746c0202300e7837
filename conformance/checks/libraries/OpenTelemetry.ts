/** An application that traces with OpenTelemetry's own packages. */
import * as openTelemetry from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"
import type { DesignwireOptions } from "../../../hosts/embed/index.ts"

/** The option of an application whose provider is registered or not. */
export const telemetry = openTelemetry satisfies DesignwireOptions["telemetry"]

/** Registers a provider for the whole process. */
export const register = () => {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  openTelemetry.trace.setGlobalTracerProvider(provider)
  openTelemetry.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const { createTraceState, ROOT_CONTEXT, trace } = openTelemetry
  return {
    /** What has ended. */
    spans: () =>
      exporter.getFinishedSpans().map((span) => ({
        ...{
          attributes: span.attributes,
          kind: span.kind,
          name: span.name,
          parentSpanId: span.parentSpanContext?.spanId,
        },
        ...{ traceId: span.spanContext().traceId, spanId: span.spanContext().spanId },
        links: span.links.map(({ context }) => context.spanId),
      })),
    /** Runs a function within a span of the application, below a remote one. */
    within: <A>(name: string, traceId: string, state: string, use: () => Promise<A>): Promise<A> => {
      const traceState = createTraceState(state)
      const parent = { traceId, spanId: "00f067aa0ba902b7", traceFlags: 1, isRemote: true, traceState }
      return trace
        .getTracer("shop")
        .startActiveSpan(name, {}, trace.setSpanContext(ROOT_CONTEXT, parent), async (span) => {
          try {
            return await use()
          } finally {
            span.end()
          }
        })
    },
    /** Leaves the process as it was. */
    unregister: () => {
      openTelemetry.trace.disable()
      openTelemetry.context.disable()
    },
  }
}
