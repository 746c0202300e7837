import type { ServerResponse } from "node:http"
import { type Link, LinkedSet } from "../../core/support/LinkedSet.ts"
import type { RequestsUnderWay } from "./RequestsUnderWay.ts"

/** A smaller answer that waits behind no other goes to the kernel at once, even if its client reads nothing. */
const worthCounting = 16_384

interface Unsent {
  readonly response: ServerResponse
  readonly bytes: number
}

/**
 * Counts the bytes of answers that wait for their readers, and cuts off the answers that wait longest if there are too
 * many.
 */
export class UnsentBytes {
  readonly #maximum: number
  readonly #underWay: RequestsUnderWay
  readonly #answers = new LinkedSet<Unsent>()
  #sum = 0

  constructor(maximum: number, underWay: RequestsUnderWay) {
    this.#maximum = maximum
    this.#underWay = underWay
  }

  /** Counts the bytes of an answer that is about to be sent, until it is sent or cut off. */
  hold(response: ServerResponse, bytes: number): void {
    const isAlone = this.#underWay.isAlone(response)
    if (isAlone === undefined || (isAlone && bytes < worthCounting)) return
    const answer = this.#answers.add({ response, bytes })
    this.#sum += bytes
    response.once("close", () => this.#release(answer))
    while (this.#sum > this.#maximum && this.#answers.size > 1) {
      const oldest = this.#answers.first as Link<Unsent>
      this.#release(oldest)
      oldest.value.response.req.socket.destroy()
    }
  }

  #release(answer: Link<Unsent>): void {
    if (this.#answers.remove(answer)) this.#sum -= answer.value.bytes
  }
}
