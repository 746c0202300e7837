import { isIP, type Socket } from "node:net"
import { type SecureContext, connect as secure, type TLSSocket } from "node:tls"
import type { Route } from "./Route.ts"

/** The parts of a URL that a connection needs. */
export interface Target {
  /** `https://host:port`, without the port if it is the default. */
  readonly origin: string
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** A name of the client certificate that its connections present, by its content; `""` without one. */
  readonly identity: string
  /** Unchanged, with the query. */
  readonly path: string
}

/**
 * The target of a URL. Removes the brackets of an IPv6 host, and takes the path and query from `href`, which keeps the
 * `?` of an empty query.
 */
export const parseTarget = (url: string): Target => {
  const { href, protocol, hostname, origin, port } = new URL(url)
  const path = href.indexOf("/", protocol.length + 2)
  const fragment = href.indexOf("#", path)
  const secure = protocol === "https:"
  return {
    origin,
    secure,
    host: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    port: port === "" ? (secure ? 443 : 80) : Number(port),
    identity: "",
    path: href.slice(path, fragment === -1 ? undefined : fragment),
  }
}

/** Milliseconds after which the next address is tried alongside one that has not answered (RFC 8305). */
const patience = 250

/** Receives the outcome of dialling. `own`: a fault of ours, e.g. of the proxy, which says nothing of the receiver. */
export interface DialHandler {
  readonly onOpen: (socket: Socket, address: string) => void
  readonly onFailure: (error: "connect" | "tls" | "own", cause: Error) => void
}

/** How connections are opened. */
export interface Line {
  readonly route: Route
  readonly context: SecureContext
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
  { context, route }: Line,
  handler: DialHandler,
): (() => void) => {
  /** Gives up a connection that is being opened. */
  const ways = new Set<() => void>()
  let next = 0
  let timer: NodeJS.Timeout | undefined
  let over = false
  // Dropped at the end: the socket's listeners outlive the request, which may be large.
  let listener: DialHandler | undefined = handler
  let cause = new Error("no valid address")

  const stop = () => {
    clearTimeout(timer)
    for (const giveUp of ways) giveUp()
    ways.clear()
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
    ways.add(() => encrypted.destroy())
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
      if (ways.size === 0) fail("connect")
      return
    }
    const to = address
    const giveUp = route(
      { address: to, port: target.port },
      {
        onOpen: (socket) => {
          if (over || !ways.delete(giveUp)) return
          stop()
          if (target.secure) handshake(socket, to)
          else open(socket, to)
        },
        onFailure: (at, error) => {
          if (over || !ways.delete(giveUp)) return
          cause = error
          if (at === "place") attempt()
          else fail("own")
        },
      },
    )
    ways.add(giveUp)
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
const encrypt = (socket: Socket, host: string, context: SecureContext): TLSSocket =>
  secure({ socket, ...verifying(host, context) })

/** The options of TLS that verifies the certificate of a host. */
export const verifying = (host: string, context: SecureContext) => ({
  host,
  // An address is compared with the certificate, but not sent as a name. A trailing dot is neither.
  servername: isIP(host) === 0 ? host.replace(/\.$/, "") : "",
  ALPNProtocols: ["http/1.1"],
  secureContext: context,
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would decide otherwise.
  rejectUnauthorized: true,
})
