import { standingOf } from "../../../model/Health.ts"
import type { Claim } from "../../../ports/DeliveryQueue.ts"
import { leaving, leftShare } from "../../../rules/webhooks/SlotShare.ts"
import { longestAttempt } from "./WorkerOptions.ts"

/** The most characters of bodies that attempts outside slots hold: 64 Mi. */
const mostCharacters = 64 * 1024 * 1024

/**
 * A worker's attempts at newcomers, of which the oldest leave their slots while other newcomers wait for one. So slots
 * are held by those that answer, however many hang (D45).
 */
export class LongAttempts {
  /** Milliseconds between two calls of {@link leave}, so that attempts can always leave. */
  readonly pause: number
  readonly #atOnce: number
  readonly #most: number
  /** Oldest first. */
  readonly #inSlots = new Set<Claim>()
  readonly #left = new Set<Claim>()
  #characters = 0

  constructor(concurrency: number) {
    const { atOnce, pause } = leaving(concurrency, longestAttempt)
    this.pause = pause
    this.#atOnce = atOnce
    this.#most = leftShare(concurrency)
  }

  /** Notes the beginning of an attempt. */
  begin(claim: Claim): void {
    if (standingOf(claim) === "newcomer") this.#inSlots.add(claim)
  }

  /** Returns the attempts that leave their slots now. */
  leave(): ReadonlyArray<Claim> {
    const leave: Array<Claim> = []
    for (const claim of this.#inSlots) {
      const characters = this.#characters + claim.body.length
      if (leave.length === this.#atOnce || this.#left.size === this.#most || characters > mostCharacters) break
      this.#characters = characters
      this.#inSlots.delete(claim)
      this.#left.add(claim)
      leave.push(claim)
    }
    return leave
  }

  /** Notes the end of an attempt. Returns whether it had left its slot. */
  end(claim: Claim): boolean {
    this.#inSlots.delete(claim)
    const hadLeft = this.#left.delete(claim)
    if (hadLeft) this.#characters -= claim.body.length
    return hadLeft
  }
}
