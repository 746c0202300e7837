/** The most characters of texts that one statement stores. */
const largest = 1024 * 1024

/**
 * Splits records into runs whose texts one statement stores, in their order: at most a MiB, or one larger record. A
 * message as long as an order of many designs would take memory several times over, and the embedded database time by
 * its square.
 */
export const inPieces = <A>(
  records: ReadonlyArray<A>,
  lengthOf: (record: A) => number,
): ReadonlyArray<ReadonlyArray<A>> => {
  const pieces: Array<Array<A>> = []
  let room = 0
  for (const record of records) {
    const length = lengthOf(record)
    const piece = length <= room ? pieces.at(-1) : undefined
    if (piece === undefined) {
      pieces.push([record])
      room = largest - length
    } else {
      piece.push(record)
      room -= length
    }
  }
  return pieces
}
