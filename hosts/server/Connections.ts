import { type IncomingMessage, Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { arrivalLimits, type ConnectionLimits } from "./ConnectionLimits.ts"
import { ObservedResponse, type RequestObserver } from "./ObservedResponse.ts"
import { Places } from "./Places.ts"
import { Refusals } from "./Refusals.ts"
import { RequestsUnderWay } from "./RequestsUnderWay.ts"
import { UnsentBytes } from "./UnsentBytes.ts"

/** Takes a request and returns `true`, or leaves it to others. */
export type Take = (request: IncomingMessage, response: ServerResponse) => boolean

/** A server, and the requests under way on it. */
export interface Connections {
  readonly server: Server
  /**
   * Offers each request to `take` before the server's `request` listeners get it. They don't get a request that was
   * taken.
   */
  readonly offer: (take: Take) => void
  /** Counts the bytes of an answer that is about to be sent, until it is sent or cut off. */
  readonly hold: (response: ServerResponse, bytes: number) => void
}

/**
 * Node's server. A listener can't keep an event from the listeners after it, so this class offers requests before it
 * emits them.
 */
class OfferingServer extends Server {
  offer: Take = () => false

  override emit(event: string, ...values: ReadonlyArray<unknown>): boolean {
    return (event === "request" && this.offer(...(values as Parameters<Take>))) || super.emit(event, ...values)
  }
}

/**
 * Makes a server that is not listening yet, with limits on what its clients may hold, and with `{message}` in Node's
 * own answers (D11). `headersAt` names the headers that every answer at an address has. `report` gets a sentence when
 * the limits of connections are reached. `observers` hear of each request.
 *
 * A connection on which nothing moves is ended by the server's timeout. A timer for each request would cost every one
 * of them.
 */
export const makeConnections = (
  limits: ConnectionLimits,
  headersAt: (url: string) => Readonly<Record<string, string>>,
  report: (sentence: string) => void = () => undefined,
  observers: ReadonlyArray<RequestObserver> = [],
): Connections => {
  const server = new OfferingServer({
    ...arrivalLimits(limits),
    ServerResponse: ObservedResponse as never,
    // The application answers a missing Host header, and a second one, in its own words.
    requireHostHeader: false,
    // The server speaks HTTP alone: it answers a request for another protocol as if the request had not asked for it.
    shouldUpgradeCallback: () => false,
  })
  const underWay = new RequestsUnderWay(server, observers)
  const places = new Places(server, limits, underWay, report)
  const refusals = new Refusals(headersAt, underWay)
  const unsent = new UnsentBytes(limits.maximumUnsent, underWay)

  const offer = (take: Take) => {
    server.offer = (request, response) => {
      underWay.begin(request, response)
      return !places.admits(request, response) || take(request, response)
    }
  }
  offer(() => false)
  server.on("checkContinue", (request, response) => {
    underWay.begin(request, response)
    places.admits(request, response)
  })
  server.on("checkExpectation", (request, response) => {
    underWay.begin(request, response)
    if (places.admits(request, response)) refusals.unmetExpectation(request, response)
  })
  server.setTimeout(limits.longestRequest, (socket) => refusals.standingStill(socket))
  server.on("clientError", (error, socket: Socket) => refusals.clientError(error, socket))

  return { server, offer, hold: (response, bytes) => unsent.hold(response, bytes) }
}
