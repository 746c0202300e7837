/** Spans of a worker: of each claim, attempt and settlement (D70). */
import { Clock, Context, Effect, Exit, Option, Tracer } from "effect"
import { readTraceContext, type TraceHeaders, traceHeaders } from "../../../model/log/TraceContext.ts"
import type { Attempt } from "../../../model/webhooks/Delivery.ts"
import type { Claim, Settlement } from "../../../ports/DeliveryQueue.ts"
import { isSuccess } from "../../../rules/webhooks/DeliveryState.ts"
import { isTraced, messagingAttributes, TraceReceivers } from "../../../support/Tracing.ts"

/** The span of an attempt. */
export interface AttemptSpan {
  readonly span: Tracer.Span
  /** For the receiver, whose spans become children of this one. */
  readonly headers: TraceHeaders | undefined
  /** Ends it: `undefined` if no attempt could be made. */
  readonly end: (outcome: Pick<Attempt, "statusCode" | "error"> | undefined) => void
}

/**
 * Makes the spans of a worker, or `undefined` without a tracer: then nothing is made for a delivery.
 *
 * An attempt belongs to the trace of its event, even if it comes days later. A claim takes deliveries of many traces:
 * its span begins a trace of its own, and the attempts link to it. A settlement belongs to the first of its attempts
 * and links to the others.
 */
export const makeDeliverySpans = Effect.gen(function* () {
  if (!(yield* isTraced)) return undefined
  const tracer = yield* Tracer.Tracer
  const clock = yield* Clock.Clock
  const tracesReceivers = yield* TraceReceivers
  const claimedBy = new WeakMap<Claim, Tracer.Span>()
  const attempted = new WeakMap<Claim, Tracer.Span>()

  const begin = (claim: Claim): AttemptSpan => {
    const trace = readTraceContext(claim.trace)
    const source = claimedBy.get(claim)
    const span = tracer.span({
      name: `send ${claim.event}`,
      parent: Option.fromUndefinedOr(trace?.span),
      root: trace === undefined,
      annotations: Context.empty(),
      links: source === undefined ? [] : [{ span: source, attributes: {} }],
      startTime: clock.currentTimeNanosUnsafe(),
      kind: "client",
      sampled: trace?.span.sampled ?? true,
    })
    if (span.sampled) {
      attempted.set(claim, span)
      for (const [name, value] of Object.entries(attributesOf(claim))) span.attribute(name, value)
    }
    return {
      span,
      headers: tracesReceivers ? traceHeaders(span, trace?.state) : undefined,
      end: (outcome) => {
        const failure = outcome === undefined ? "not_attempted" : failureOf(outcome)
        if (span.sampled) {
          if (outcome?.statusCode != null) span.attribute("http.response.status_code", outcome.statusCode)
          if (failure !== undefined) span.attribute("error.type", failure)
        }
        span.end(clock.currentTimeNanosUnsafe(), failure === undefined ? Exit.void : Exit.fail(failure))
      },
    }
  }

  const claiming = <E, R>(claim: Effect.Effect<ReadonlyArray<Claim>, E, R>) =>
    Effect.useSpan("receive deliveries", { root: true, kind: "client", attributes: receiving }, (span) =>
      Effect.map(Effect.withParentSpan(claim, span, { captureStackTrace: false }), (claims) => {
        span.attribute(batchCount, claims.length)
        if (span.sampled) for (const one of claims) claimedBy.set(one, span)
        return claims
      }),
    )

  const settling = <A, E, R>(batch: ReadonlyArray<Settlement>, settle: Effect.Effect<A, E, R>) => {
    const [parent, ...others] = batch.flatMap(({ claim }) => attempted.get(claim) ?? [])
    // Even of few traces, most batches settle one. Spans of the same statements each time would cost more than all else.
    const withoutStatements = Effect.withTracerEnabled(settle, false)
    if (parent === undefined) return withoutStatements
    const options = {
      ...{ parent, kind: "client" as const, links: others.map((span) => ({ span, attributes: {} })) },
      attributes: { ...messagingAttributes("settle"), [batchCount]: batch.length },
      captureStackTrace: false,
    }
    return Effect.withSpan(withoutStatements, "settle deliveries", options)
  }

  return { begin, claiming, settling }
})

/** The spans of a worker. */
export type DeliverySpans = Exclude<Effect.Success<typeof makeDeliverySpans>, undefined>

const batchCount = "messaging.batch.message_count"

const receiving = messagingAttributes("receive")

/** Of the URL only the host: the rest may be a password of the receiver's. */
const attributesOf = ({ attempt, deliveryId, endpointId, event, eventId, shop, url }: Claim) => {
  const { hostname = "", port, protocol = "https:" } = URL.parse(url) ?? {}
  return {
    ...messagingAttributes("send", event),
    "messaging.message.id": eventId,
    "http.request.method": "POST",
    ...(attempt > 1 ? { "http.request.resend_count": attempt - 1 } : {}),
    "url.scheme": protocol.slice(0, -1),
    "server.address": hostname.replace(/^\[|\]$/g, ""),
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "designwire.shop.id": shop,
    "designwire.endpoint.id": endpointId,
    "designwire.delivery.id": deliveryId,
  }
}

/** `error.type`: a word of ours, or the status code as a text. */
const failureOf = (outcome: Pick<Attempt, "statusCode" | "error">): string | undefined =>
  isSuccess(outcome) ? undefined : (outcome.error ?? String(outcome.statusCode))
