import { Clock, Effect, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { errorResponse } from "../../core/api/ErrorAnswers.ts"
import { unavailable } from "../../core/api/Errors.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import type { Share } from "./RequestLimit.ts"

const pending = Metric.gauge("designwire_deliveries_pending", {
  description: "Pending deliveries, including suspended ones; estimated above 1000",
})

const oldest = Metric.gauge("designwire_oldest_pending_seconds", {
  description: "Seconds since the oldest due delivery became due",
})

const switchedOff = Metric.gauge("designwire_endpoints_switched_off", {
  description: "Webhook endpoints that were switched off and wait for their owner",
})

const feedLag = Metric.gauge("designwire_feed_lag_seconds", {
  description: "Age of the oldest open transaction that keeps later events out of the feed",
})

const refusedAt = (share: Share) =>
  Metric.counter("designwire_requests_refused_total", {
    description: "Requests answered with 503 because the server worked at as many as it takes, by share",
    incremental: true,
    attributes: { share },
  })

/** Requests that the server refused without working at them. */
export const refusedRequests: Readonly<Record<Share, Metric.Counter<number>>> = {
  api: refusedAt("api"),
  manage: refusedAt("manage"),
}

const secondsSince = (at: number | null, now: number): number => (at === null ? 0 : Math.max(0, now - at) / 1000)

/** `/metrics`, for Prometheus: the counters of this process, and the state of the queue (hosts/cli/README.md). */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const upkeep = yield* Upkeep
    yield* router.add(
      "GET",
      "/metrics",
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const statistics = yield* upkeep.statistics(now)
        yield* Metric.update(pending, statistics.pending)
        yield* Metric.update(oldest, secondsSince(statistics.oldestDue, now))
        yield* Metric.update(switchedOff, statistics.endpointsSwitchedOff)
        yield* Metric.update(feedLag, secondsSince(statistics.feedHeldSince, now))
        return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
          contentType: "text/plain; version=0.0.4; charset=utf-8",
        })
      }).pipe(
        unavailable,
        Effect.catch((error) => Effect.succeed(errorResponse(503, error.message))),
      ),
    )
  }),
)
