/** Receives webhooks for the cases, for Node: one server with a separate URL for each case. */
import { Buffer } from "node:buffer"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { AssertionFailed } from "../Assertion.ts"
import { unique } from "../storage/support/Fixtures.ts"
import { maximumRead } from "./Bounded.ts"

/** A received delivery. */
export interface Received {
  readonly method: string
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Header names as they were written. */
  readonly headerNames: ReadonlyArray<string>
  readonly body: Uint8Array
  readonly text: string
  /** Milliseconds since 1970 of its arrival. */
  readonly at: number
  /** `performance.now()` at its arrival and at the response. */
  readonly arrived: number
  readonly answered: number
}

/** Reaction of a receiver: a status, a full response, closing the connection, or silence. */
export type Reply =
  | number
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | "close"
  | "hang"

/** A receiver used by one case. */
export interface OpenReceiver {
  readonly url: string
  /** In the order of their arrival. */
  readonly received: ReadonlyArray<Received>
  /** Waits until this many have arrived and were answered; returns all. */
  readonly until: (count: number) => Effect.Effect<ReadonlyArray<Received>>
}

/** Address on which the receiver listens. */
export interface ListenAddress {
  /** Address of this machine at which the service reaches it. */
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
}

interface Address {
  readonly reply: (index: number) => Reply
  readonly received: Array<Received>
  readonly watchers: Set<() => void>
  count: number
}

/** Listens until the scope closes; returns a function that opens a URL. */
export const listen = ({
  host,
  port,
}: ListenAddress): Effect.Effect<
  (reply?: (index: number) => Reply) => Effect.Effect<OpenReceiver>,
  AssertionFailed,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const addresses = new Map<string, Address>()
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const parts: Array<Buffer> = []
      let read = 0
      request.on("data", (part: Buffer) => {
        read += part.length
        if (read > maximumRead) request.destroy()
        else parts.push(part)
      })
      request.on("error", () => undefined)
      request.on("end", () => take(request, response, Buffer.concat(parts)))
    })
    const take = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
      const address = addresses.get(request.url ?? "")
      if (address === undefined) {
        response.writeHead(410).end()
        return
      }
      const arrival = { at: Date.now(), arrived: performance.now() }
      const reply = address.reply(address.count++)
      const names = request.rawHeaders.filter((_, index) => index % 2 === 0)
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
      )
      address.received.push({
        ...{ method: request.method ?? "", url: request.url ?? "", headers, headerNames: names },
        ...{ body, text: body.toString("utf8"), ...arrival, answered: performance.now() },
      })
      if (reply === "close") request.socket.destroy()
      else if (reply !== "hang") {
        const { status, headers = {}, body: text = "" } = typeof reply === "number" ? { status: reply } : reply
        response.writeHead(status, headers).end(text)
      }
      for (const watcher of [...address.watchers]) watcher()
    }
    const url = yield* Effect.callback<string, AssertionFailed>((resume) => {
      server.once("error", ({ message }) => resume(Effect.fail(new AssertionFailed({ message }))))
      server.listen(port, host, () => {
        const { port: taken } = server.address() as AddressInfo
        resume(Effect.succeed(`http://${host.includes(":") ? `[${host}]` : host}:${taken}`))
      })
    })
    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
    )
    return (reply = () => 200) =>
      Effect.sync(() => {
        const path = `/${unique()}`
        const address: Address = { reply, received: [], watchers: new Set(), count: 0 }
        addresses.set(path, address)
        return {
          url: `${url}${path}`,
          received: address.received,
          until: (count) =>
            Effect.callback((resume) => {
              const look = () => {
                if (address.received.length < count) return
                address.watchers.delete(look)
                resume(Effect.succeed(address.received))
              }
              address.watchers.add(look)
              look()
              return Effect.sync(() => address.watchers.delete(look))
            }),
        }
      })
  })
