import type { Socket } from "node:net"
import { Connection } from "./Connection.ts"
import type { Target } from "./Dial.ts"

/** The connections to one origin at one address. */
interface Group {
  open: number
  readonly idle: Array<Connection>
}

/** Open connections, by origin and address. If too many are idle, the least recently used is closed. */
export class Pool {
  readonly #groups = new Map<string, Group>()
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
      const group = this.#groups.get(keyOf(target, address))
      if (group === undefined) continue
      for (let last = group.idle.pop(); last !== undefined; last = group.idle.pop()) {
        this.#idle.delete(last)
        if (!last.socket.destroyed) return last
      }
    }
    return undefined
  }

  /** Adds a new connection, which belongs to the caller. */
  add(target: Target, address: string, socket: Socket): Connection {
    const key = keyOf(target, address)
    const connection = new Connection(key, target.origin, socket, (closed) => this.#remove(closed))
    const group = this.#groups.get(key)
    if (group === undefined) this.#groups.set(key, { open: 1, idle: [] })
    else group.open++
    this.#open.add(connection)
    return connection
  }

  /** Takes a connection back from the caller. */
  release(connection: Connection): void {
    const group = this.#groups.get(connection.key)
    // A closed connection is removed when its socket reports it.
    if (group === undefined || connection.socket.destroyed) return
    // If the receiver answered early, the unsent rest of the request would delay the next one.
    if (this.#closed || connection.socket.writableLength > 0) {
      connection.close()
      return
    }
    group.idle.push(connection)
    this.#idle.add(connection)
    if (this.#idle.size <= this.#maxIdle) return
    const [oldest] = this.#idle
    oldest?.close()
  }

  close(): void {
    this.#closed = true
    for (const connection of this.#open) connection.close()
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection)) return
    const group = this.#groups.get(connection.key)
    if (group === undefined) return
    if (this.#idle.delete(connection)) {
      const index = group.idle.indexOf(connection)
      if (index !== -1) group.idle.splice(index, 1)
    }
    if (--group.open === 0) this.#groups.delete(connection.key)
  }
}

const keyOf = (target: Target, address: string): string => `${target.origin} ${address}`
