/** A list in random order. */
export const shuffled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  const result = [...items]
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1))
    const item = result[index] as A
    result[index] = result[other] as A
    result[other] = item
  }
  return result
}
