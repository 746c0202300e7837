import { Context } from "effect"

/**
 * What stores report of one request's changes, for the answer if the request fails: whether nothing was stored, or
 * that it is not known (D49). A store that reports nothing leaves it unknown.
 */
export class ChangeOutcome {
  #isReported = false
  #sent = 0

  /** A store that reports takes part in the request. */
  begin(): void {
    this.#isReported = true
  }

  /** The next statement is a COMMIT, or is outside of transactions: it may store something. */
  send(): void {
    this.#isReported = true
    this.#sent++
  }

  /** The database has refused what was sent last: nothing of it is stored. */
  refuse(): void {
    this.#sent--
  }

  /** Whether it is known that nothing was stored. */
  get isNothing(): boolean {
    return this.#isReported && this.#sent === 0
  }
}

/** The outcome of the current request's changes; `undefined` if nobody asks. A host provides a new one each time. */
export const CurrentOutcome = Context.Reference<ChangeOutcome | undefined>("designwire/ChangeOutcome", {
  defaultValue: () => undefined,
})
