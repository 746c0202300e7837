import type { Instant } from "../../../model/Instant.ts"
import * as Prefetch from "../../../rules/webhooks/Prefetch.ts"
import type { Slots } from "./Slots.ts"

/** How many deliveries a worker claims next, by its slots and its pace. */
export class Demand {
  readonly #slots: Pick<Slots, "count" | "inUse" | "waiting">
  #pace = Prefetch.unmeasured

  constructor(slots: Pick<Slots, "count" | "inUse" | "waiting">) {
    this.#slots = slots
  }

  /** The size of the next claim; 0 if enough claims wait. The caller then waits until {@link isLow}. */
  sizeAt(now: Instant): number {
    const { count, inUse, waiting } = this.#slots
    this.#pace = Prefetch.measure(this.#pace, count, now)
    return Prefetch.claimSize({ slots: count, slotsInUse: inUse, waiting, ahead: this.#pace.ahead })
  }

  /** Notes the end of an attempt. */
  attemptEnded(): void {
    this.#pace = Prefetch.attemptEnded(this.#pace)
  }

  /** Few claims wait. */
  get isLow(): boolean {
    return this.#slots.waiting <= this.#pace.ahead / 2
  }
}
