/** Node's HTTP server with limits on what its clients may hold, and with `{message}` in the answers that Node gives by itself (D11). */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { notAvailable } from "../../core/api/Errors.ts"

/** What the clients of a server may hold of it. */
export interface ConnectionLimits {
  /**
   * How long nothing may move on a connection, in milliseconds: as long as a request may wait for its answer, or an answer for a
   * reader that takes nothing of it. A request's head must arrive within half of it, the whole request within six times.
   */
  readonly longestRequest: number
  /** Connections at once. Further ones are closed at once. */
  readonly maximumConnections: number
  /** Bytes of answers that may wait for their readers, over all connections. Beyond it those that wait longest are cut off. */
  readonly maximumUnsent: number
}

export const defaultLimits: ConnectionLimits = {
  longestRequest: 10_000,
  maximumConnections: 4096,
  maximumUnsent: 128 * 1024 * 1024,
}

/** Takes a request and answers `true`, or leaves it to others. */
export type Take = (request: IncomingMessage, response: ServerResponse) => boolean

type Emit = (event: string, ...values: ReadonlyArray<unknown>) => boolean

/** A server and what is waiting on it. */
export interface Connections {
  readonly server: Server
  /** Offers each request before the server's `request` listeners have it. One that is taken is for nobody else. */
  readonly offer: (take: Take) => void
  /** Counts the bytes of an answer that is about to be sent, until all of them are. */
  readonly hold: (response: ServerResponse, bytes: number) => void
}

/** An answer of fewer bytes that none waits before goes to the kernel at once, whoever reads it. */
const worthCounting = 16_384

/** A connection with more requests under way than this is cut off: their answers would all wait for the first. */
const mostAtOnce = 100

/** How long a client may take to read why it is refused, in milliseconds, before its connection is closed. */
const lingerTime = 500

/**
 * Makes a server that is not listening yet. `headersAt` names the headers that every answer to an address has.
 *
 * A connection on which nothing moves is closed silently if no request is under way, and cut off if an answer has begun. Otherwise
 * its request is answered with 503 and interrupted. So no answer is ever followed by another that nobody asked for. A timer for each
 * request would cost every one of them.
 */
export const makeConnections = (
  limits: ConnectionLimits,
  headersAt: (url: string) => Readonly<Record<string, string>>,
): Connections => {
  const server = createServer({
    headersTimeout: limits.longestRequest / 2,
    requestTimeout: limits.longestRequest * 6,
    connectionsCheckingInterval: limits.longestRequest / 4,
    // The application answers a missing Host header, and a second one, in its own words.
    requireHostHeader: false,
    // Nothing here speaks another protocol: a request to change it is answered as if it had not asked.
    shouldUpgradeCallback: () => false,
  })
  server.maxConnections = limits.maximumConnections

  /** The requests of each connection whose answers are not all sent, oldest first. */
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>()
  const on = (socket: Duplex): ReadonlyArray<ServerResponse> => [...(underWay.get(socket) ?? [])]

  const answerHeaders = (body: string, request: IncomingMessage | undefined) => ({
    ...(request === undefined ? {} : headersAt(request.url ?? "")),
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: "close",
  })

  /** Ends a connection whose client may still be sending: closed at once, it could lose what was sent to it last. */
  const closeLingering = (socket: Duplex) => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), lingerTime)
    socket.once("close", () => clearTimeout(timer))
  }

  /** Writes an answer past the application, and ends the connection and what is under way on it. */
  const refuse = (socket: Duplex, status: number, message: string, request?: IncomingMessage) => {
    const body = JSON.stringify({ message })
    const headers = Object.entries(answerHeaders(body, request)).map(([name, value]) => `${name}: ${value}\r\n`)
    const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("")}\r\n`
    socket.write(request?.method === "HEAD" ? start : start + body)
    closeLingering(socket)
    // Whoever is at work on a request hears now that its answer is not wanted any more, and can't send one.
    for (const response of on(socket)) response.emit("close")
  }

  server.on("connection", (socket: Socket) => {
    underWay.set(socket, new Set())
    socket.once("close", () => {
      // Node tells only the first answer in line that its connection is gone.
      for (const response of on(socket)) if (response.socket === null) response.emit("close")
    })
  })

  const begun = (request: IncomingMessage, response: ServerResponse) => {
    const responses = underWay.get(request.socket)
    responses?.add(response)
    response.once("close", () => {
      responses?.delete(response)
      if (!server.listening) server.closeIdleConnections()
    })
    if (responses !== undefined && responses.size > mostAtOnce) request.socket.destroy()
  }
  let take: Take = () => false
  const emit = server.emit.bind(server) as Emit
  // Node has no other way to keep a request from those that listen after.
  const offering: Emit = (event, ...values) => {
    if (event !== "request") return emit(event, ...values)
    const [request, response] = values as Parameters<Take>
    begun(request, response)
    return take(request, response) || emit(event, request, response)
  }
  server.emit = offering as Server["emit"]
  server.on("checkContinue", begun)
  server.on("checkExpectation", (request, response) => {
    begun(request, response)
    const body = JSON.stringify({ message: "The only expectation that can be met is 100-continue" })
    response.writeHead(417, answerHeaders(body, request))
    response.end(body)
  })

  server.setTimeout(limits.longestRequest, (socket) => {
    const [oldest] = on(socket)
    if (oldest === undefined || oldest.headersSent) socket.destroy()
    else refuse(socket, 503, notAvailable, oldest.req)
  })

  server.on("clientError", (error: Error & { readonly code?: string }, socket: Socket) => {
    // Already refused: whatever else it sends is ignored.
    if (socket.writableEnded && !socket.destroyed) return
    const answer = parserAnswers[error.code ?? ""] ?? (error.code?.startsWith("HPE_") ? malformed : undefined)
    const waiting = on(socket)
    const last = waiting.at(-1)
    const silent = last === undefined && socket.bytesRead === 0
    if (answer === undefined || !socket.writable || silent) socket.destroy()
    else if (last === undefined) refuse(socket, ...answer)
    // What can't be read follows requests that can: they are answered, and the connection ends with the last answer.
    else if (waiting.every(({ req }) => req.complete)) last.once("close", () => closeLingering(socket))
    else if (waiting.length > 1 || last.headersSent) socket.destroy()
    else refuse(socket, ...answer, last.req)
  })

  const held = new Map<ServerResponse, number>()
  let unsent = 0
  const release = (response: ServerResponse) => {
    unsent -= held.get(response) ?? 0
    held.delete(response)
  }
  const hold = (response: ServerResponse, bytes: number) => {
    const responses = underWay.get(response.req.socket)
    if (!responses?.has(response) || (bytes < worthCounting && responses.size === 1)) return
    held.set(response, bytes)
    unsent += bytes
    response.once("close", () => release(response))
    for (const [oldest] of held) {
      if (unsent <= limits.maximumUnsent || held.size === 1) break
      release(oldest)
      oldest.req.socket.destroy()
    }
  }

  const offer = (to: Take) => {
    take = to
  }
  return { server, hold, offer }
}

type ParserAnswer = readonly [status: number, message: string]

const malformed: ParserAnswer = [400, "The request can't be read as HTTP"]

const parserAnswers: Readonly<Record<string, ParserAnswer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time"],
  HPE_HEADER_OVERFLOW: [431, "The headers of a request may have at most 16 KiB"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The body's chunk extensions are too large"],
}
