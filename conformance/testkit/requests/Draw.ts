/** Random choices from a seed: equal seeds make equal choices. */

/** Numbers from 0 up to 1, from a seed (mulberry32). */
export const random = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Choices by random numbers from 0 up to 1. */
export interface Draw {
  readonly next: () => number
  /** True with this probability. */
  readonly chance: (share: number) => boolean
  /** One of a list. */
  readonly one: <A>(all: ReadonlyArray<A>) => A
}

export const makeDraw = (next: () => number): Draw => ({
  next,
  chance: (share) => next() < share,
  one: (all) => all[Math.floor(next() * all.length)] as (typeof all)[number],
})
