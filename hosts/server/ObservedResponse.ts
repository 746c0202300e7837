import { ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Tracer } from "effect"
import type { RequestRecord } from "../../core/model/log/RequestRecord.ts"

/** The parts of a server that have a share of its requests each. */
export type Share = "api" | "manage"

/** The response of a server that observes its requests, with what is known of its request. */
export class ObservedResponse extends ServerResponse implements RequestRecord {
  route?: string | undefined
  shop?: string | undefined
  tokenId?: string | undefined
  /** The id under which the request is logged, if it is. */
  requestId?: string
  /** The span of the request, if requests are traced. */
  span?: Tracer.AnySpan | undefined
  /** The length of the body, if it is known before it is sent. */
  bytes?: number | undefined
  /** The status of an answer that was written without this response. */
  refusedWith?: number
  /** The share of the server's requests that this one counts towards, while the server works at it. */
  share?: Share | undefined
  readonly startedAt = performance.now()

  /** The status of the answer; 0 if the client was gone before it had one. */
  get answeredWith(): number {
    return this.headersSent ? this.statusCode : (this.refusedWith ?? 0)
  }

  /** Breaks off a body. The end of the connection would be the end of one without length and chunks, as for HTTP/1.0. */
  override destroy(error?: Error): this {
    const isDelimited = this.chunkedEncoding || this.hasHeader("content-length")
    if (!this.writableEnded && !isDelimited && this.socket instanceof Socket) this.socket.resetAndDestroy()
    return super.destroy(error)
  }
}

/** Hears of each request of a server twice: when its head has arrived, and when its answer is sent or given up. */
export interface RequestObserver {
  readonly began: (response: ObservedResponse) => void
  readonly ended: (response: ObservedResponse) => void
}
