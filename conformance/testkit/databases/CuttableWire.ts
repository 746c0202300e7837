/** A proxy to a database that can be cut, for tests of lost connections. */
import { connect, createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"
import type { StatementLog } from "./StatementLog.ts"

/** What sees the messages of a connection before they pass; one for which it returns `false` ends the connection. */
export type Watch = () => (message: Buffer) => boolean

/**
 * Starts a proxy to the database of a URL: returns the proxy's URL, and an effect that cuts it until the scope closes.
 * A log records the statements that pass.
 */
export const cuttableWire = Effect.fnUntraced(function* (
  databaseUrl: string,
  log?: Pick<StatementLog, "connection">,
  watch?: Watch,
) {
  const url = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const { hostname, port } = url
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(Number(port), hostname)
    if (log !== undefined) near.on("data", log.connection())
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket.setNoDelay(true))
      if (socket === near && watch !== undefined) {
        const passes = watch()
        near.on("data", (message) => (passes(message) ? far.write(message) : near.destroy()))
      } else socket.pipe(other)
      // Both sides see the cut.
      socket.on("error", () => other.destroy())
      socket.on("close", () => sockets.delete(socket) && other.destroy())
    }
  })
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        cutAll()
        server.close(() => resume(Effect.void))
      }),
  )
  const address = server.address()
  url.hostname = "127.0.0.1"
  url.port = String(typeof address === "object" ? address?.port : address)
  const cut: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
    Effect.sync(() => {
      isCut = true
      cutAll()
    }),
    () =>
      Effect.sync(() => {
        isCut = false
      }),
  )
  return { url: url.href, cut }
})
