/** The spans of an embedded service, and their place in the application's traces. */
import { Effect, Layer, Tracer } from "effect"
import { type ActiveSpan, activeSpan, apiTracer } from "../../adapters/opentelemetry/ApiTracer.ts"
import { TraceState } from "../../core/support/Tracing.ts"
import type { DesignwireOptions } from "./Options.ts"

/** A value of the option `telemetry`. */
export type TelemetryOption = NonNullable<DesignwireOptions["telemetry"]>

/** Whether a value can be the option `telemetry`. */
export const isTelemetry = (value: unknown): value is TelemetryOption => {
  if (value === "environment") return true
  if (typeof value !== "object" || value === null) return false
  const { ROOT_CONTEXT, context, trace } = value as Partial<Exclude<TelemetryOption, "environment">>
  return (
    typeof ROOT_CONTEXT === "object" &&
    typeof context?.active === "function" &&
    typeof trace?.getTracer === "function" &&
    typeof trace.getSpanContext === "function" &&
    typeof trace.setSpanContext === "function"
  )
}

/** Loaded only if asked for: few applications use the variables of OpenTelemetry. */
const loadExporters = Effect.promise(() => import("../../adapters/opentelemetry/Environment.ts"))

/** The tracer of every call, and with `"environment"` the exporters. */
export const telemetryLayer = (telemetry: TelemetryOption | undefined): Layer.Layer<never> => {
  if (telemetry === undefined) return Layer.empty
  return telemetry === "environment"
    ? Layer.unwrap(Effect.map(loadExporters, ({ layerEnvironment }) => layerEnvironment(process.env)))
    : Layer.sync(Tracer.Tracer, () => apiTracer(telemetry))
}

/** The application's active span at the call of the function. */
export const currentSpan = (telemetry: TelemetryOption | undefined): ActiveSpan | undefined =>
  telemetry === undefined || telemetry === "environment" ? undefined : activeSpan(telemetry)

/** Runs an effect within a span of the application. */
export const inSpan =
  (active: ActiveSpan | undefined) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    active === undefined
      ? effect
      : Effect.provideService(Effect.withParentSpan(effect, active.span), TraceState, active.state)
