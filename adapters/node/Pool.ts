import type { Socket } from "node:net"
import { Connection } from "./Connection.ts"
import type { Target } from "./Dial.ts"

/**
 * Open connections, by origin, address and client certificate. If too many are idle, the least recently used is closed.
 */
export class Pool {
  /** The idle connections to one origin at one address, the last used one last. */
  readonly #idleTo = new Map<string, Array<Connection>>()
  /** All idle connections, the last used one last. */
  readonly #idle = new Set<Connection>()
  readonly #open = new Set<Connection>()
  readonly #maxIdle: number
  #closed = false

  constructor(maxIdle: number) {
    this.#maxIdle = maxIdle
  }

  /** Returns an idle connection to one of the addresses. It then belongs to the caller. */
  take(target: Target, addresses: ReadonlyArray<string>): Connection | undefined {
    for (const address of addresses) {
      const idle = this.#idleTo.get(keyOf(target, address)) ?? []
      for (let last = idle.at(-1); last !== undefined; last = idle.at(-1)) {
        this.#occupy(last)
        if (!last.socket.destroyed) return last
      }
    }
    return undefined
  }

  /** Adds a new connection, which belongs to the caller. */
  add(target: Target, address: string, socket: Socket): Connection {
    const connection = new Connection(keyOf(target, address), target.origin, socket, (closed) => {
      if (this.#open.delete(closed)) this.#occupy(closed)
    })
    this.#open.add(connection)
    return connection
  }

  /** Takes a connection back from the caller. */
  release(connection: Connection): void {
    // A closed connection is removed when its socket reports it.
    if (!this.#open.has(connection) || connection.socket.destroyed) return
    // If the receiver answered early, the unsent rest of the request would delay the next one.
    if (this.#closed || connection.socket.writableLength > 0) {
      connection.close()
      return
    }
    const idle = this.#idleTo.get(connection.key)
    if (idle === undefined) this.#idleTo.set(connection.key, [connection])
    else idle.push(connection)
    this.#idle.add(connection)
    if (this.#idle.size <= this.#maxIdle) return
    const [oldest] = this.#idle
    oldest?.close()
  }

  close(): void {
    this.#closed = true
    for (const connection of this.#open) connection.close()
  }

  /** A connection is idle no more, if it was. */
  #occupy(connection: Connection): void {
    if (!this.#idle.delete(connection)) return
    const idle = this.#idleTo.get(connection.key) ?? []
    if (idle.at(-1) === connection) idle.pop()
    else idle.splice(idle.indexOf(connection), 1)
    if (idle.length === 0) this.#idleTo.delete(connection.key)
  }
}

const keyOf = (target: Target, address: string): string => `${target.origin} ${address} ${target.identity}`
