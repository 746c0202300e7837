/** The first record, and as many of the next ones as fit: together they have at most `bytes` bytes of JSON. */
export const fitting = <A>(records: ReadonlyArray<A>, bytes = Number.POSITIVE_INFINITY): ReadonlyArray<A> => {
  let reached = 0
  const end = records.findIndex((record, index) => {
    reached += utf8.encode(JSON.stringify(record)).length
    return index > 0 && reached > bytes
  })
  return end === -1 ? records : records.slice(0, end)
}

const utf8 = new TextEncoder()
