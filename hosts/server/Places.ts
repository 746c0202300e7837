import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type Link, LinkedSet } from "../../core/support/LinkedSet.ts"
import type { OncePerMinute } from "../../core/support/OncePerMinute.ts"
import type { ConnectionLimits } from "./ConnectionLimits.ts"
import { type Origin, originOf } from "./Origin.ts"
import { isProbe, pathOf } from "./RequestPath.ts"
import type { RequestsUnderWay } from "./RequestsUnderWay.ts"

/** Connections beyond the bounds, on which only health probes are answered: all of them, and those of one address. */
const spare = { all: 64, ofOne: 16 }

/** The place of a connection, with the key of its origin. A spare one does not count for its origin. */
interface Place {
  readonly key: string
  readonly isSpare: boolean
  readonly all: Link<Socket>
  readonly own?: Link<Socket>
}

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
  /** The connections with a place. Of the idle ones, that idle for longest is first. */
  readonly #placed = new LinkedSet<Socket>()
  readonly #byOrigin = new Map<string, LinkedSet<Socket>>()
  /** The connections with a spare place, oldest first. */
  readonly #spare = new LinkedSet<Socket>()
  readonly #places = new WeakMap<Socket, Place>()

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
    if (this.#places.get(request.socket)?.isSpare !== true) return true
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
      if (!this.#endIdle(this.#byOrigin.get(key) ?? new LinkedSet())) return false
    }
    if (this.#placed.size < maximumConnections) return true
    this.#reports.note(
      "connections",
      () => `The server has ${maximumConnections} connections, as many as it takes: ${consequence}`,
    )
    return this.#endIdle(this.#placed)
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
    const ofOrigin = this.#byOrigin.get(key) ?? new LinkedSet<Socket>()
    this.#byOrigin.set(key, ofOrigin)
    this.#places.set(socket, { key, isSpare: false, all: this.#placed.add(socket), own: ofOrigin.add(socket) })
  }

  #placeSpare(socket: Socket, key: string): void {
    const own = [...this.#spare].filter((other) => this.#places.get(other)?.key === key)
    const [oldest] = own.length >= spare.ofOne ? own : this.#spare
    const isFull = own.length >= spare.ofOne || this.#spare.size >= spare.all
    this.#places.set(socket, { key, isSpare: true, all: this.#spare.add(socket) })
    if (isFull && oldest !== undefined) {
      this.#remove(oldest)
      oldest.destroy()
    }
  }

  /** The last request of a connection has ended: it is idle for a shorter time than all others. */
  #rest(socket: Socket): void {
    const place = this.#places.get(socket)
    if (place?.own === undefined) return
    this.#placed.renew(place.all)
    this.#byOrigin.get(place.key)?.renew(place.own)
  }

  #remove(socket: Socket): void {
    const place = this.#places.get(socket)
    if (place === undefined) return
    this.#places.delete(socket)
    this.#spare.remove(place.all)
    this.#placed.remove(place.all)
    const ofOrigin = this.#byOrigin.get(place.key)
    if (ofOrigin === undefined || place.own === undefined) return
    ofOrigin.remove(place.own)
    if (ofOrigin.size === 0) this.#byOrigin.delete(place.key)
  }
}
