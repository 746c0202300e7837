import { Effect } from "effect"

/** How many bytes of answers a process may hold at once. */
interface ByteLimits {
  /** Bytes of all shops' answers. */
  readonly maximum: number
  /** Bytes that a page counts while it is read and prepared, when its size is not known yet. */
  readonly page: number
}

/** A shorter answer does not count. */
const worthCounting = 16_384

/**
 * The bytes of answers that are being read, prepared and sent.
 *
 * A shop may hold as much as is free besides. So a single shop never takes more than half, there is always room for
 * another, and the shop that holds most is refused first.
 */
export class AnswerBytes {
  /** The bytes that a page counts while it is read and prepared. */
  readonly page: number
  readonly #maximum: number
  readonly #ofShop = new Map<string, number>()
  readonly #waiting = new Set<() => void>()
  #held = 0

  constructor({ maximum, page }: ByteLimits) {
    this.#maximum = maximum
    this.page = page
  }

  /** Whether a shop may hold this many more bytes. One answer of any size always fits if nothing else is held. */
  fits(shop: string, bytes: number): boolean {
    if (bytes < worthCounting || this.#held === 0) return true
    return (this.#ofShop.get(shop) ?? 0) + bytes <= this.#maximum - this.#held
  }

  /** Counts bytes of a shop until the returned function is called. */
  hold(shop: string, bytes: number): () => void {
    if (bytes < worthCounting) return () => undefined
    this.#add(shop, bytes)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(shop, -bytes)
      isHeld = false
    }
  }

  /** Waits until some bytes are free again. */
  readonly freed: Effect.Effect<void> = Effect.callback((resume) => {
    const wake = () => {
      this.#waiting.delete(wake)
      resume(Effect.void)
    }
    this.#waiting.add(wake)
    return Effect.sync(() => this.#waiting.delete(wake))
  })

  #add(shop: string, bytes: number): void {
    this.#held += bytes
    const ofShop = (this.#ofShop.get(shop) ?? 0) + bytes
    if (ofShop === 0) this.#ofShop.delete(shop)
    else this.#ofShop.set(shop, ofShop)
    if (bytes < 0) for (const wake of [...this.#waiting]) wake()
  }
}
