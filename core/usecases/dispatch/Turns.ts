/** How many shops of a place are named one after the other: enough to share its costs, and few enough to be fair. */
const together = 16

interface Turn {
  readonly place: unknown
  /** The number of the claim after which the shop was added. */
  added: number
}

/**
 * Shops in turn. Those that are stored at one place (`DeliveryQueue.placeOf`) come together, because a claim asks each
 * place once: places take turns, and within a place its shops do.
 */
export class Turns {
  readonly #placeOf: (shop: string) => unknown
  readonly #turns = new Map<string, Turn>()
  /** The shops of each place, both in turn. */
  readonly #places = new Map<unknown, Set<string>>()

  constructor(placeOf: (shop: string) => unknown) {
    this.#placeOf = placeOf
  }

  get isEmpty(): boolean {
    return this.#turns.size === 0
  }

  /** Adds a shop behind the others, or notes that it was added again: it keeps its turn. */
  add(shop: string, added: number): void {
    const turn = this.#turns.get(shop)
    if (turn !== undefined) {
      turn.added = added
      return
    }
    // A shop may move while it waits.
    const place = this.#placeOf(shop)
    this.#turns.set(shop, { place, added })
    const shops = this.#places.get(place)
    if (shops === undefined) this.#places.set(place, new Set([shop]))
    else shops.add(shop)
  }

  /** Ends the turn of a shop, and of its place. Returns when it was added; `undefined` if it had no turn. */
  end(shop: string): number | undefined {
    const turn = this.#turns.get(shop)
    if (turn === undefined) return undefined
    this.#turns.delete(shop)
    const shops = this.#places.get(turn.place)
    this.#places.delete(turn.place)
    if (shops !== undefined) {
      shops.delete(shop)
      if (shops.size > 0) this.#places.set(turn.place, shops)
    }
    return turn.added
  }

  /** The shops whose turn it is first. There may be very many behind them. */
  first(count: number): ReadonlyArray<string> {
    const found: Array<string> = []
    let places = firstOf(this.#places.values(), count).map((shops) => shops.values())
    while (found.length < count && places.length > 0) {
      places = places.filter((shops) => {
        for (let taken = 0; taken < together && found.length < count; taken++) {
          const next = shops.next()
          if (next.done) return false
          found.push(next.value)
        }
        return true
      })
    }
    return found
  }
}

const firstOf = <A>(all: Iterable<A>, count: number): ReadonlyArray<A> => {
  const some: Array<A> = []
  for (const each of all) {
    if (some.length === count) break
    some.push(each)
  }
  return some
}
