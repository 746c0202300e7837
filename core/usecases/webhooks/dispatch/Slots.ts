import type { Instant } from "../../../model/Instant.ts"
import type { Claim } from "../../../ports/DeliveryQueue.ts"

/** A claim that waits for a slot. */
interface Waiting {
  readonly claim: Claim
  readonly leaseUntil: Instant
}

export interface SlotsOptions {
  readonly count: number
  readonly now: () => Instant
  /** No attempt begins at this instant or later. */
  readonly deadline: Instant
  /**
   * A claim with fewer milliseconds left of its lease is dropped: another worker could have it before its attempt ends.
   */
  readonly leastLease: number
  /** Begins the attempt of a claim. The attempt may end before this returns. */
  readonly begin: (claim: Claim) => void
}

/**
 * The slots of a worker, and the claims that wait for one.
 *
 * An attempt leaves its slot when it ends, settled or not, or before (`LongAttempts`). Each unsettled attempt beyond
 * the number of slots keeps a slot empty, so that a worker that dies leaves at most twice as many attempts to repeat as
 * it has slots, and those that had left their slots.
 */
export class Slots {
  readonly #options: SlotsOptions
  readonly #waiting: Array<Waiting> = []
  #underWay = 0
  /** Attempts under way that have left their slots. */
  #left = 0
  #unsettled = 0
  #filling = false

  constructor(options: SlotsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#options.count
  }

  /** Slots that have an attempt under way or must stay empty. */
  get inUse(): number {
    return this.#underWay + Math.max(0, this.#unsettled - this.count)
  }

  /** Claims that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** No attempt is under way or unsettled. */
  get isIdle(): boolean {
    return this.#underWay === 0 && this.#left === 0 && this.#unsettled === 0
  }

  /** Adds claims behind those that wait. */
  enqueue(claims: ReadonlyArray<Claim>, leaseUntil: Instant): void {
    for (const claim of claims) this.#waiting.push({ claim, leaseUntil })
  }

  /** Begins attempts while a slot is free and a claim waits. Returns the claims that it dropped. */
  fill(): ReadonlyArray<Claim> {
    // An attempt that ends while it begins calls this again: the loop below continues with its slot.
    if (this.#filling) return []
    this.#filling = true
    const { begin, deadline, leastLease, now } = this.#options
    const dropped: Array<Claim> = []
    while (this.#waiting.length > 0 && this.inUse < this.count) {
      const at = now()
      if (at >= deadline) break
      const { claim, leaseUntil } = this.#waiting.shift() as Waiting
      if (leaseUntil - at < leastLease) dropped.push(claim)
      else {
        this.#underWay++
        begin(claim)
      }
    }
    this.#filling = false
    return dropped
  }

  /** Frees the slots of attempts that stay under way. */
  leave(attempts: number): void {
    this.#underWay -= attempts
    this.#left += attempts
  }

  /**
   * Notes that an attempt ended, and frees its slot unless it had left it. An attempt of which nothing was sent has
   * nothing to settle.
   */
  free({ hadLeft = false, isSettled }: { readonly isSettled: boolean; readonly hadLeft?: boolean }): void {
    if (hadLeft) this.#left--
    else this.#underWay--
    if (!isSettled) this.#unsettled++
  }

  /** Counts attempts that are settled now, or will never be. */
  settle(attempts: number): void {
    this.#unsettled -= attempts
  }

  /** Removes the claims that wait, and returns them. */
  clear(): ReadonlyArray<Claim> {
    return this.#waiting.splice(0).map(({ claim }) => claim)
  }
}
