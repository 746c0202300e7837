/** A connection to a host on which a test controls every byte. */
import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

export interface RawConnection {
  readonly socket: Socket
  /** Everything received so far as text. */
  readonly received: () => string
  /** Waits until enough was received; fails if the host closes the connection before. */
  readonly until: (enough: (text: string) => boolean) => Effect.Effect<string, Error>
  /** Waits until the connection is closed; returns everything received. */
  readonly closed: Effect.Effect<string>
}

/** Opens a connection for the lifetime of the scope, from an address of this machine, and sends a text over it. */
export const openConnection = (
  port: number,
  text = "",
  localAddress = "127.0.0.1",
): Effect.Effect<RawConnection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<RawConnection>((resume) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress })
      let received = ""
      socket.setEncoding("utf8").on("data", (data: string) => {
        received += data
      })
      // A host that closes the connection while bytes are in transit resets it.
      socket.on("error", () => undefined)
      const made: RawConnection = {
        socket,
        received: () => received,
        until: (enough) =>
          Effect.callback<string, Error>((resume) => {
            const look = () => enough(received) && resume(Effect.succeed(received))
            const ended = () => resume(Effect.fail(new Error(`Closed after ${JSON.stringify(received.slice(0, 500))}`)))
            socket.on("data", look).once("close", ended)
            look()
            if (socket.destroyed) ended()
            return Effect.sync(() => socket.off("data", look).off("close", ended))
          }),
        closed: Effect.callback((resume) => {
          const ended = () => resume(Effect.succeed(received))
          if (socket.closed) ended()
          else socket.once("close", ended)
        }),
      }
      socket.once("connect", () => {
        socket.write(text)
        resume(Effect.succeed(made))
      })
    }),
    ({ socket }) => Effect.sync(() => socket.destroy()),
  )

/** A received response. */
export interface RawAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Parses the responses in a text, with a `Content-Length` or without a body; throws for anything else. */
export const answersIn = (text: string): ReadonlyArray<RawAnswer> => {
  if (text === "") return []
  const match = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(text)
  if (match === null) throw new Error(`Not an answer: ${JSON.stringify(text)}`)
  const headers = Object.fromEntries(
    (match[2] as string)
      .split("\r\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  )
  const rest = Buffer.from(text.slice(match[0].length))
  const length = Number(headers["content-length"] ?? 0)
  const body = rest.subarray(0, length).toString()
  return [{ status: Number(match[1]), headers, body }, ...answersIn(rest.subarray(length).toString())]
}
