/** Traces, metrics and logs as the variables `OTEL_*` say, by OTLP over HTTP. */
import { ConfigProvider, Effect, Layer, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { logged } from "../../core/model/log/LogEvent.ts"
import { withoutLoneStatements } from "./Beginnings.ts"
import { readSampler, sampled } from "./Sampler.ts"
import { namedByRoute } from "./SpanNames.ts"

type Environment = Readonly<Record<string, string | undefined>>

const signals = ["TRACES", "METRICS", "LOGS"] as const
type Signal = (typeof signals)[number]

const protocols = { "http/protobuf": OtlpSerialization.layerProtobuf, "http/json": OtlpSerialization.layerJson }

/** Effect exports nothing unless it is named, where OpenTelemetry's default is OTLP. */
const defaults = {
  OTEL_SERVICE_NAME: "designwire",
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp",
}

/**
 * Exports traces, metrics and logs to the endpoints in the variables of an environment: `OTEL_EXPORTER_OTLP_ENDPOINT`,
 * or one for each signal. Does nothing without an endpoint. An endpoint with a malformed URL is a defect. The scope
 * sends the rest when it closes.
 */
export const layerEnvironment = (environment: Environment): Layer.Layer<never> => {
  // OpenTelemetry takes an empty variable as one that is not set.
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith("OTEL_") && value !== undefined && value !== "" ? [[name, value]] : [],
    ),
  )
  const endpoints = ["OTEL_EXPORTER_OTLP_ENDPOINT", ...signals.map((signal) => `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)]
  if (given["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || endpoints.every((name) => !(name in given))) {
    return Layer.empty
  }
  const wrong = endpoints.find(
    (name) => name in given && !/^https?:$/.test(URL.parse(given[name] ?? "")?.protocol ?? ""),
  )
  if (wrong !== undefined) return Layer.effectDiscard(Effect.die(new Error(`${wrong}: must be an http: or https: URL`)))
  const { sampler, warnings } = readSampler(given["OTEL_TRACES_SAMPLER"], given["OTEL_TRACES_SAMPLER_ARG"])
  const serialization = (signal: Signal) => {
    const name = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`
    const protocol = given[name] ?? given["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "http/protobuf"
    if (protocol in protocols) return protocols[protocol as keyof typeof protocols]
    return Layer.tap(protocols["http/protobuf"], () =>
      Effect.logWarning(`${name}: is neither http/protobuf nor http/json; http/protobuf is taken`).pipe(
        logged("config.unusable_variable"),
      ),
    )
  }
  const traces = Layer.effect(
    Tracer.Tracer,
    Effect.map(Tracer.Tracer, (tracer) =>
      tracer === Tracer.nativeTracer ? tracer : withoutLoneStatements(namedByRoute(sampled(tracer, sampler))),
    ),
  ).pipe(Layer.provide(OtlpTracer.layerFromConfig()), Layer.provide(serialization("TRACES")))
  const metrics = OtlpMetrics.layerFromConfig().pipe(Layer.provide(serialization("METRICS")))
  const logs = OtlpLogger.layerFromConfig().pipe(Layer.provide(serialization("LOGS")))
  return Layer.mergeAll(traces, metrics, logs).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { ...defaults, ...given } }))),
    Layer.tap(() =>
      Effect.forEach(warnings, (warning) => Effect.logWarning(warning).pipe(logged("config.unusable_variable")), {
        discard: true,
      }),
    ),
  )
}
