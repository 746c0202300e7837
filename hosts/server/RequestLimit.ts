import type { IncomingMessage } from "node:http"
import type { OncePerMinute } from "../../core/support/OncePerMinute.ts"
import type { ConnectionLimits } from "./ConnectionLimits.ts"
import type { ObservedResponse, Share } from "./ObservedResponse.ts"
import { isOfManagement, isOfOperation, pathOf } from "./RequestPath.ts"
import type { RequestsUnderWay } from "./RequestsUnderWay.ts"

const names: Readonly<Record<Share, string>> = {
  api: "the REST API and its documentation",
  manage: "the management API, the settings app and shop platforms",
}

/**
 * Limits the requests that a server works at, so that a flood costs answers rather than memory. The management API, the
 * settings app and shop platforms have a quarter of them, and everything else has the rest: orders are placed while the
 * REST API is flooded. A request is worked at until its answer is about to be sent. Answers that wait for their readers
 * are counted in bytes (`UnsentBytes`).
 *
 * Health probes and metrics are always admitted.
 */
export class RequestLimit {
  readonly #underWay: RequestsUnderWay
  readonly #reports: OncePerMinute
  readonly #most: Readonly<Record<Share, number>>
  readonly #admitted: Record<Share, number> = { api: 0, manage: 0 }
  /** Refused requests whose answers wait behind others on their connection. */
  readonly #refused: Record<Share, number> = { api: 0, manage: 0 }

  constructor({ maximumRequests }: ConnectionLimits, underWay: RequestsUnderWay, reports: OncePerMinute) {
    const manage = Math.max(1, Math.floor(maximumRequests / 4))
    this.#most = { manage, api: Math.max(1, maximumRequests - manage) }
    this.#underWay = underWay
    this.#reports = reports
  }

  /**
   * Counts a request, and returns `undefined`. If there are too many, it returns the share that is used up: the caller
   * refuses the request. If too many refused requests wait, it also ends the request's connection.
   */
  refusedBy(request: IncomingMessage, response: ObservedResponse): Share | undefined {
    const path = pathOf(request)
    // A pipelined one counts: a connection may have a hundred.
    if (isOfOperation(path) && this.#underWay.isAlone(response)) return undefined
    const share = isOfManagement(path) ? "manage" : "api"
    const most = this.#most[share]
    if (response.share !== undefined) return undefined
    if (this.#admitted[share] < most) {
      this.#admitted[share]++
      response.share = share
      response.once("close", () => this.end(response))
      return undefined
    }
    this.#reports.note(share, (times) => {
      const since = times === 1 ? "" : `, ${times} since the last line`
      const limit = `${most} requests to ${names[share]}, as many as it takes (DESIGNWIRE_MAX_REQUESTS)`
      return `The server works at ${limit}: further ones get 503${since}`
    })
    if (this.#refused[share] < most) {
      this.#refused[share]++
      response.once("close", () => this.#refused[share]--)
    } else request.socket.destroy()
    return share
  }

  /** The answer to a request is about to be sent. */
  end(response: ObservedResponse): void {
    if (response.share === undefined) return
    this.#admitted[response.share]--
    response.share = undefined
  }
}
