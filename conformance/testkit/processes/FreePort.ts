import { createServer } from "node:net"

/**
 * A port of this machine on which nothing listens. It is below those that systems give to outgoing connections: one of
 * these could take it before a server listens on it, or while a server that was killed is away.
 */
export const freePort = async (): Promise<number> => {
  for (let triesLeft = 100; ; triesLeft--) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    const error = await occupied(port)
    if (error === undefined) return port
    if (triesLeft === 0) throw error
  }
}

const occupied = (port: number): Promise<Error | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", resolve)
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(undefined)))
  })
