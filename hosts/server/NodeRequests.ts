/** Requests on Node's server. */
import type { IncomingMessage } from "node:http"
import type * as NodeServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Exit, Fiber, Option, References, Tracer } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Answer, contentType, versionHeaders } from "../../core/api/Answer.ts"
import { answerOf } from "../../core/api/ErrorAnswers.ts"
import { isRead, type ReadRequest } from "../../core/api/Reads.ts"
import type { RestApi } from "../../core/api/Routes.ts"
import { ChangeLimit, notAvailable } from "../../core/api/Unavailable.ts"
import { ChangeOutcome, CurrentOutcome } from "../../core/model/ChangeOutcome.ts"
import { CurrentRecord } from "../../core/model/log/RequestRecord.ts"
import { join, lengthOf } from "../../core/model/WireForm.ts"
import { Unavailable } from "../../core/operations/Errors.ts"
import { LinkedSet } from "../../core/support/LinkedSet.ts"
import { withRequestId } from "./AccessLog.ts"
import type { ConnectionLimits } from "./ConnectionLimits.ts"
import type { Connections, Take } from "./Connections.ts"
import { bytesOf, endWith } from "./LongText.ts"
import type { ObservedResponse } from "./ObservedResponse.ts"
import { clientOf } from "./Origin.ts"
import type { OwnAnswers } from "./Refusals.ts"
import { inServerSpan, openServerSpan } from "./ServerSpan.ts"
import { withTraceState } from "./Tracing.ts"

/**
 * Takes the requests to the REST API and answers each in a fiber, until the scope closes. Effect's server would cost
 * more than the read.
 */
export const takeReads = Effect.fnUntraced(function* ({ answers, bytes, reads }: RestApi, hold: Connections["hold"]) {
  const fibers = new LinkedSet<Fiber.Fiber<Answer>>()
  yield* Effect.addFinalizer(() => Fiber.interruptAll(fibers))
  const context = yield* Effect.context<never>()
  const run = Effect.runForkWith(context)
  // Nothing within a request makes a span if its trace is not kept.
  const runUntraced = Effect.runForkWith(Context.add(context, References.TracerEnabled, false))
  const openSpan = yield* openServerSpan
  const take: Take = (request, response) => {
    const asked = request as IncomingMessage & ReadRequest
    // Effect's server handles the unusual: a body, which it reads or cuts off, and a target that is a whole address.
    if (!asked.url.startsWith("/") || !answers(asked.url) || hasBody(request) || !hasOneHost(request)) return false
    const answer = response.requestId === undefined ? reads(asked) : withRequestId(response)(reads(asked))
    const span = openSpan?.(request)
    if (span !== undefined) response.span = span
    const fiber = span?.sampled === true ? run(inServerSpan(request, span, answer)) : runUntraced(answer)
    const place = fibers.add(fiber)
    let isWanted = true
    response.once("close", () => {
      isWanted = false
      fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
    })
    fiber.addObserver((exit) => {
      fibers.remove(place)
      if (isWanted && !response.destroyed) send(response, Exit.isSuccess(exit) ? exit.value : stopping)
    })
    return true
  }
  const send = (response: ObservedResponse, { body, caller, headers, route, shop, status }: Answer) => {
    response.route = route
    response.shop = caller?.shop.id
    response.tokenId = caller?.tokenId
    if (body === null) {
      response.writeHead(status, headers).end()
      return
    }
    const texts = typeof body === "string" ? [body] : body
    const length = texts instanceof Uint8Array ? texts.length : lengthOf(texts, Buffer.byteLength)
    response.bytes = length
    response.writeHead(status, { ...headers, "content-type": contentType, "content-length": length })
    if (response.req.method === "HEAD") response.end()
    else {
      hold(response, length)
      if (shop !== undefined) response.once("close", bytes.hold(shop, length))
      if (texts instanceof Uint8Array) response.end(texts)
      else if (length > manyPieces) endWith(response, texts)
      else response.end(length > longText ? bytesOf(texts, length) : join(texts))
    }
  }
  return take
})

/** Node sends a shorter text in one piece with the head. A longer text is faster as bytes, which are made once. */
const longText = 4096

/** Encoding and sending a text that is longer than this would hold up other requests. */
const manyPieces = 262_144

/** The answer to requests that are still under way when the server stops. */
const stopping = answerOf(new Unavailable({ message: notAvailable }), versionHeaders)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

/**
 * Passes an application the requests that have one Host header, with the addresses of clients rather than of proxies,
 * limits changes to `longest` milliseconds, and counts the bytes of the answers.
 */
export const overNode =
  (
    hold: Connections["hold"],
    { toIncomingMessage, toServerResponse }: typeof NodeServerRequest,
    { bodyAt, headersAt }: Required<OwnAnswers>,
    { longest, proxies }: Pick<ConnectionLimits, "proxies"> & { readonly longest: number },
  ) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    HttpServerRequest.HttpServerRequest.use((request) => {
      const incoming = toIncomingMessage(request) as IncomingMessage
      if (!hasOneHost(incoming)) {
        const body = bodyAt(request.url, 400, "A request must have one Host header")
        const headers = { ...headersAt(request.url), connection: "close" }
        return Effect.succeed(HttpServerResponse.text(body, { status: 400, contentType, headers }))
      }
      const own = toServerResponse(request) as ObservedResponse
      const answered = noteSpan(
        own,
        isRead(request.method) ? app : limited(incoming, withTraceState(incoming, app), longest),
      ).pipe(withRequestId(own), Effect.provideService(CurrentRecord, own), fromClient(request, incoming, proxies))
      return Effect.map(answered, (response) => {
        const { body } = response
        own.bytes = "contentLength" in body ? (body.contentLength ?? undefined) : 0
        const isCounted = body._tag === "Uint8Array" && request.method !== "HEAD"
        hold(own, isCounted ? body.contentLength : undefined)
        return response
      })
    })

/** Gives a request that came through a proxy the address of its client. */
const fromClient = (
  request: HttpServerRequest.HttpServerRequest,
  incoming: IncomingMessage,
  proxies: ConnectionLimits["proxies"],
) => {
  const client = proxies.length === 0 ? undefined : clientOf(incoming, proxies)
  const known = client === undefined ? request : request.modify({ remoteAddress: Option.some(client) })
  return Effect.provideService(HttpServerRequest.HttpServerRequest, known)
}

/** Keeps the span of a request, for its line in the log. */
const noteSpan = <A, E, R>(response: ObservedResponse, answer: Effect.Effect<A, E, R>) =>
  Effect.withFiber<A, E, R>((fiber) => {
    response.span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
    return answer
  })

/** Limits how long a change may take, and lets stores report what has become of it. */
const limited = <A, E, R>(incoming: IncomingMessage, change: Effect.Effect<A, E, R>, longest: number) => {
  // The time counts from the end of the body. Node reports that end only to readers of the body.
  const arrived = Effect.repeat(Effect.sleep(longest / steps), { until: () => incoming.complete })
  return change.pipe(
    Effect.provideService(ChangeLimit, Effect.andThen(arrived, Effect.sleep((longest * (steps - 1)) / steps))),
    Effect.provideService(CurrentOutcome, new ChangeOutcome()),
  )
}

/** How often the end of a body is looked for in the time of a change. */
const steps = 32

/** A proxy in front might read another of two headers than we do (RFC 9112 §3.2). Before HTTP/1.1 there was none. */
const hasOneHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0")
}
