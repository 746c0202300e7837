import { Effect, References, Tracer } from "effect"
import { logged } from "../../core/model/log/LogEvent.ts"
import type { ObservedResponse, RequestObserver } from "./ObservedResponse.ts"

const header = "x-request-id"

/** Ids of other systems: UUIDs, ULIDs, and what load balancers make. No spaces, quotes or control characters. */
const sane = /^[A-Za-z0-9._~:;=+/@-]{1,128}$/

/** Ids of shops. Requests may have anything in their place. */
const shopId = /^[a-z0-9][a-z0-9-]{0,62}$/

const idOf = (sent: string | ReadonlyArray<string> | undefined): string =>
  typeof sent === "string" && sane.test(sent) ? sent : crypto.randomUUID()

const lineOf = (response: ObservedResponse): Effect.Effect<void> => {
  const { answeredWith: status, bytes, req, requestId, route = "none", shop, tokenId } = response
  const ms = Math.round((performance.now() - response.startedAt) * 10) / 10
  const fields = {
    request_id: requestId,
    shop: shop !== undefined && shopId.test(shop) ? shop : undefined,
    token: tokenId,
    method: req.method,
    route,
    status,
    ms,
    bytes: req.method === "HEAD" ? 0 : bytes,
  }
  return Effect.log(`${req.method} ${route} ${status === 0 ? "was left" : status} in ${ms} ms`).pipe(
    logged("http.request", response.writableFinished ? fields : { ...fields, unfinished: "true" }),
  )
}

/**
 * Logs a line for each request, and answers it with the id of that line: its own `X-Request-Id`, or a new one. The line
 * has the route instead of the path, and nothing of the query and the headers: they may have secrets.
 */
export const makeAccessLog = (run: (effect: Effect.Effect<void>) => unknown): RequestObserver => ({
  began: (response) => {
    response.requestId = idOf(response.req.headers[header])
    response.setHeader(header, response.requestId)
  },
  ended: (response) => {
    const line = lineOf(response)
    run(response.span === undefined ? line : Effect.provideService(line, Tracer.ParentSpan, response.span))
  },
})

/** The lines of an effect have the id of its request, if requests have ids. */
export const withRequestId =
  (response: ObservedResponse | undefined) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    response?.requestId === undefined
      ? effect
      : Effect.updateService(effect, References.CurrentLogAnnotations, (annotations) => ({
          ...annotations,
          request_id: response.requestId,
        }))
