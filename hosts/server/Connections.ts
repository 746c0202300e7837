import { type IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"
import { OncePerMinute } from "../../core/support/OncePerMinute.ts"
import { ArrivingBodies, type GivenUp } from "./ArrivingBodies.ts"
import { arrivalLimits, type ConnectionLimits } from "./ConnectionLimits.ts"
import { CountedRequest } from "./CountedRequest.ts"
import { ObservedResponse, type RequestObserver, type Share } from "./ObservedResponse.ts"
import { clientOf } from "./Origin.ts"
import { Places } from "./Places.ts"
import { type OwnAnswers, Refusals } from "./Refusals.ts"
import { RequestLimit } from "./RequestLimit.ts"
import { isOfStranger } from "./RequestPath.ts"
import { RequestsUnderWay } from "./RequestsUnderWay.ts"
import { UnsentBytes } from "./UnsentBytes.ts"

/** How often slow bodies are looked for, in milliseconds. */
const slowCheck = 500

/** Bytes of a body that are held back until it is whole: less than makes Node stop reading. */
const heldBack = 16 * 1024

/** Takes a request and returns `true`, or leaves it to others. */
export type Take = (request: IncomingMessage, response: ObservedResponse) => boolean

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
  readonly hold: (response: ObservedResponse, bytes: number | undefined) => void
}

const hasUnknownBody = (request: IncomingMessage): request is CountedRequest =>
  request instanceof CountedRequest && isOfStranger(request)

/** The line of the log about bodies without room, which may stand for several. */
const bodiesTakeAll = (times: number): string => {
  const since = times === 1 ? "" : `, ${times} since the last line`
  const full = "Requests to the settings app and of shop platforms take all the memory that they may"
  return `${full}: the oldest whose bodies are still arriving get 503${since}`
}

/** The limit for which a request was refused: of a share, or of bodies that arrive. */
export type Refused = Share | "bodies"

/** The destinations of a server's reports. */
export interface ServerReports {
  /** A sentence for the log, when a limit is reached. */
  readonly report: (sentence: string) => void
  /** Called for each request that is refused because its share is used up, or the room for bodies. */
  readonly refused: (share: Refused) => void
}

/**
 * Node's server. A listener can't keep an event from the listeners after it, so this class offers requests before it
 * emits them: whole ones, and those that wait for `100 Continue` before they send their body.
 */
class OfferingServer extends Server<typeof IncomingMessage, typeof ObservedResponse> {
  offer: Take = () => false
  offerWaiting: Take = () => false

  override emit(event: string, ...values: ReadonlyArray<unknown>): boolean {
    const take = event === "request" ? this.offer : event === "checkContinue" ? this.offerWaiting : undefined
    return take?.(...(values as Parameters<Take>)) || super.emit(event, ...values)
  }

  /** Gives a request that was held back to its `request` listeners. */
  handOver(request: IncomingMessage, response: ObservedResponse): void {
    super.emit("request", request, response)
  }
}

/**
 * Makes a server that is not listening yet, with limits on what its clients may hold, and with `{message}` in Node's
 * own answers (D11). `observers` hear of each request.
 *
 * A connection on which nothing moves is ended by the server's timeout. A timer for each request would cost every one
 * of them.
 */
export const makeConnections = (
  limits: ConnectionLimits,
  own: OwnAnswers,
  { refused, report }: ServerReports = { refused: () => undefined, report: () => undefined },
  observers: ReadonlyArray<RequestObserver> = [],
): Connections => {
  const server = new OfferingServer({
    ...arrivalLimits(limits),
    IncomingMessage: CountedRequest,
    ServerResponse: ObservedResponse,
    // The application answers a missing Host header, and a second one, in its own words.
    requireHostHeader: false,
    // The server speaks only HTTP: it answers a request for another protocol as if the request had not asked for it.
    shouldUpgradeCallback: () => false,
  })
  const underWay = new RequestsUnderWay(server, observers)
  const reports = new OncePerMinute(report, () => performance.now())
  const places = new Places(server, limits, underWay, reports)
  const limit = new RequestLimit(limits, underWay, reports)
  const refusals = new Refusals(own, underWay)
  const unsent = new UnsentBytes(limits.maximumUnsent, underWay)
  const bodies = new ArrivingBodies(limits.maximumArriving, () => performance.now())
  const timer = setInterval(() => bodies.endSlow(), slowCheck).unref()
  server.once("close", () => clearInterval(timer))

  /** The body of a request is given up, or the request comes in as a whole when its share is used up. */
  const giveUp = (response: ObservedResponse, reason: GivenUp, share: Refused = "bodies") => {
    if (reason === "no room") refused(share)
    if (reason === "no room" && share === "bodies") {
      reports.note(share, bodiesTakeAll)
    }
    refusals.givenUp(response, reason)
  }

  /**
   * Lets a body arrive before its request is counted among those that the server works at; returns whether it may.
   * `start` is called once it has arrived, or more of it than is worth holding back: a body that never comes costs no
   * work.
   */
  const arrives = (request: CountedRequest, response: ObservedResponse, start: () => void): boolean => {
    let isStarted = false
    const startOnce = () => {
      if (!isStarted) start()
      isStarted = true
    }
    response.once("close", () => bodies.end(response))
    request.onPiece = (length) => {
      if (length !== undefined) {
        if (bodies.add(response, length) >= heldBack) startOnce()
      } else if (bodies.finish(response)) {
        const share = limit.refusedBy(request, response)
        if (share === undefined) startOnce()
        else giveUp(response, "no room", share)
      }
    }
    return bodies.begin(response, clientOf(request, limits.proxies), (reason) => giveUp(response, reason))
  }

  /** Whether a request was refused because the server has too many connections or too much to do. */
  const isBusy: Take = (request, response) => {
    const share = limit.refusedBy(request, response)
    if (share === undefined) return false
    refused(share)
    refusals.busy(request, response)
    return true
  }

  /** Begins a request; returns whether it has a place. */
  const begins: Take = (request, response) => {
    underWay.begin(request, response)
    return places.admits(request, response)
  }
  const offer = (take: Take) => {
    server.offer = (request, response) => {
      if (!begins(request, response)) return true
      if (!hasUnknownBody(request)) return isBusy(request, response) || take(request, response)
      arrives(request, response, () => void (take(request, response) || server.handOver(request, response)))
      return true
    }
  }
  offer(() => false)
  // A client that waits for 100 Continue sends the body once the application reads it.
  server.offerWaiting = (request, response) => {
    if (!begins(request, response)) return true
    return hasUnknownBody(request) ? !arrives(request, response, () => undefined) : isBusy(request, response)
  }
  server.on("checkExpectation", (request, response) => {
    if (begins(request, response)) refusals.unmetExpectation(request, response)
  })
  server.setTimeout(limits.longestRequest, (socket) => refusals.standingStill(socket))
  server.on("clientError", (error, socket: Socket) => refusals.clientError(error, socket))

  const hold: Connections["hold"] = (response, bytes) => {
    limit.end(response)
    bodies.end(response)
    if (bytes !== undefined) unsent.hold(response, bytes)
  }
  return { server, offer, hold }
}
