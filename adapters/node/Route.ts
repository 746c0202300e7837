import { connect, isIP, type Socket, SocketAddress } from "node:net"

/** A place that a connection leads to: an address, never a name. */
export interface Target {
  readonly address: string
  readonly port: number
}

/** Receives the outcome of a route. */
export interface RouteHandler {
  /** The connection leads to the place. Nothing was sent over it. */
  readonly onOpen: (socket: Socket) => void
  /** `place`: another place may do better; `own`: a fault of ours, the proxy's included, so that none would. */
  readonly onFailure: (at: "place" | "own", cause: Error) => void
}

/**
 * Opens a connection to a place and to nothing else. At first exactly one function of the handler is called, later;
 * failures of an open connection may be reported too. None is called after a call of the returned function, which gives
 * up.
 */
export type Route = (place: Target, handler: RouteHandler) => () => void

/** Milliseconds after which the system begins to ask whether the other end of an idle connection is still there. */
const keepAliveInitialDelay = 60_000

/** The options of every connection. */
export const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay }

/** Errors of this process, not of the other end. */
const ours = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"])

/** Whether an error is one of this process. */
export const isOurs = ({ code = "" }: NodeJS.ErrnoException): boolean => ours.has(code)

/** The route without a proxy. */
export const direct: Route = ({ address, port }, handler) => {
  const socket = connect({ host: address, port, ...socketOptions })
  let isGivenUp = false
  socket.on("error", (error) => {
    if (!isGivenUp) handler.onFailure(isOurs(error) ? "own" : "place", error)
  })
  socket.once("connect", () => {
    if (isGivenUp) return
    if (same(socket.remoteAddress, address)) handler.onOpen(socket)
    else socket.destroy(new Error(`connected to ${socket.remoteAddress} instead of ${address}`))
  })
  return () => {
    isGivenUp = true
    socket.destroy()
  }
}

/** Whether two texts are the same address: IPv6 has several ways to write one. */
const same = (actual: string | undefined, expected: string): boolean =>
  actual === expected || (actual !== undefined && isIP(actual) === 6 && canonical(actual) === canonical(expected))

const canonical = (address: string): string =>
  isIP(address) === 6 ? new SocketAddress({ address, family: "ipv6" }).address : address
