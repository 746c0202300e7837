import type { ServerOptions } from "node:http"
import type { IpNetwork } from "effect/net"

/** Limits on the resources that a server's clients may hold. */
export interface ConnectionLimits {
  /**
   * The milliseconds that nothing may move on a connection: how long a request may wait for its answer, and an answer
   * for a client that reads nothing. A request's head must arrive within half of them, the whole request within six
   * times as many.
   */
  readonly longestRequest: number
  /** Connections at once. Beyond it, the one that has been idle for longest is closed, or else the new one. */
  readonly maximumConnections: number
  /** Connections at once of one address (IPv4) or network of 64 bits (IPv6). Beyond it, one of these is closed. */
  readonly maximumPerAddress: number
  /** Networks of the proxies in front of the server, whose connections carry many clients. */
  readonly proxies: ReadonlyArray<IpNetwork.IpNetwork>
  /**
   * Requests that the server works at, 4 or more. A quarter of them is for the management API, the settings app and
   * shop platforms, the rest for everything else. Further ones are answered with 503.
   */
  readonly maximumRequests: number
  /**
   * Bytes of answers that may wait for their readers, over all connections. Beyond it the answers that wait longest are
   * cut off.
   */
  readonly maximumUnsent: number
  /**
   * Memory in bytes of requests to the settings app and of shop platforms that are not answered yet: their bodies as
   * far as they have arrived, and what waits for them. One address may hold a quarter of it. Beyond it, the oldest body
   * that is still arriving is given up.
   */
  readonly maximumArriving: number
}

export const defaultLimits: ConnectionLimits = {
  longestRequest: 10_000,
  maximumConnections: 4096,
  // An eighth of all.
  maximumPerAddress: 512,
  proxies: [],
  // One takes 40 to 60 KiB with the largest head, so all of them about 60 MiB. A body of 1 MiB takes three more.
  maximumRequests: 1024,
  maximumUnsent: 128 * 1024 * 1024,
  // As many small bodies as requests, or 31 of the largest orders.
  maximumArriving: 64 * 1024 * 1024,
}

/** The limits on how long a request may take to arrive, as Node takes them. */
export const arrivalLimits = ({ longestRequest }: ConnectionLimits): ServerOptions => ({
  headersTimeout: longestRequest / 2,
  requestTimeout: longestRequest * 6,
  connectionsCheckingInterval: longestRequest / 4,
})
