import type { ServerResponse } from "node:http"

/** Characters that are encoded and sent at once. */
const piece = 65_536

/** The end of a piece, which separates no surrogate from its other half. */
const endOf = (text: string, from: number): number => {
  const end = Math.min(from + piece, text.length)
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/** Pieces of texts, in turn. */
function* cut(texts: ReadonlyArray<string>): Generator<Buffer, undefined> {
  for (const text of texts) {
    for (let position = 0; position < text.length; ) {
      const end = endOf(text, position)
      yield Buffer.from(text.slice(position, end))
      position = end
    }
  }
}

/**
 * Ends a response with texts, piece by piece, as fast as its client reads. Other requests get their turns between the
 * pieces, and the bytes never exist as a whole.
 */
export const endWith = (response: ServerResponse, texts: ReadonlyArray<string>): void => {
  const pieces = cut(texts)
  const next = () => {
    if (response.destroyed) return
    const { value } = pieces.next()
    if (value === undefined) response.end()
    else if (response.write(value)) setImmediate(next)
    else response.once("drain", next)
  }
  next()
}

/** The bytes of texts, one after the other, as many as `length`. */
export const bytesOf = (texts: ReadonlyArray<string>, length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length)
  let position = 0
  for (const text of texts) position += bytes.write(text, position)
  return bytes
}
