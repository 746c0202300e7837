/** A text, cut to at most `length` characters. */
export const cut = (text: string, maximum: number): string => {
  if (text.length <= maximum) return text
  return `${Array.from(text.slice(0, 2 * maximum))
    .slice(0, maximum)
    .join("")}…`
}

/** The first items that fit into a number of bytes of a page; at least one. */
export const fitting = <A>(items: ReadonlyArray<A>, bytes: number, bytesOf: (item: A) => number): ReadonlyArray<A> => {
  let left = bytes
  const end = items.findIndex((item, index) => {
    left -= bytesOf(item)
    return left < 0 && index > 0
  })
  return end === -1 ? items : items.slice(0, end)
}

/** The number of bytes that a text takes on a page, with the entities that replace some of its characters. */
const encodedLength = (text: string): number => {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // `&quot;`, `&amp;` and `&lt;`; half of a surrogate pair has two of its four bytes.
    if (code === 0x22 || code === 0x26 || code === 0x3c) bytes += 6
    else if (code < 0x80) bytes += 1
    else bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
  }
  return bytes
}

/** The bytes of texts on a page. */
export const bytesIn = (...texts: ReadonlyArray<string>): number =>
  texts.reduce((sum, text) => sum + encodedLength(text), 0)
