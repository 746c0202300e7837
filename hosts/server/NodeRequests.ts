/** Requests on Node's server: those that a read answers without Effect's server, and what the others pass through. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type * as NodeServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Exit, FiberSet } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Answer, contentType, versionHeaders } from "../../core/api/Answer.ts"
import type { DirectReads, DirectRequest } from "../../core/api/DirectReads.ts"
import { answerOf, errorResponse, notAvailable, Unavailable } from "../../core/api/Errors.ts"
import type { Connections, Take } from "./Connections.ts"

/** Answers requests that need no router with one fiber each, until the scope closes. */
export const answering = Effect.fnUntraced(function* (direct: DirectReads, hold: Connections["hold"]) {
  const fibers = yield* FiberSet.make<Answer>()
  const take: Take = (request, response) => {
    // What a client sends beside its question is for Effect's server to read or to cut off.
    if (hasBody(request) || !hasOneHost(request)) return false
    const answer = direct(request as IncomingMessage & DirectRequest)
    if (answer === undefined) return false
    const fiber = Effect.runFork(answer)
    FiberSet.addUnsafe(fibers, fiber)
    let isWanted = true
    response.once("close", () => {
      isWanted = false
      fiber.interruptUnsafe()
    })
    fiber.addObserver((exit) => {
      if (isWanted && !response.destroyed) send(response, Exit.isSuccess(exit) ? exit.value : stopping)
    })
    return true
  }
  const send = (response: ServerResponse, { body, headers, status }: Answer) => {
    if (body === null) {
      response.writeHead(status, headers).end()
      return
    }
    const sent = typeof body === "string" && body.length > longText ? Buffer.from(body) : body
    const length = typeof sent === "string" ? Buffer.byteLength(sent) : sent.length
    response.writeHead(status, { ...headers, "content-type": contentType, "content-length": length })
    if (response.req.method === "HEAD") response.end()
    else {
      hold(response, length)
      response.end(sent)
    }
  }
  return take
})

/** Node puts a shorter text into one piece with the head; a longer one is quicker to send as bytes, which are made once. */
const longText = 4096

/** The answer to who still waits when the server stops. */
const stopping = answerOf(new Unavailable({ message: notAvailable }), versionHeaders)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

/** What a request over Node's server passes through beside the application. */
export const overNode =
  (
    hold: Connections["hold"],
    { toIncomingMessage, toServerResponse }: typeof NodeServerRequest,
    headersAt: (url: string) => Answer["headers"],
  ) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    HttpServerRequest.HttpServerRequest.use((request) => {
      if (!hasOneHost(toIncomingMessage(request) as IncomingMessage)) {
        return Effect.succeed(HttpServerResponse.setHeaders(wrongHost, headersAt(request.url)))
      }
      return Effect.map(app, (response) => {
        if (response.body._tag === "Uint8Array" && request.method !== "HEAD") {
          hold(toServerResponse(request) as ServerResponse, response.body.contentLength)
        }
        return response
      })
    })

const wrongHost = errorResponse(400, "A request must have one Host header", { connection: "close" })

/** Two of them may be read differently by us and by a proxy in front (RFC 9112 §3.2). Before HTTP/1.1 there was none. */
const hasOneHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0")
}
