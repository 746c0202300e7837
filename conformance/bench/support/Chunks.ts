/** Splits items, in order, into chunks of at most `size`. */
export function* chunks<A>(items: ReadonlyArray<A>, size: number): Generator<ReadonlyArray<A>> {
  for (let first = 0; first < items.length; first += size) yield items.slice(first, first + size)
}
