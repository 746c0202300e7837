/** Checks that every text which is stored must pass. */
import { Schema } from "effect"
import { codePointLength } from "./Ids.ts"

/**
 * Whether it is a text that a store can keep and UTF-8 can carry: well-formed Unicode without NUL (Postgres refuses
 * NUL).
 */
export const isStorable = (text: unknown): boolean =>
  typeof text === "string" && text.isWellFormed() && !text.includes("\0")

/**
 * Text of `minimum` to `maximum` characters that a database can keep: well-formed Unicode (no lone surrogates) and no
 * NUL.
 */
export const storable = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) => {
        const length = codePointLength(text)
        return (
          (length >= minimum && length <= maximum && isStorable(text)) ||
          `text of ${minimum} to ${maximum} characters, well-formed Unicode without NUL`
        )
      },
      { toJsonSchema: () => ({ minLength: minimum, maxLength: maximum }) },
    ),
  )

const utf8 = new TextEncoder()

/** The number of bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => utf8.encode(text).length
