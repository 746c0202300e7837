import { Effect, Metric, type Scope } from "effect"
import { combinations, counters } from "../../core/model/log/Counters.ts"
import { showGauge } from "../../core/model/log/ShownGauge.ts"
import type { Refused } from "./Connections.ts"
import type { ObservedResponse, RequestObserver } from "./ObservedResponse.ts"

/** The metrics of the requests with one method to one route. */
interface Series {
  readonly duration: Metric.Histogram<number>
  readonly byStatus: Map<number, Metric.Counter<number>>
}

/** Other methods count as one: clients choose them. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const seriesOf = (method: string, route: string): Series => ({
  duration: Metric.histogram("designwire_http_request_seconds", {
    description: "Time from the arrival of a request's head to the end of its answer, by method and route",
    attributes: { method, route },
    boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  }),
  byStatus: new Map(),
})

/** Statuses of a service in trouble: of each route that is asked for they are shown from 0. */
const troubles = [500, 503]

const requests = counters<{ readonly method: string; readonly route: string; readonly status: string }>(
  "designwire_http_requests_total",
  "Requests by method, route and status; the status is 0 if the client left before it was answered",
  [404, ...troubles].map((status) => ({ method: "GET", route: "none", status: String(status) })),
)

const counterOf = (method: string, route: string, status: number): Metric.Counter<number> =>
  requests({ method, route, status: String(status) })

/** The value of a map for a key, which is made if it is missing. */
const madeIn = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/**
 * Counts the requests of a listener while the scope is open. Its routes are the addresses of the contract, so
 * that there are never many series.
 */
export const makeRequestMetrics = (listener: string): Effect.Effect<RequestObserver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const known = new Map<string, Map<string, Series>>()
    let count = 0
    yield* showGauge(
      "designwire_http_requests_under_way",
      "Requests whose answers are not sent to the end, by listener",
      () => count,
      { listener },
    )
    return {
      began: () => {
        count++
      },
      ended: (response: ObservedResponse) => {
        count--
        const asked = response.req.method ?? ""
        const method = methods.has(asked) ? asked : "other"
        const route = response.route ?? "none"
        const status = response.answeredWith
        const routes = madeIn(known, method, () => new Map<string, Series>())
        const { byStatus, duration } = madeIn(routes, route, () => {
          const series = seriesOf(method, route)
          for (const trouble of troubles) {
            madeIn(series.byStatus, trouble, () => counterOf(method, route, trouble)).updateUnsafe(0, context)
          }
          return series
        })
        madeIn(byStatus, status, () => counterOf(method, route, status)).updateUnsafe(1, context)
        duration.updateUnsafe((performance.now() - response.startedAt) / 1000, context)
      },
    }
  })

const refusedAt = counters(
  "designwire_requests_refused_total",
  "Requests answered with 503 because the server had as much to do as it takes, by share",
  combinations({ share: ["api", "manage", "bodies"] }),
)

/** Requests that a server refused without working at them. */
export const refusedRequests: Readonly<Record<Refused, Metric.Counter<number>>> = {
  api: refusedAt({ share: "api" }),
  manage: refusedAt({ share: "manage" }),
  bodies: refusedAt({ share: "bodies" }),
}
