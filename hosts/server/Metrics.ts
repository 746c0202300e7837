import { Clock, Effect, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { showCounters } from "../../core/model/log/Counters.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { MetricsShops } from "../../core/support/MetricsShops.ts"
import { makeProcessMetrics } from "./ProcessMetrics.ts"
import { readQueue } from "./QueueMetrics.ts"

const up = Metric.gauge("designwire_store_up", {
  description: "1 if the store answers; if not, all metrics of its content are missing",
})

/** How long a scrape waits for the store. Prometheus itself waits for 10 seconds. */
const patience = "5 seconds"

/** Everything that this process has counted, and what it may count, from 0. */
const counted = Effect.andThen(showCounters, PrometheusMetrics.format())

/** Metrics that are read for one scrape, as text. */
const readNow = (read: Effect.Effect<void>): Effect.Effect<string> =>
  Effect.suspend(() =>
    Effect.andThen(read, PrometheusMetrics.format()).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

/**
 * `/metrics`, for Prometheus: the counters of this process, the process itself, and the state of the store
 * (hosts/cli/OPERATING.md). While the store fails, the rest is still answered: it says why.
 */
export const layerMetrics = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const upkeep = yield* Upkeep
    const shops = yield* MetricsShops
    const processMetrics = yield* makeProcessMetrics
    const store = Effect.gen(function* () {
      const text = yield* readQueue(upkeep, shops, yield* Clock.currentTimeMillis).pipe(
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () => Effect.fail({ message: `The store does not answer within ${patience}` }),
        }),
        Effect.andThen(Metric.update(up, 1)),
        Effect.andThen(PrometheusMetrics.format()),
        Effect.provideService(Metric.MetricRegistry, new Map()),
        Effect.tapError((error) =>
          Effect.logWarning("The store's part of the metrics is missing", error).pipe(logged("metrics.store_failed")),
        ),
        Effect.option,
      )
      return text._tag === "Some" ? text.value : yield* readNow(Metric.update(up, 0))
    })
    yield* router.add(
      "GET",
      "/metrics",
      Effect.map(Effect.all([counted, readNow(processMetrics), store]), (texts) =>
        HttpServerResponse.text(texts.join(""), { contentType: "text/plain; version=0.0.4; charset=utf-8" }),
      ),
    )
  }),
)
