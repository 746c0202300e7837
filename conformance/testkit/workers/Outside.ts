/** The outside world of a worker, scripted by a test: name lookups and sent requests. */
import { Clock, Context, Effect, Queue } from "effect"
import type { EventKind } from "../../../core/model/events/Event.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import { HostLookup, type LookupFailed } from "../../../core/ports/HostLookup.ts"
import { type WebhookRequest, type WebhookResponse, WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { verifyWebhook } from "../../../hosts/receiver/index.ts"

/** A receiver's response. */
export const responseOf = (
  statusCode: number,
  responseStart = "",
  retryAfter: string | null = null,
): WebhookResponse => ({
  statusCode,
  responseStart,
  retryAfter,
  error: null,
})

/** The answer of a token endpoint. */
export const grantOf = (token: string, more: Readonly<Record<string, unknown>> = { expires_in: 3600 }) =>
  responseOf(200, JSON.stringify({ access_token: token, token_type: "Bearer", ...more }))

/** A missing response, and its reason. */
export const noResponse = (error: NonNullable<WebhookResponse["error"]>): WebhookResponse => ({
  statusCode: null,
  responseStart: null,
  retryAfter: null,
  error,
})

/** A sent request. */
export interface SentRequest {
  readonly request: WebhookRequest
  readonly at: Instant
  readonly eventId: string
  readonly deliveryId: string
}

/** A receiver's reaction to a request. */
export type Respond = (sent: SentRequest) => Effect.Effect<WebhookResponse>

/** The body of a request (§2.5). */
export interface Envelope {
  readonly id: string
  readonly event: EventKind
  readonly apiVersion: string
  readonly createdAt: string
  readonly shop: string
  readonly data: Readonly<Record<string, unknown>>
  readonly test: boolean
}

/** The envelope in a request. */
export const envelopeOf = ({ request }: Pick<SentRequest, "request">): Envelope => JSON.parse(request.body) as Envelope

/** Fails if a request was not signed with a secret at its time (§5). */
export const verified = Effect.fnUntraced(function* ({ at, request }: SentRequest, secret: string) {
  const result = yield* Effect.promise(() =>
    verifyWebhook({ secret, headers: request.headers, body: request.body, now: at }),
  )
  return result.ok ? result : yield* Effect.die(new Error(`${result.reason}: ${result.message}`))
})

/** By default names have a public address and receivers respond with 200. */
export const makeOutside = Effect.gen(function* () {
  const arrivals = yield* Queue.unbounded<SentRequest>()
  const sent: Array<SentRequest> = []
  const asked: Array<string> = []
  const tokenRequests: Array<WebhookRequest> = []
  let underWay = 0
  let mostUnderWay = 0
  const underWayTo = new Map<string, number>()
  const mostTo = new Map<string, number>()
  const outside = {
    /** Every sent request, oldest first. */
    sent,
    /** Every name that was looked up. */
    asked,
    /** Every request for an access token, oldest first. */
    tokenRequests,
    /** The next request to be sent. */
    next: Queue.take(arrivals),
    /** Maximum concurrent attempts, in total and to one URL. */
    most: () => mostUnderWay,
    mostTo: (url: string) => mostTo.get(url) ?? 0,
    respond: ((_) => Effect.succeed(responseOf(200, "ok"))) as Respond,
    grant: ((_) => Effect.succeed(grantOf("t-1"))) as (request: WebhookRequest) => Effect.Effect<WebhookResponse>,
    /** Answers requests to the API of a platform. */
    ask: ((_) => Effect.succeed(noResponse("connect"))) as (request: WebhookRequest) => Effect.Effect<WebhookResponse>,
    lookup: ((_) => Effect.succeed(["93.184.216.34"])) as HostLookup["Service"]["lookup"],
  }
  const send = Effect.fnUntraced(function* (request: WebhookRequest) {
    if (request.headers["Content-Type"] === "application/x-www-form-urlencoded") {
      tokenRequests.push(request)
      return yield* outside.grant(request)
    }
    if (request.headers["X-Service-Delivery"] === undefined && request.headers["Accept"] !== undefined) {
      return yield* outside.ask(request)
    }
    const one: SentRequest = {
      request,
      at: yield* Clock.currentTimeMillis,
      eventId: envelopeOf({ request }).id,
      deliveryId: request.headers["X-Service-Delivery"] ?? "",
    }
    sent.push(one)
    underWay++
    underWayTo.set(request.url, (underWayTo.get(request.url) ?? 0) + 1)
    mostUnderWay = Math.max(mostUnderWay, underWay)
    mostTo.set(request.url, Math.max(mostTo.get(request.url) ?? 0, underWayTo.get(request.url) ?? 0))
    yield* Queue.offer(arrivals, one)
    return yield* Effect.ensuring(
      Effect.suspend(() => outside.respond(one)),
      Effect.sync(() => {
        underWay--
        underWayTo.set(request.url, (underWayTo.get(request.url) ?? 1) - 1)
      }),
    )
  })
  const context = Context.make(WebhookSender, { send }).pipe(
    Context.add(HostLookup, {
      lookup: (name): Effect.Effect<ReadonlyArray<string>, LookupFailed> => {
        asked.push(name)
        return outside.lookup(name)
      },
    }),
  )
  return { outside, context }
})
