import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { ObservedResponse, type RequestObserver } from "./ObservedResponse.ts"

/** A connection with more requests under way is cut off: their answers would all wait for the first. */
const mostAtOnce = 100

/** The requests on each connection of a server whose answers are not sent to the end. */
export class RequestsUnderWay {
  readonly #server: Server
  /** Arrays rather than sets, for the reason that `LinkedSet` explains. */
  readonly #responses = new WeakMap<Duplex, Array<ServerResponse>>()
  readonly #observers: ReadonlyArray<RequestObserver>
  /** Called when the last request of a connection has ended. */
  onIdle: (socket: Socket) => void = () => undefined

  constructor(server: Server, observers: ReadonlyArray<RequestObserver> = []) {
    this.#server = server
    this.#observers = observers
    server.on("connection", (socket: Socket) => {
      this.#responses.set(socket, [])
      socket.once("close", () => {
        // Node reports a lost connection to the first answer in line only.
        for (const response of this.on(socket)) if (response.socket === null) response.emit("close")
      })
    })
  }

  /** The answers under way on a connection, oldest first. */
  on(socket: Duplex): ReadonlyArray<ServerResponse> {
    return [...(this.#responses.get(socket) ?? [])]
  }

  /** Whether no request of a connection is under way. Its next one may be arriving. */
  readonly isIdle = (socket: Duplex): boolean => (this.#responses.get(socket)?.length ?? 0) === 0

  /** Whether a connection has requests under way, of which none has arrived as a whole. */
  readonly isArriving = (socket: Duplex): boolean => this.on(socket).every(({ req }) => !req.complete)

  /** Whether an answer is the only one under way on its connection; `undefined` if it is not under way. */
  isAlone(response: ServerResponse): boolean | undefined {
    const responses = this.#responses.get(response.req.socket)
    return responses?.includes(response) ? responses.length === 1 : undefined
  }

  /** Adds a request, which is under way until its answer is sent or its connection is gone. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const responses = this.#responses.get(request.socket)
    responses?.push(response)
    if (response instanceof ObservedResponse) for (const { began } of this.#observers) began(response)
    response.once("close", () => {
      if (response instanceof ObservedResponse) for (const { ended } of this.#observers) ended(response)
      if (responses !== undefined) {
        responses.splice(responses.indexOf(response), 1)
        if (responses.length === 0) this.onIdle(request.socket)
      }
      if (!this.#server.listening) this.#server.closeIdleConnections()
    })
    if (responses !== undefined && responses.length > mostAtOnce) request.socket.destroy()
  }

  /** Interrupts the work on every request of a connection: its answers are not wanted any more and can't be sent. */
  interrupt(socket: Duplex): void {
    for (const response of this.on(socket)) response.emit("close")
  }
}
