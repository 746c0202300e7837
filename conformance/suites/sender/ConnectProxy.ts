/** An HTTP proxy that opens tunnels by CONNECT, for Node. A case can write its answers. */
import { Buffer } from "node:buffer"
import { connect, type Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { Effect, type Scope } from "effect"
import type { AssertionFailed } from "../Assertion.ts"
import type { Certificate } from "./Certificates.ts"
import { type ReceivedRequest, receiver } from "./Receiver.ts"

/** Behaviour of a proxy. */
export interface ConnectProxyOptions {
  /** Makes it speak TLS. */
  readonly certificate?: Certificate
  /** `user:password` to ask for. Default: none. */
  readonly credentials?: string
  /** Called with each CONNECT. Returns `true` if it answers itself, or never. */
  readonly answer?: (socket: Socket, request: ReceivedRequest) => boolean
}

/** A running proxy. */
export interface ConnectProxy {
  readonly port: number
  /** Every request, answered or not. */
  readonly requests: ReadonlyArray<ReceivedRequest>
  /** The places of the requests: `address:port`. */
  readonly places: () => ReadonlyArray<string>
  /** Every connection ever opened to it. */
  readonly sockets: ReadonlyArray<Socket>
  /** Server names that TLS clients requested, `false` for none. */
  readonly serverNames: ReadonlyArray<string | false>
}

/** Starts a proxy for the lifetime of the scope. It connects wherever it is asked to. */
export const connectProxy = (
  options: ConnectProxyOptions = {},
): Effect.Effect<ConnectProxy, AssertionFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const outgoing = new Set<Socket>()
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of outgoing) socket.destroy()
      }),
    )
    const started = yield* receiver({
      ...(options.certificate === undefined ? {} : { certificate: options.certificate }),
      answer: (_, request) => {
        // Over TLS the receiver gets the bytes of its own end.
        const socket = request.socket as Socket | TLSSocket
        if (options.answer?.(socket, request)) return
        const head = refusalOf(request, options.credentials)
        if (head === undefined) tunnel(socket, request, outgoing)
        else socket.write(head)
      },
    })
    return { ...started, places: () => started.requests.map(({ line }) => line.split(" ")[1] ?? "") }
  })

const refusalOf = ({ headers, line }: ReceivedRequest, credentials: string | undefined): string | undefined => {
  if (!/^CONNECT \S+ HTTP\/1\.1$/.test(line)) return "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
  const given = headers.find(([name]) => name.toLowerCase() === "proxy-authorization")?.[1]
  if (credentials === undefined || given === `Basic ${Buffer.from(credentials).toString("base64")}`) return undefined
  return 'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\n\r\n'
}

/** Connects to the place of a request, and passes bytes on in both directions. */
const tunnel = (socket: Socket, { line }: ReceivedRequest, outgoing: Set<Socket>): void => {
  const [, host = "", port = ""] = /^CONNECT \[?([^\]]*?)\]?:(\d+) /.exec(line) ?? []
  socket.removeAllListeners("data")
  const out = connect({ host, port: Number(port), noDelay: true })
  outgoing.add(out)
  out.once("connect", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
    out.pipe(socket)
    socket.pipe(out)
  })
  out.on("error", () => {
    if (out.bytesRead > 0 || out.bytesWritten > 0) socket.destroy()
    else socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
  })
  out.once("close", () => {
    outgoing.delete(out)
    if (!socket.writableEnded) socket.destroy()
  })
  socket.once("close", () => out.destroy())
}
