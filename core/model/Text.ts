import { Schema } from "effect"

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

/** The longest text of others that is stored with an object, in characters. */
export const longestReason = 500

// Controls, line and paragraph separators, lone surrogates, and what turns the direction of the text around.
const unreadable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/**
 * A sentence that has texts of others, as it is stored with an object: at most {@link longestReason} characters,
 * none of them a control character. The rest is cut off.
 */
export const readable = (text: string): string => {
  const characters = [...text.slice(0, 2 * longestReason + 2).replace(unreadable, "\ufffd")]
  return characters.length <= longestReason
    ? characters.join("")
    : `${characters.slice(0, longestReason - 1).join("")}…`
}

const utf8 = new TextEncoder()

/** The number of bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => utf8.encode(text).length

/**
 * Text of `minimum` to `maximum` characters that a database can keep: well-formed Unicode (no lone surrogates) and no
 * NUL.
 */
export const storable = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) => {
        const length = codePointLength(text)
        return length >= minimum && length <= maximum && isStorable(text)
      },
      {
        expected: `a string of ${minimum} to ${maximum} characters, well-formed Unicode without NUL`,
        toJsonSchema: () => ({ minLength: minimum, maxLength: maximum }),
      },
    ),
  )
