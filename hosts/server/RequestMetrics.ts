import { type Context, Metric } from "effect"
import type { ObservedResponse, RequestObserver } from "./ObservedResponse.ts"

/** The metrics of the requests with one method to one route. */
interface Series {
  readonly duration: Metric.Histogram<number>
  readonly byStatus: Map<number, Metric.Counter<number>>
}

/** Other methods count as one: clients choose them. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const underWay = Metric.gauge("designwire_http_requests_under_way", {
  description: "Requests whose answers are not sent to the end",
})

const seriesOf = (method: string, route: string): Series => ({
  duration: Metric.histogram("designwire_http_request_seconds", {
    description: "Time from the arrival of a request's head to the end of its answer, by method and route",
    attributes: { method, route },
    boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  }),
  byStatus: new Map(),
})

const counterOf = (method: string, route: string, status: number): Metric.Counter<number> =>
  Metric.counter("designwire_http_requests_total", {
    description: "Requests by method, route and status; the status is 0 if the client left before it was answered",
    incremental: true,
    attributes: { method, route, status: String(status) },
  })

/** Counts the requests of a server. Routes are those of the contract, so that there are never many series. */
export const makeRequestMetrics = (context: Context.Context<never>): RequestObserver => {
  const known = new Map<string, Map<string, Series>>()
  let count = 0
  Metric.registerUnsafe(underWay, context, { get: () => ({ value: count }) } as never)

  const seriesFor = (method: string, route: string): Series => {
    const routes = known.get(method) ?? new Map<string, Series>()
    const series = routes.get(route) ?? seriesOf(method, route)
    known.set(method, routes.set(route, series))
    return series
  }

  return {
    began: () => {
      count++
    },
    ended: (response: ObservedResponse) => {
      count--
      const method = methods.has(response.req.method ?? "") ? (response.req.method as string) : "other"
      const route = response.route ?? "none"
      const status = response.answeredWith
      const { byStatus, duration } = seriesFor(method, route)
      const counter = byStatus.get(status) ?? counterOf(method, route, status)
      byStatus.set(status, counter)
      counter.updateUnsafe(1, context)
      duration.updateUnsafe((performance.now() - response.startedAt) / 1000, context)
    },
  }
}
