import { type IncomingMessage, Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { OncePerMinute } from "../../core/support/OncePerMinute.ts"
import { arrivalLimits, type ConnectionLimits } from "./ConnectionLimits.ts"
import { ObservedResponse, type RequestObserver } from "./ObservedResponse.ts"
import { Places } from "./Places.ts"
import { Refusals } from "./Refusals.ts"
import { RequestLimit, type Share } from "./RequestLimit.ts"
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
  /**
   * Called with an answer that is about to be sent: the server does not work at its request any more. Counts the bytes
   * until they are sent or cut off; `undefined`: there are none, or their maker counts them, as of a stream.
   */
  readonly hold: (response: ServerResponse, bytes: number | undefined) => void
}

/** Where the reports of a server go. */
export interface ServerReports {
  /** A sentence for the log, when a limit is reached. */
  readonly report: (sentence: string) => void
  /** Called for each request that is refused because its share is used up. */
  readonly refused: (share: Share) => void
}

/**
 * Node's server. A listener can't keep an event from the listeners after it, so this class offers requests before it
 * emits them: whole ones, and those that wait for `100 Continue` before they send their body.
 */
class OfferingServer extends Server {
  offer: Take = () => false
  offerWaiting: Take = () => false

  override emit(event: string, ...values: ReadonlyArray<unknown>): boolean {
    const take = event === "request" ? this.offer : event === "checkContinue" ? this.offerWaiting : undefined
    return take?.(...(values as Parameters<Take>)) || super.emit(event, ...values)
  }
}

/**
 * Makes a server that is not listening yet, with limits on what its clients may hold, and with `{message}` in Node's
 * own answers (D11). `headersAt` names the headers that every answer at an address has. `observers` hear of each
 * request.
 *
 * A connection on which nothing moves is ended by the server's timeout. A timer for each request would cost every one
 * of them.
 */
export const makeConnections = (
  limits: ConnectionLimits,
  headersAt: (url: string) => Readonly<Record<string, string>>,
  { refused, report }: ServerReports = { refused: () => undefined, report: () => undefined },
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
  const reports = new OncePerMinute(report, () => performance.now())
  const places = new Places(server, limits, underWay, reports)
  const limit = new RequestLimit(limits, underWay, reports)
  const refusals = new Refusals(headersAt, underWay)
  const unsent = new UnsentBytes(limits.maximumUnsent, underWay)

  /** Whether a request was refused because the server has too many connections or too much to do. */
  const isRefused: Take = (request, response) => {
    underWay.begin(request, response)
    if (!places.admits(request, response)) return true
    const share = limit.refusedBy(request, response)
    if (share === undefined) return false
    refused(share)
    refusals.busy(request, response)
    return true
  }
  const offer = (take: Take) => {
    server.offer = (request, response) => isRefused(request, response) || take(request, response)
  }
  offer(() => false)
  server.offerWaiting = isRefused
  server.on("checkExpectation", (request, response) => {
    underWay.begin(request, response)
    if (places.admits(request, response)) refusals.unmetExpectation(request, response)
  })
  server.setTimeout(limits.longestRequest, (socket) => refusals.standingStill(socket))
  server.on("clientError", (error, socket: Socket) => refusals.clientError(error, socket))

  const hold: Connections["hold"] = (response, bytes) => {
    limit.end(response)
    if (bytes !== undefined) unsent.hold(response, bytes)
  }
  return { server, offer, hold }
}
