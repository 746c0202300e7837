import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { OncePerMinute } from "../../core/support/OncePerMinute.ts"
import type { ConnectionLimits } from "./ConnectionLimits.ts"
import { type Origin, originOf } from "./Origin.ts"
import { isProbe, pathOf } from "./RequestPath.ts"
import type { RequestsUnderWay } from "./RequestsUnderWay.ts"

/** Connections beyond the bounds, on which only health probes are answered: all of them, and those of one address. */
const spare = { all: 64, ofOne: 16 }

/** The ways of a full server with its connections. */
const consequence = "idle ones are closed, and new ones if none is idle"

/**
 * The places of a server's connections: a number in all, and one for each address that is not a proxy's. If none is
 * left, the connection that has been idle for longest is closed. If none is idle, the new connection gets a spare
 * place, on which only health probes are answered. There the oldest connection makes room.
 */
export class Places {
  readonly #limits: ConnectionLimits
  readonly #underWay: RequestsUnderWay
  readonly #reports: OncePerMinute
  /** The connections with a place, with the key of their origin. Of the idle ones, that idle for longest is first. */
  readonly #placed = new Map<Socket, string>()
  readonly #byOrigin = new Map<string, Set<Socket>>()
  /** The connections with a spare place, with the key of their origin, oldest first. */
  readonly #spare = new Map<Socket, string>()

  /** `reports` gets a sentence when a bound is reached. */
  constructor(server: Server, limits: ConnectionLimits, underWay: RequestsUnderWay, reports: OncePerMinute) {
    this.#limits = limits
    this.#underWay = underWay
    this.#reports = reports
    server.on("connection", (socket: Socket) => this.#admit(socket))
    underWay.onIdle = (socket) => this.#rest(socket)
  }

  /** Whether a request may be answered. Otherwise it ends the connection of the request. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#spare.has(request.socket)) return true
    const admitted = isProbe(pathOf(request))
    if (!admitted) request.socket.destroy()
    // A spare place is for one probe.
    response.shouldKeepAlive = false
    return admitted
  }

  #admit(socket: Socket): void {
    const origin = originOf(socket.remoteAddress, this.#limits.proxies)
    // The client is gone.
    if (origin === undefined) return void socket.destroy()
    if (this.#hasRoom(origin)) this.#place(socket, origin.key)
    else this.#placeSpare(socket, origin.key)
    socket.once("close", () => this.#remove(socket))
  }

  #hasRoom({ isProxy, key }: Origin): boolean {
    const { maximumConnections, maximumPerAddress } = this.#limits
    const own = this.#byOrigin.get(key)?.size ?? 0
    if (!isProxy && own >= maximumPerAddress) {
      const name = "DESIGNWIRE_CONNECTIONS_PER_ADDRESS"
      this.#reports.note(name, () => {
        const advice = "If it is a proxy, name it in DESIGNWIRE_PROXY_NETWORKS"
        return `${key} has ${own} connections, the most of one address (${name}): ${consequence}. ${advice}`
      })
      if (!this.#endIdle(this.#byOrigin.get(key) ?? [])) return false
    }
    if (this.#placed.size < maximumConnections) return true
    this.#reports.note(
      "connections",
      () => `The server has ${maximumConnections} connections, as many as it takes: ${consequence}`,
    )
    return this.#endIdle(this.#placed.keys())
  }

  /** Ends the connection that has been idle for longest; if none is idle, one whose request has not arrived. */
  #endIdle(sockets: Iterable<Socket>): boolean {
    const all = [...sockets]
    const { isArriving, isIdle } = this.#underWay
    const ended = all.find(isIdle) ?? all.find(isArriving)
    if (ended === undefined) return false
    this.#remove(ended)
    ended.destroy()
    return true
  }

  #place(socket: Socket, key: string): void {
    this.#placed.set(socket, key)
    const own = this.#byOrigin.get(key)
    if (own === undefined) this.#byOrigin.set(key, new Set([socket]))
    else own.add(socket)
  }

  #placeSpare(socket: Socket, key: string): void {
    const own = [...this.#spare].filter(([, other]) => other === key)
    const [oldest] = own.length >= spare.ofOne ? own : this.#spare
    const isFull = own.length >= spare.ofOne || this.#spare.size >= spare.all
    this.#spare.set(socket, key)
    if (isFull && oldest !== undefined) {
      this.#remove(oldest[0])
      oldest[0].destroy()
    }
  }

  /** The last request of a connection has ended: it is idle for a shorter time than all others. */
  #rest(socket: Socket): void {
    const key = this.#placed.get(socket)
    if (key === undefined) return
    this.#remove(socket)
    this.#place(socket, key)
  }

  #remove(socket: Socket): void {
    this.#spare.delete(socket)
    const key = this.#placed.get(socket)
    if (key === undefined) return
    this.#placed.delete(socket)
    const own = this.#byOrigin.get(key)
    own?.delete(socket)
    if (own?.size === 0) this.#byOrigin.delete(key)
  }
}
