import type { IncomingHttpHeaders } from "node:http"

/** An answer of the REST API on its way through the proxy. Headers by lower-case name. */
export interface PassedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Written behind the body whatever HTTP says. */
  readonly behind?: string
}

/** A request to the REST API that the proxy has passed on. */
export interface PassedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** What a proxy before a running service changes. */
export interface ServiceFault {
  readonly title: string
  /** The id of the case that must fail. */
  readonly caughtBy: string
  /** Changes a request to the REST API: its path and query. */
  readonly asks?: (path: string) => string
  /** Changes an answer of the REST API. */
  readonly answers?: (answer: PassedAnswer, asked: PassedRequest) => PassedAnswer
  /** Accepts an endpoint's URL that the service refuses. */
  readonly accepts?: (url: string) => boolean
  /** Adds headers to deliveries of an endpoint with this secret. */
  readonly delivers?: (secret: string) => Readonly<Record<string, string>>
  /** Sends each delivery again after so many milliseconds. */
  readonly doubledAfter?: number
}
