import type { ServerResponse } from "node:http"

/** Characters that are encoded and sent at once. */
const piece = 65_536

/** The end of a piece, which separates no surrogate from its other half. */
const endOf = (text: string, from: number): number => {
  const end = Math.min(from + piece, text.length)
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/**
 * Ends a response with a long text, piece by piece, as fast as its client reads. Other requests get their turns between
 * the pieces, and the bytes of the text never exist as a whole.
 */
export const endWith = (response: ServerResponse, text: string): void => {
  let position = 0
  const next = () => {
    if (response.destroyed) return
    const end = endOf(text, position)
    const bytes = Buffer.from(text.slice(position, end))
    position = end
    if (end === text.length) response.end(bytes)
    else if (response.write(bytes)) setImmediate(next)
    else response.once("drain", next)
  }
  next()
}
