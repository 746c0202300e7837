import { bytesIn } from "./Cut.ts"

/**
 * A character that can't be seen, or that changes how others are seen. Not: one blank between words, what joins and
 * colours emoji.
 */
const unseen = new RegExp(
  [
    /(?!(?<=\S) (?=\S))/,
    /(?!(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\u{FE0F}?)\u{200D}(?=\p{Extended_Pictographic}))/u,
    /(?!(?<=\p{Emoji})[\u{FE0E}\u{FE0F}])/u,
    /(?:\r\n|[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{2800}])/u,
  ]
    .map(({ source }) => source)
    .join(""),
  "gu",
)

const names: Readonly<Record<string, string>> = { " ": "␣", "\t": "⇥", "\n": "↵", "\r": "↵", "\r\n": "↵" }

const nameOf = (character: string): string =>
  names[character] ?? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** A part of a text: characters as they are, or the name of one that can't be seen. */
interface Part {
  readonly text: string
  readonly isName: boolean
}

/** The parts of a text. Names of line breaks are followed by the break. */
const partsOf = (text: string): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let at = 0
  const plain = (part: string) => part !== "" && parts.push({ text: part, isName: false })
  for (const { 0: found, index } of text.matchAll(unseen)) {
    plain(text.slice(at, index))
    parts.push({ text: nameOf(found), isName: true })
    if (nameOf(found) === "↵") plain("\n")
    at = index + found.length
  }
  plain(text.slice(at))
  return parts
}

/** The bytes that a text takes. */
export const verbatimBytes = (text: string): number =>
  30 + partsOf(text).reduce((sum, part) => sum + bytesIn(part.text) + (part.isName ? 13 : 0), 0)

/** A text as it was entered, isolated, with the names of characters that can't be seen. */
export const Verbatim = ({ text }: { readonly text: string }) => (
  <bdi class="verbatim">
    {partsOf(text).map(({ isName, text: part }, index) => (isName ? <mark key={index}>{part}</mark> : part))}
  </bdi>
)
