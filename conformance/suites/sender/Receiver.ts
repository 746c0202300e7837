/** Receivers scripted by a case, for Node: they speak TCP and TLS, and the case writes every byte of the response. */
import { Buffer } from "node:buffer"
import { createServer, type Server, type Socket } from "node:net"
import { createSecureContext, type SecureContextOptions, TLSSocket, type TLSSocketOptions } from "node:tls"
import { Effect, type Scope } from "effect"
import { AssertionFailed } from "../Assertion.ts"
import type { Certificate } from "./Certificates.ts"

/** A received request. */
export interface ReceivedRequest {
  /** `POST /path HTTP/1.1` */
  readonly line: string
  /** Name and value of each header, as written and in order. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer
  readonly socket: Socket
}

/** Behaviour of a receiver. */
export interface ReceiverOptions {
  /** Address to listen on. Default: every local address. */
  readonly host?: string
  /** Makes it speak TLS. */
  readonly certificate?: Certificate
  /** Whether it asks for a client certificate over TLS. Default: no. */
  readonly asksForCertificate?: boolean
  /** More options of TLS. */
  readonly tls?: TLSSocketOptions & SecureContextOptions
  /** Called on connection, before TLS. Returns `true` if it handles the connection. */
  readonly accept?: (socket: Socket) => boolean
  /** Called with each complete request. Default: never responds. */
  readonly answer?: (socket: Socket, request: ReceivedRequest) => void
}

/** A running receiver. */
export interface Receiver {
  readonly port: number
  /** Requests received, even if their connection broke. */
  readonly requests: ReadonlyArray<ReceivedRequest>
  /** Every connection ever opened, in order. */
  readonly sockets: ReadonlyArray<Socket>
  /** Bytes received over all connections, without TLS. */
  readonly received: () => number
  /** Server names that TLS clients requested, `false` for none. */
  readonly serverNames: ReadonlyArray<string | false>
}

/** Starts a receiver for the lifetime of the scope. */
export const receiver = (options: ReceiverOptions): Effect.Effect<Receiver, AssertionFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets: Array<Socket> = []
    const requests: Array<ReceivedRequest> = []
    const serverNames: Array<string | false> = []
    let received = 0

    const serve = (socket: Socket) => {
      const parser = requestParser(socket, (request) => {
        requests.push(request)
        options.answer?.(socket, request)
      })
      socket.on("data", (chunk) => {
        received += chunk.length
        parser(chunk)
      })
    }
    const server = createServer((socket) => {
      sockets.push(socket)
      // How a connection ends shows what the sender did to it.
      socket.on("error", () => socket.destroy())
      socket.setNoDelay(true)
      if (options.accept?.(socket) === true) return
      if (options.certificate === undefined) {
        serve(socket)
        return
      }
      const encrypted = new TLSSocket(socket, {
        ...(options.tls && { secureContext: createSecureContext({ ...options.certificate, ...options.tls }) }),
        ...options.certificate,
        isServer: true,
        requestCert: options.asksForCertificate === true,
        ALPNProtocols: ["http/1.1"],
        ...options.tls,
      })
      encrypted.on("error", () => socket.destroy())
      encrypted.once("secure", () => serverNames.push(encryptedName(encrypted)))
      serve(encrypted)
    })
    const port = yield* listen(server, options.host)
    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resume(Effect.void))
      }),
    )
    return { port, requests, sockets, serverNames, received: () => received }
  })

/** A loopback address other than 127.0.0.1 that can be listened on. */
export const otherLoopback: Effect.Effect<string, AssertionFailed> = Effect.suspend(() =>
  Effect.catch(Effect.scoped(Effect.as(receiver({ host: "127.0.0.2" }), "127.0.0.2")), () =>
    Effect.scoped(Effect.as(receiver({ host: "::1" }), "::1")),
  ),
)

/** A port on which nothing listens. */
export const freePort: Effect.Effect<number, AssertionFailed> = Effect.scoped(
  Effect.map(receiver({ host: "127.0.0.1" }), ({ port }) => port),
)

/** Waits for a condition; the case fails if it does not hold within ten seconds. */
export const eventually = (what: string, condition: () => boolean): Effect.Effect<void, AssertionFailed> =>
  Effect.callback((resume) => {
    const until = Date.now() + 10_000
    const look = () => {
      if (condition()) resume(Effect.void)
      else if (Date.now() > until) resume(Effect.fail(new AssertionFailed({ message: `never so: ${what}` })))
      else timer = setTimeout(look, 5)
    }
    let timer = setTimeout(look, 0)
    return Effect.sync(() => clearTimeout(timer))
  })

/** A response as text: status line, headers and, unless given, the body's length. */
export const answer = (status: string, headers: ReadonlyArray<string> = [], body: string | Buffer = ""): Buffer => {
  const bytes = Buffer.from(body)
  const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${bytes.length}`, "", ""]
  return Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), bytes])
}

const listen = (server: Server, host: string | undefined): Effect.Effect<number, AssertionFailed> =>
  Effect.callback((resume) => {
    server.once("error", (error) => resume(Effect.fail(new AssertionFailed({ message: `no receiver: ${error}` }))))
    server.listen({ port: 0, host, backlog: 2_048 }, () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** The name in a client's hello. */
const encryptedName = (socket: TLSSocket): string | false => {
  const name: unknown = Reflect.get(socket, "servername")
  return typeof name === "string" && name !== "" ? name : false
}

/** Extracts requests with a `Content-Length` from incoming bytes. */
const requestParser = (socket: Socket, onRequest: (request: ReceivedRequest) => void) => {
  let pending = Buffer.alloc(0)
  return (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const end = pending.indexOf("\r\n\r\n")
      if (end === -1) return
      const [line = "", ...rest] = pending.toString("latin1", 0, end).split("\r\n")
      const headers = rest.map((text) => {
        const colon = text.indexOf(":")
        return [text.slice(0, colon), text.slice(colon + 1).trim()] as const
      })
      const length = Number(headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? 0)
      if (pending.length < end + 4 + length) return
      const body = pending.subarray(end + 4, end + 4 + length)
      pending = pending.subarray(end + 4 + length)
      onRequest({ line, headers, body, socket })
    }
  }
}
