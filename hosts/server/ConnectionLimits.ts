import type { ServerOptions } from "node:http"

/** Limits on the resources that a server's clients may hold. */
export interface ConnectionLimits {
  /**
   * The milliseconds that nothing may move on a connection: how long a request may wait for its answer, and an answer
   * for a client that reads nothing. A request's head must arrive within half of them, the whole request within six
   * times as many.
   */
  readonly longestRequest: number
  /** Connections at once. Further ones are closed at once. */
  readonly maximumConnections: number
  /**
   * Bytes of answers that may wait for their readers, over all connections. Beyond it the answers that wait longest are
   * cut off.
   */
  readonly maximumUnsent: number
}

export const defaultLimits: ConnectionLimits = {
  longestRequest: 10_000,
  maximumConnections: 4096,
  maximumUnsent: 128 * 1024 * 1024,
}

/** The limits on how long a request may take to arrive, as Node takes them. */
export const arrivalLimits = ({ longestRequest }: ConnectionLimits): ServerOptions => ({
  headersTimeout: longestRequest / 2,
  requestTimeout: longestRequest * 6,
  connectionsCheckingInterval: longestRequest / 4,
})
