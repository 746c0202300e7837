import { connect, isIP, type Socket, SocketAddress } from "node:net"
import { type SecureContext, connect as secure, type TLSSocket } from "node:tls"

/** The parts of a URL that a connection needs. */
export interface Target {
  /** `https://host:port`, without the port if it is the default. */
  readonly origin: string
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Unchanged, with the query. */
  readonly path: string
}

/** Milliseconds after which the next address is tried beside one that has not answered (RFC 8305). */
const patience = 250

/** The milliseconds after which the system begins to ask whether the other end of an idle connection is still there. */
const keepAliveInitialDelay = 60_000

/** Errors of this process, not of the receiver. */
const ours = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"])

/** Receives the outcome of dialling. `own`: this process could not even try. */
export interface DialHandler {
  readonly onOpen: (socket: Socket, address: string) => void
  readonly onFailure: (error: "connect" | "tls" | "own", cause: Error) => void
}

/**
 * Opens a connection to one of the addresses and to nothing else: names are not looked up here. The addresses are tried
 * in order, the next if one fails or is slow, and the first that answers is used: over TLS if the target asks for it,
 * with the certificate verified against its host. Exactly one function of the handler is called, later; none after a
 * call of the returned function, which gives up.
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
  let listener: DialHandler | undefined = handler
  let cause = new Error("no valid address")

  const stop = (except?: Socket) => {
    clearTimeout(timer)
    for (const socket of sockets) if (socket !== except) socket.destroy()
    sockets.clear()
  }
  const fail = (error: "connect" | "tls" | "own") => {
    if (over) return
    over = true
    stop()
    listener?.onFailure(error, cause)
    listener = undefined
  }
  const open = (socket: Socket, address: string) => {
    over = true
    listener?.onOpen(socket, address)
    listener = undefined
  }

  const handshake = (socket: Socket, address: string) => {
    const encrypted = encrypt(socket, target.host, context)
    sockets.add(encrypted)
    encrypted.on("error", (error) => {
      cause = error
      fail("tls")
      // If TLS breaks after the handshake, Node leaves the socket open, and nothing more would arrive.
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
    const socket = connect({ host: to, port: target.port, noDelay: true, keepAlive: true, keepAliveInitialDelay })
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

  // Later, so that the caller has the function that gives up before anything can end.
  queueMicrotask(() => {
    if (!over) attempt()
  })
  return () => {
    over = true
    listener = undefined
    stop()
  }
}

/** Begins TLS over a connection, with the certificate verified against the host. */
const encrypt = (socket: Socket, host: string, context: SecureContext): TLSSocket => {
  const named = isIP(host) === 0
  return secure({
    socket,
    host,
    // An address is compared with the certificate, but not sent as a name. A trailing dot is neither.
    servername: named ? host.replace(/\.$/, "") : "",
    ALPNProtocols: ["http/1.1"],
    secureContext: context,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would decide otherwise.
    rejectUnauthorized: true,
  })
}

/** Whether two texts are the same address: IPv6 has several ways to write one. */
const same = (actual: string | undefined, expected: string): boolean =>
  actual === expected || (actual !== undefined && isIP(actual) === 6 && canonical(actual) === canonical(expected))

const canonical = (address: string): string =>
  isIP(address) === 6 ? new SocketAddress({ address, family: "ipv6" }).address : address
