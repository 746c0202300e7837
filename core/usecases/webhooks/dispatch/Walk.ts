import { Clock, Effect } from "effect"
import type { Instant } from "../../../model/Instant.ts"
import type { DeliveryQueue } from "../../../ports/DeliveryQueue.ts"
import type { Signal } from "../../../ports/DeliverySignal.ts"
import type { ShopTurns } from "./ShopTurns.ts"

/** Milliseconds between two steps at most. */
const interval = 5000

/** Shops of a step. */
const shopsOfStep = 1000

/**
 * A worker's walk over all shops, which finds what no signal named (`DeliveryQueue.walk`): a step whenever something
 * may become due, and every few seconds. At the start, and when a signal names no shops, all steps follow one
 * another.
 */
export class Walk {
  readonly #store: DeliveryQueue["Service"]
  readonly #turns: Pick<ShopTurns, "add" | "hear">
  #after: string | null = null
  #isWanted = true
  /** The steps continue until the last one. */
  #isWhole = false
  #dueAt = Number.NEGATIVE_INFINITY

  /** The turns get the shops that a step finds, or a signal names. */
  constructor(store: DeliveryQueue["Service"], turns: Pick<ShopTurns, "add" | "hear">) {
    this.#store = store
    this.#turns = turns
  }

  /** Begins a walk over all shops. */
  start(): void {
    this.#isWanted = true
  }

  /** Adds the shops that a signal names. */
  hear(signal: Signal): void {
    if (signal === null) this.start()
    else this.#turns.hear(signal)
  }

  /** Notes when something becomes due. */
  expect(due: Instant): void {
    this.#dueAt = Math.min(this.#dueAt, due)
  }

  /** Whether a whole walk has not ended. */
  get isWhole(): boolean {
    return this.#isWanted || this.#isWhole
  }

  /** When the next step is due, unless the walk {@link isWhole}. */
  get dueAt(): Instant {
    return this.#dueAt
  }

  /** Takes the next step. */
  readonly step = Effect.gen({ self: this }, function* () {
    const now = yield* Clock.currentTimeMillis
    if (this.#isWanted) {
      this.#after = null
      this.#isWanted = false
      this.#isWhole = true
    }
    const { after, nextDue, shops } = yield* this.#store
      .walk({ now, after: this.#after, limit: shopsOfStep })
      .pipe(Effect.tapError(() => Effect.sync(() => this.start())))
    this.#after = after
    this.#isWhole &&= after !== null
    this.#dueAt = Math.min(now + interval, nextDue ?? Number.POSITIVE_INFINITY)
    this.#turns.add(shops)
  })
}
