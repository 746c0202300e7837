/** A receiver of webhooks that keeps what came, and answers as a check wants it. */
import { createHmac } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** When it came, by this process's clock, in milliseconds. */
  readonly at: number
}

/** The status to answer with, and a text. */
export type Answer = (received: Received) => Promise<{ readonly status: number; readonly text?: string }>

/** The headers of a delivery that is signed now, or at another Unix time in seconds. */
export const signed = (secret: string, body: string, at = Math.floor(Date.now() / 1000)): Record<string, string> => ({
  "content-type": "application/json",
  "x-service-timestamp": String(at),
  "x-service-signature": createHmac("sha256", secret).update(`${at}.${body}`).digest("hex"),
})

/** Whether a secret has signed a delivery. */
export const isSigned = ({ body, headers }: Received, secret: string): boolean =>
  createHmac("sha256", secret).update(`${headers["x-service-timestamp"]}.`).update(body).digest("hex") ===
  headers["x-service-signature"]

export class Receiver {
  readonly #server: Server
  readonly received: Array<Received> = []
  /** Deliveries that have no answer yet, and the most that ever had none. */
  pending = 0
  most = 0
  answer: Answer = async () => ({ status: 204 })

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const received = { headers: request.headers, body: await buffer(request), at: Date.now() }
      this.received.push(received)
      this.pending++
      this.most = Math.max(this.most, this.pending)
      const { status, text = "" } = await this.answer(received)
      this.pending--
      response.writeHead(status).end(text)
    })
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks`
  }

  /** The events that came, in the order in which they came. */
  get events(): ReadonlyArray<{ readonly id: string; readonly event: string }> {
    return this.received.map(({ body }) => JSON.parse(body.toString()))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
