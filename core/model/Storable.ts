import { Schema } from "effect"
import { codePointLength, isStorable } from "./Text.ts"

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
