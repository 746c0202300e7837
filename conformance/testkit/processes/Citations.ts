/** The forms of a citation: `§6`, `§2.1`, `§6-14`, `D6`, `D6a`, `F-27`. */
const citation = new RegExp(
  [
    // A section of an RFC is not ours. The comment's margin may stand between the RFC and its section.
    String.raw`(?<!RFC[ -]?\d+[,\s*/]+)§\d+(?:\.\d+)*(?:-\d+)?`,
    // Not a part of something longer: a code point (U+D800), an escape in a URL (%D9), a UUID.
    String.raw`(?<![\w%+-])D\d+[a-z]?(?!\w)`,
    String.raw`(?<![\w%+-])F-\d+(?!\w)`,
  ].join("|"),
  "g",
)

/** `D25–D29`, `F-12 to F-14` and `§6-7 to §6-9` cite what lies between as well. */
const range = /(?<![\w%+-])(D|F-|§\d+(?:\.\d+)*-)(\d+)(?:–| to )\1(\d+)(?!\w)/g

/** The id of a requirement or a section, in a text. */
export interface Citation {
  readonly id: string
  /** Counted from 1. */
  readonly line: number
}

/** All citations in a text. */
export const citationsIn = (text: string): ReadonlyArray<Citation> => {
  const at = (index: number): number => text.slice(0, index).split("\n").length
  const single = [...text.matchAll(citation)].map((match) => ({ id: match[0], line: at(match.index) }))
  const between = [...text.matchAll(range)].flatMap((match) => {
    const first = Number(match[2])
    return Array.from({ length: Math.max(0, Number(match[3]) - first - 1) }, (_, n) => ({
      id: `${match[1]}${first + n + 1}`,
      line: at(match.index),
    }))
  })
  return [...single, ...between]
}
