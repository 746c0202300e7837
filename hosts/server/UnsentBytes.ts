import type { ServerResponse } from "node:http"
import type { RequestsUnderWay } from "./RequestsUnderWay.ts"

/** A smaller answer that waits behind no other goes to the kernel at once, even if its client reads nothing. */
const worthCounting = 16_384

/**
 * Counts the bytes of answers that wait for their readers, and cuts off the answers that wait longest if there are too
 * many.
 */
export class UnsentBytes {
  readonly #maximum: number
  readonly #underWay: RequestsUnderWay
  /** Oldest first. */
  readonly #bytes = new Map<ServerResponse, number>()
  #sum = 0

  constructor(maximum: number, underWay: RequestsUnderWay) {
    this.#maximum = maximum
    this.#underWay = underWay
  }

  /** Counts the bytes of an answer that is about to be sent, until it is sent or cut off. */
  hold(response: ServerResponse, bytes: number): void {
    const isAlone = this.#underWay.isAlone(response)
    if (isAlone === undefined || (isAlone && bytes < worthCounting)) return
    this.#bytes.set(response, bytes)
    this.#sum += bytes
    response.once("close", () => this.#release(response))
    for (const [oldest] of this.#bytes) {
      if (this.#sum <= this.#maximum || this.#bytes.size === 1) break
      this.#release(oldest)
      oldest.req.socket.destroy()
    }
  }

  #release(response: ServerResponse): void {
    this.#sum -= this.#bytes.get(response) ?? 0
    this.#bytes.delete(response)
  }
}
