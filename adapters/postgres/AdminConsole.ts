/** The admin console of a pooler such as PgBouncer or PgDog: Postgres' protocol, with simple queries alone. */
import { Buffer } from "node:buffer"
import { connect, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { Data, Effect, Redacted, type Scope } from "effect"
import { reasonOf } from "../sql/statements/Reason.ts"
import { load, optionalPackages } from "../support/Packages.ts"

/** A console that can't be reached, or that refuses a command. The message names its host and port. */
export class ConsoleError extends Data.TaggedError("ConsoleError")<{ readonly message: string }> {}

/** How long a command may take, the connection included. */
const patience = "10 seconds"

/**
 * Runs a command of the console, such as `RELOAD`. Of the URL's options it knows `sslmode`: `require` and `verify-full`
 * encrypt the connection and check the certificate.
 */
export const runOnConsole = (url: Redacted.Redacted<string>, command: string): Effect.Effect<void, ConsoleError> => {
  const { hostname, port } = new URL(Redacted.value(url))
  const place = `${hostname}:${port || defaultPort}`
  return Effect.flatMap(signedIn(url), (socket) => answered(socket, command)).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new Error(`no answer within ${patience}`)) }),
    Effect.mapError((error) => new ConsoleError({ message: `The pooler's console at ${place}: ${reasonOf(error)}` })),
    Effect.scoped,
  )
}

const defaultPort = "5432"

const sqlPg = Effect.promise(() =>
  load(() => import("@effect/sql-pg"), "designwire/postgres", optionalPackages.postgres),
)

/** A connection that is signed in. The driver can do that, but not send simple queries: we take its connection over. */
const signedIn = Effect.fnUntraced(function* (url: Redacted.Redacted<string>) {
  const { PgConnection } = yield* sqlPg
  const socket = yield* opened(new URL(Redacted.value(url)))
  yield* PgConnection.make({ url, stream: () => socket, ssl: false, applicationName: "designwire" })
  socket.removeAllListeners("data")
  return socket
})

/** A connection, encrypted if the URL says so. */
const opened = Effect.fnUntraced(function* ({
  hostname,
  port,
  searchParams,
}: URL): Effect.fn.Return<Socket, Error, Scope.Scope> {
  const host = hostname.replace(/^\[|\]$/g, "")
  const plain = connect({ host, port: Number(port || defaultPort) })
  yield* Effect.addFinalizer(() => Effect.sync(() => plain.destroy()))
  yield* once(plain, "connect")
  if (!["require", "verify-ca", "verify-full"].includes(searchParams.get("sslmode") ?? "")) return plain
  const { PgProtocol } = yield* sqlPg
  plain.write(PgProtocol.encodeSslRequest())
  const [answer] = yield* once<[Buffer]>(plain, "data")
  if (answer.toString() !== "S") return yield* Effect.fail(new Error("it has no TLS: leave out sslmode, or enable it"))
  const encrypted = connectTls({ socket: plain, host, ...(isIP(host) === 0 ? { servername: host } : {}) })
  yield* once(encrypted, "secureConnect")
  return encrypted
})

/** The arguments of a socket's next event that fits. Fails if the socket ends first. */
const once = <Arguments extends ReadonlyArray<unknown> = []>(
  socket: Socket,
  event: string,
  fits: (...values: Arguments) => boolean = () => true,
) =>
  Effect.callback<Arguments, Error>((resume) => {
    const happened = (...values: Array<unknown>) => {
      const given = values as ReadonlyArray<unknown> as Arguments
      try {
        if (fits(...given)) end(Effect.succeed(given))
      } catch (error) {
        end(Effect.fail(error as Error))
      }
    }
    const failed = (error: Error) => end(Effect.fail(error))
    const closed = () => end(Effect.fail(new Error("it closed the connection")))
    const end = (result: Effect.Effect<Arguments, Error>) => {
      socket.off(event, happened).off("error", failed).off("close", closed)
      resume(result)
    }
    socket.on(event, happened).on("error", failed).on("close", closed)
  })

/** Sends a simple query, and waits until it has ended. */
const answered = Effect.fnUntraced(function* (socket: Socket, command: string): Effect.fn.Return<void, Error> {
  const { PgProtocol } = yield* sqlPg
  const parser = PgProtocol.makeParser()
  let refusal: string | undefined
  const hasEnded = (chunk: Buffer) =>
    parser.push(chunk).some((message) => {
      if (message._tag === "ErrorResponse") refusal = message.fields.message
      return message._tag === "ReadyForQuery"
    })
  socket.write(simpleQuery(command))
  yield* once<[Buffer]>(socket, "data", hasEnded)
  if (refusal !== undefined) return yield* Effect.fail(new Error(`it refuses ${command}: ${refusal}`))
})

const simpleQuery = (text: string): Buffer => {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.from("Q\0\0\0\0")
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
