import { connect, isIP, type Socket, SocketAddress } from "node:net"
import { type SecureContext, connect as secure } from "node:tls"

/** Where a URL leads, taken apart once. */
export interface Target {
  /** `https://host:port`, the port only where it is not the usual one. */
  readonly origin: string
  readonly secure: boolean
  /** A name or an address, the latter without brackets. */
  readonly host: string
  readonly port: number
  /** With the query, as it is. */
  readonly path: string
}

/** An address that has not answered after so many milliseconds is joined by the next (RFC 8305). */
const patience = 250

/** What fails here is ours, not the receiver's. */
const ours = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"])

/** How dialling ends. `own`: this process could not even try. */
export interface DialHandler {
  readonly onOpen: (socket: Socket, address: string) => void
  readonly onFailure: (error: "connect" | "tls" | "own", cause: Error) => void
}

/**
 * Opens a connection to one of the addresses and to nothing else: names are not looked up here. The addresses are tried in order, the next when one
 * fails or takes its time; the first that answers is taken, over TLS if the target wants that, with the certificate verified against its host.
 * Exactly one of the handler's functions is called, later; none after the answered function, which gives up.
 */
export const dial = (
  target: Target,
  addresses: ReadonlyArray<string>,
  context: SecureContext,
  handler: DialHandler,
): (() => void) => {
  const sockets = new Set<Socket>()
  let next = 0
  let timer: NodeJS.Timeout | undefined
  let over = false
  // Dropped at the end: the socket's listeners outlive the request, which may be large.
  let waiting: DialHandler | undefined = handler
  let cause = new Error("none of the addresses is one")

  const stop = (except?: Socket) => {
    clearTimeout(timer)
    for (const socket of sockets) if (socket !== except) socket.destroy()
    sockets.clear()
  }
  const fail = (error: "connect" | "tls" | "own") => {
    if (over) return
    over = true
    stop()
    waiting?.onFailure(error, cause)
    waiting = undefined
  }
  const open = (socket: Socket, address: string) => {
    over = true
    waiting?.onOpen(socket, address)
    waiting = undefined
  }

  const handshake = (socket: Socket, address: string) => {
    const named = isIP(target.host) === 0
    const encrypted = secure({
      socket,
      host: target.host,
      // An address is compared with those in the certificate, but not sent as a name. A root's dot is neither.
      servername: named ? target.host.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      secureContext: context,
      // Said, because NODE_TLS_REJECT_UNAUTHORIZED would decide otherwise.
      rejectUnauthorized: true,
    })
    sockets.add(encrypted)
    encrypted.on("error", (error) => {
      cause = error
      fail("tls")
      // Node leaves it open where TLS breaks after the handshake, and nothing would come any more.
      encrypted.destroy()
    })
    encrypted.once("secureConnect", () => {
      if (!over) open(encrypted, address)
    })
  }

  const attempt = () => {
    clearTimeout(timer)
    let address = addresses[next++]
    // A text that is not an address would be looked up.
    while (address !== undefined && isIP(address) === 0) address = addresses[next++]
    if (address === undefined) {
      if (sockets.size === 0) fail("connect")
      return
    }
    const to = address
    const socket = connect({
      host: to,
      port: target.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    })
    sockets.add(socket)
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (over || !sockets.delete(socket)) return
      cause = error
      if (ours.has(error.code ?? "")) fail("own")
      else attempt()
    })
    socket.once("connect", () => {
      if (over || !sockets.has(socket)) return
      if (!same(socket.remoteAddress, to)) {
        socket.destroy(new Error(`connected to ${socket.remoteAddress} instead of ${to}`))
        return
      }
      stop(socket)
      if (target.secure) handshake(socket, to)
      else open(socket, to)
    })
    if (next < addresses.length) timer = setTimeout(attempt, patience)
  }

  // Later, so that the caller has what gives up in hand before anything can end.
  queueMicrotask(() => {
    if (!over) attempt()
  })
  return () => {
    over = true
    waiting = undefined
    stop()
  }
}

/** Whether two texts are the same address: IPv6 has several ways to write one. */
const same = (actual: string | undefined, expected: string): boolean =>
  actual === expected || (actual !== undefined && isIP(actual) === 6 && canonical(actual) === canonical(expected))

const canonical = (address: string): string =>
  isIP(address) === 6 ? new SocketAddress({ address, family: "ipv6" }).address : address
