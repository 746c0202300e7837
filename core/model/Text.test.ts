/** Texts of others that are stored with an object: cut after so many characters, each of which may be two units. */
import { describe, expect, it } from "vitest"
import { longestReason, readable } from "./Text.ts"

/** Characters of one and of two units of UTF-16, whole and in halves. */
const characters = ["a", "😀", "\ud83d"]

describe("A sentence with texts of others", () => {
  it.each(
    characters.flatMap((first) =>
      characters.flatMap((rest) => [-2, -1, 0, 1, 2, 500].map((more) => [first, rest, more] as const)),
    ),
  )("MUST be as it is up to 500 characters, and end with an ellipsis otherwise: %o, then %o, %i more", (...row) => {
    const [first, rest, more] = row
    const count = longestReason + more
    const shown = (text: string) => (text === "\ud83d" ? "\ufffd" : text)
    const stored = readable(first + rest.repeat(count - 1))
    const whole = shown(first) + shown(rest).repeat(Math.min(count, longestReason) - 1)
    expect(stored).toBe(more <= 0 ? whole : `${[...whole].slice(0, longestReason - 1).join("")}…`)
    expect([...stored].length).toBe(Math.min(count, longestReason))
  })

  it.each(["\n", "\0", "\u0085", "\u2028", "\u2029", "\u202e", "\u2066", "\udc00"])(
    "MUST NOT have %o, which changes how it is read",
    (one) => {
      expect(readable(`a${one}b`)).toBe("a\ufffdb")
    },
  )
})
