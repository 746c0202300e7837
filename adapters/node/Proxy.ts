import type { LookupAddress } from "node:dns"
import { lookup } from "node:dns/promises"
import { connect, isIP, type LookupFunction, type Socket } from "node:net"
import { type SecureContext, connect as secure } from "node:tls"
import { Effect, Redacted } from "effect"
import { logged } from "../../core/model/log/LogEvent.ts"
import { OncePerMinute } from "../../core/support/OncePerMinute.ts"
import { verifying } from "./Dial.ts"
import { direct, isOurs, type Route, type RouteHandler, socketOptions, type Target } from "./Route.ts"

/** A fault of the proxy, or of its configuration. */
export interface ProxyFault {
  /** The same for faults of one kind. */
  readonly kind: string
  /** Says what is wrong, for the operator. Holds no secret. */
  readonly sentence: string
}

/** Milliseconds to reach the proxy, TLS included. Its answer may take as long as the receiver may take to connect. */
const timeToReach = 2_000

/** The most bytes of the answer to CONNECT. */
const maximumHead = 16 * 1024

/** Milliseconds for which the addresses of the proxy's name are remembered. */
const memory = 5_000

/** Answers to CONNECT by which a proxy reports that it can't reach the place (RFC 9110 §15.6). */
const unreachable: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * The route through an HTTP proxy, by CONNECT to the place's address (RFC 9110 §9.3.6): the proxy looks no name up. A
 * proxy at an `https:` URL is reached over TLS, with its certificate verified. `report` gets the faults of the proxy
 * itself; a place that the proxy can't reach is none.
 *
 * A proxy that does not work is a fault of ours. A refusal concerns the place, though it is reported: rules may forbid
 * one port, and an endpoint there must be switched off in the end.
 */
export const through = (
  proxyUrl: Redacted.Redacted<string>,
  context: SecureContext,
  report: (fault: ProxyFault) => void,
): Route => {
  const { authorization, host, isSecure, name, port } = partsOf(proxyUrl)
  const at = { host, port, lookup: remembering(host), autoSelectFamily: true, ...socketOptions }

  return (place, handler) => {
    const socket = isSecure ? secure({ ...at, ...verifying(host, context) }) : connect(at)
    let isOver = false
    const end = (): boolean => {
      clearTimeout(timer)
      const wasOver = isOver
      isOver = true
      return !wasOver
    }
    const fail = (whose: Parameters<RouteHandler["onFailure"]>[0], kind: string, what: string, fault = true) => {
      if (!end()) return
      socket.destroy()
      const sentence = `The webhook proxy ${name} ${what}`
      if (fault) report({ kind, sentence })
      handler.onFailure(whose, new Error(sentence))
    }
    const timer = setTimeout(
      () => fail("own", "unreached", `can't be reached within ${timeToReach / 1000} seconds`),
      timeToReach,
    )
    let isReached = false
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (isOurs(error)) fail("own", "", `can't be tried: ${error.message}`, false)
      else if (isReached) fail("own", "broken", `ended the connection before its answer (${reasonOf(error)})`)
      else fail("own", "unreached", `can't be reached (${reasonOf(error)})`)
    })
    socket.once("close", () => fail("own", "broken", "ended the connection before its answer"))
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      if (isOver) return
      isReached = true
      clearTimeout(timer)
      socket.write(requestFor(place, authorization))
      readHead(socket, (head) => {
        const status = Number(/^HTTP\/1\.[01] (\d{3})[ \r]/.exec(head ?? "")?.[1])
        if (status >= 200 && status < 300) {
          if (end()) handler.onOpen(socket)
        } else if (unreachable.has(status)) fail("place", "", `can't connect (${status})`, false)
        else if (status === 407) {
          const lacks = authorization === undefined
          fail("own", "407", `${lacks ? "requires a" : "refuses the"} user name and password (407)`)
        } else if (Number.isNaN(status)) fail("own", "garbled", "does not answer as an HTTP proxy")
        else fail("place", String(status), `refuses to connect to receivers (${status}): look at its rules`)
      })
    })
    return () => {
      end()
      socket.destroy()
    }
  }
}

/** Makes the route of connections. The faults of a proxy are lines of the log, which end with what becomes of them. */
export const makeRoute = Effect.fnUntraced(function* (
  proxy: Redacted.Redacted<string> | undefined,
  tls: SecureContext,
  ending: string,
) {
  if (proxy === undefined) return direct
  const context = yield* Effect.context<never>()
  const log = (sentence: string) =>
    void Effect.runForkWith(context)(Effect.logError(sentence).pipe(logged("webhooks.proxy_fault")))
  const faults = new OncePerMinute(log, () => performance.now())
  return through(proxy, tls, ({ kind, sentence }) =>
    faults.note(kind, (times) => {
      const since = times === 1 ? "" : `, ${times} times since the last line`
      return `${sentence}${since}. ${ending}`
    }),
  )
})

const partsOf = (proxyUrl: Redacted.Redacted<string>) => {
  const { hostname, password, port, protocol, username } = new URL(Redacted.value(proxyUrl))
  const isSecure = protocol === "https:"
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
  const number = port === "" ? (isSecure ? 443 : 80) : Number(port)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    isSecure,
    host,
    port: number,
    /** For people. */
    name: `${hostname}:${number}`,
    authorization: credentials === ":" ? undefined : Redacted.make(Buffer.from(credentials).toString("base64")),
  }
}

const requestFor = ({ address, port }: Target, authorization: Redacted.Redacted<string> | undefined): string => {
  const authority = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`]
  if (authorization !== undefined) lines.push(`Proxy-Authorization: Basic ${Redacted.value(authorization)}`)
  return [...lines, "", ""].join("\r\n")
}

/** Reads to the end of a head, and leaves the rest in the socket. `undefined` if the head is too long. */
const readHead = (socket: Socket, done: (head: string | undefined) => void): void => {
  let bytes = Buffer.alloc(0)
  const read = () => {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
      bytes = Buffer.concat([bytes, chunk])
      const length = bytes.indexOf("\r\n\r\n")
      if (length === -1 && bytes.length <= maximumHead) continue
      socket.off("readable", read)
      const isWhole = length !== -1 && length <= maximumHead
      if (isWhole && bytes.length > length + 4) socket.unshift(bytes.subarray(length + 4))
      return done(isWhole ? bytes.toString("latin1", 0, length + 2) : undefined)
    }
  }
  socket.on("readable", read)
}

/** Looks up one name, and remembers its addresses: each look-up by the system occupies a thread. */
const remembering = (host: string): LookupFunction => {
  let known: Promise<Array<LookupAddress>> | undefined
  let until = Number.NEGATIVE_INFINITY
  return (_host, _options, callback) => {
    const now = performance.now()
    if (known === undefined || now >= until) {
      known = lookup(host, { all: true })
      until = now + memory
    }
    known.then(
      (addresses) => callback(null, addresses),
      (error) => {
        known = undefined
        callback(error, [])
      },
    )
  }
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => code ?? message
