import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { isRead } from "../../core/api/Reads.ts"
import { unavailableMessage } from "../../core/api/Unavailable.ts"
import type { GivenUp } from "./ArrivingBodies.ts"
import { ObservedResponse } from "./ObservedResponse.ts"
import type { RequestsUnderWay } from "./RequestsUnderWay.ts"

/** How long a client may take to read a refusal, in milliseconds, before its connection is closed. */
const lingerTime = 500

type Refusal = readonly [status: number, message: string]

const expectation: Refusal = [417, "The only expectation that can be met is 100-continue"]

const malformed: Refusal = [400, "The request can't be read as HTTP"]

const busyRead = "The service is too busy at the moment; try again"

const busyChange = "The service is too busy at the moment, and nothing was stored; try again"

const givenUp: Readonly<Record<GivenUp, Refusal>> = {
  slow: [408, "The body arrived too slowly: it must come at 1 KiB a second or more"],
  "no room": [503, busyChange],
}

/** The refusals for errors that Node's parser reports. */
const unreadable: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time"],
  HPE_HEADER_OVERFLOW: [431, "The headers of a request may have at most 16 KiB"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The body's chunk extensions are too large"],
}

/** Properties that a server's own answers share with its application's, by their address. */
export interface OwnAnswers {
  /** The headers that every answer at an address has. Default: none. */
  readonly headersAt?: (url: string) => Readonly<Record<string, string>>
  /** The body of an error at an address. Default: `{message}` (D11). */
  readonly bodyAt?: (url: string, status: number, message: string) => string
}

const plainBody = (message: string) => JSON.stringify({ message })

/**
 * Answers that a server gives without its application: the status and `{message}` (D11). All but `busy` end the
 * connection, so that the client gets nothing that it did not request.
 */
export class Refusals {
  readonly #headersAt: Required<OwnAnswers>["headersAt"]
  readonly #bodyAt: Required<OwnAnswers>["bodyAt"]
  readonly #underWay: RequestsUnderWay

  constructor(
    { bodyAt = (_url, _status, message) => plainBody(message), headersAt = () => ({}) }: OwnAnswers,
    underWay: RequestsUnderWay,
  ) {
    this.#headersAt = headersAt
    this.#bodyAt = bodyAt
    this.#underWay = underWay
  }

  /**
   * Ends a connection on which nothing moves: silently if no request is under way, and cut off if an answer has begun.
   * Otherwise it refuses the oldest request. If that is a change, it may have been stored.
   */
  standingStill(socket: Duplex): void {
    const [oldest] = this.#underWay.on(socket)
    if (oldest === undefined || oldest.headersSent) socket.destroy()
    else this.#refuse(socket, [503, unavailableMessage(oldest.req.method)], oldest)
  }

  /** Answers a request that expects something other than 100-continue. */
  unmetExpectation(request: IncomingMessage, response: ServerResponse): void {
    const [status] = expectation
    const body = this.#body(expectation, request)
    response.writeHead(status, this.#headers(body, request))
    response.end(body)
  }

  /** Refuses a request that the server can't work at now. Node discards its body. */
  busy(request: IncomingMessage, response: ServerResponse): void {
    const body = this.#body([503, isRead(request.method ?? "") ? busyRead : busyChange], request)
    // A client that waits for 100 Continue sends its body or another request: nobody knows which.
    if (request.headers.expect !== undefined) response.shouldKeepAlive = false
    response.writeHead(503, {
      ...this.#headersAt(request.url ?? ""),
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "retry-after": "1",
    })
    response.end(body)
  }

  /** Refuses a request whose body is given up, and ends its connection. Nothing was stored. */
  givenUp(response: ServerResponse, reason: GivenUp): void {
    const { socket } = response.req
    // An answer can't overtake another.
    if (this.#underWay.isAlone(response) !== true || response.headersSent) socket.destroy()
    else this.#refuse(socket, givenUp[reason], response)
  }

  /** Ends a connection whose bytes can't be read as a request. Complete requests before them are answered. */
  clientError(error: Error & { readonly code?: string }, socket: Duplex & { readonly bytesRead: number }): void {
    // The client was refused already. Whatever else it sends is ignored.
    if (socket.writableEnded && !socket.destroyed) return
    const refusal = unreadable[error.code ?? ""] ?? (error.code?.startsWith("HPE_") ? malformed : undefined)
    const underWay = this.#underWay.on(socket)
    const last = underWay.at(-1)
    const isSilent = last === undefined && socket.bytesRead === 0
    if (refusal === undefined || !socket.writable || isSilent) socket.destroy()
    else if (last === undefined) this.#refuse(socket, refusal)
    else if (underWay.every(({ req }) => req.complete)) last.once("close", () => closeLingering(socket))
    else if (underWay.length > 1 || last.headersSent) socket.destroy()
    else this.#refuse(socket, refusal, last)
  }

  /** Writes a refusal, ends the connection and interrupts the requests under way on it. */
  #refuse(socket: Duplex, refusal: Refusal, response?: ServerResponse): void {
    const request = response?.req
    const [status] = refusal
    if (response instanceof ObservedResponse) response.refusedWith = status
    const body = this.#body(refusal, request)
    const again = status === 503 ? { "retry-after": "1" } : {}
    const all = { ...this.#headers(body, request), ...again }
    const headers = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("")}\r\n`
    socket.write(request?.method === "HEAD" ? head : head + body)
    closeLingering(socket)
    this.#underWay.interrupt(socket)
  }

  /** Nobody knows the address of a request that can't be read. */
  #body([status, message]: Refusal, request: IncomingMessage | undefined): string {
    return request === undefined ? plainBody(message) : this.#bodyAt(request.url ?? "", status, message)
  }

  #headers(body: string, request: IncomingMessage | undefined): Readonly<Record<string, string | number>> {
    return {
      ...(request === undefined ? {} : this.#headersAt(request.url ?? "")),
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      date: new Date().toUTCString(),
      connection: "close",
    }
  }
}

/**
 * Ends a connection whose client may still be sending. If it were closed at once, the client could lose the last bytes
 * sent to it.
 */
const closeLingering = (socket: Duplex): void => {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), lingerTime)
  socket.once("close", () => clearTimeout(timer))
}
