import type { Instant } from "../../model/Instant.ts"
import * as Prefetch from "../../rules/Prefetch.ts"
import type { Slots } from "./Slots.ts"

/** How many deliveries a worker claims next, by its slots and its pace. */
export class Demand {
  readonly #slots: Pick<Slots, "count" | "inUse" | "waiting">
  #pace = Prefetch.unmeasured
  /** The last claim found less than it asked for: more can be due only at an endpoint or a shop at its limit. */
  #exhausted = false

  constructor(slots: Pick<Slots, "count" | "inUse" | "waiting">) {
    this.#slots = slots
  }

  /** The size of the next claim; 0 if enough claims wait. The caller then waits until {@link isLow}. */
  sizeAt(now: Instant): number {
    const { count, inUse, waiting } = this.#slots
    this.#pace = Prefetch.measure(this.#pace, count, now)
    const size = Prefetch.claimSize({ slots: count, slotsInUse: inUse, waiting, ahead: this.#pace.ahead })
    if (size === 0) this.#exhausted = false
    return size
  }

  /** Notes that a claim of this size found this many deliveries. */
  found(deliveries: number, size: number): void {
    this.#exhausted = deliveries < size
  }

  /** Notes the end of an attempt. */
  attemptEnded(): void {
    this.#pace = Prefetch.attemptEnded(this.#pace)
  }

  /** Few claims wait, and the store may have more. */
  get isLow(): boolean {
    return !this.#exhausted && this.#slots.waiting <= this.#pace.ahead / 2
  }
}
