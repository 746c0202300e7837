/** What texts are measured and judged by. It imports nothing, so that an evaluation is small in a browser. */

/** The number of Unicode code points of a text. */
export const codePointLength = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/**
 * Whether it is a text that a store can keep and UTF-8 can carry: well-formed Unicode without NUL (Postgres refuses
 * NUL).
 */
export const isStorable = (text: unknown): boolean =>
  typeof text === "string" && text.isWellFormed() && !text.includes("\0")

const utf8 = new TextEncoder()

/** The number of bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => utf8.encode(text).length
