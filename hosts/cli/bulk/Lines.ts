/** The lines of a file, read as a stream: memory holds one chunk and one line. */
import { createReadStream } from "node:fs"

/** A line has at most this many bytes, as a body of the management API does. */
export const longestLine = 1024 * 1024

/** Of a line that is longer, this many bytes are kept, for the file of refused lines. */
const kept = 1024

/** A line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** The offset of the next line, in bytes. */
  readonly end: number
  /** Without the line feed; of a line that is too long its beginning. */
  readonly bytes: Buffer
  readonly isTooLong: boolean
}

/** A place between two lines of a file. */
export interface Place {
  /** Bytes before it. */
  readonly offset: number
  /** Lines before it. */
  readonly line: number
}

const lineFeed = 0x0a

/** The lines behind a place of a file. The last one may lack its line feed. */
export async function* linesOf(path: string, { line, offset }: Place): AsyncGenerator<Line> {
  let number = line
  let end = offset
  let parts: Array<Buffer> = []
  let length = 0
  const add = (part: Buffer) => {
    // Bytes beyond the limit are only counted.
    if (length <= longestLine) parts.push(part)
    length += part.length
  }
  const finished = (feed: 0 | 1): Line => {
    number += 1
    end += length + feed
    const isTooLong = length > longestLine
    const bytes = Buffer.concat(parts)
    parts = []
    length = 0
    return { number, end, bytes: isTooLong ? bytes.subarray(0, kept) : bytes, isTooLong }
  }
  for await (const chunk of createReadStream(path, { start: offset }) as AsyncIterable<Buffer>) {
    let start = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, at))
      yield finished(1)
      start = at + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (length > 0) yield finished(0)
}
