/**
 * Reads and changes parts of a JSON text and keeps the rest byte for byte. Parsing and writing it again would not:
 * JavaScript moves keys like `"10"` to the front of an object. There must be no spaces between the parts, as
 * `JSON.stringify` writes them.
 */

/** The text of an object with the values of existing members replaced, each by a JSON text. */
export const replaceMembers = (object: string, values: ReadonlyMap<string, string>): string => {
  const members = split(object).map((member) => {
    const end = endOfString(member, 0)
    const value = values.get(JSON.parse(member.slice(0, end)) as string)
    return value === undefined ? member : `${member.slice(0, end)}:${value}`
  })
  return `{${members.join(",")}}`
}

/** The text of the value of a member that the object has once. */
export const memberOf = (object: string, name: string): string | undefined => {
  const begin = `${JSON.stringify(name)}:`
  return split(object)
    .find((member) => member.startsWith(begin))
    ?.slice(begin.length)
}

/** The texts of the elements of an array, or of the members of an object. */
export const split = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let depth = 0
  let start = 1
  let at = 0
  while (at < text.length) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
      continue
    }
    if (character === "{" || character === "[") depth += 1
    else if (character === "}" || character === "]") depth -= 1
    if ((character === "," && depth === 1) || depth === 0) {
      if (at > start) parts.push(text.slice(start, at))
      start = at + 1
    }
    at += 1
  }
  return parts
}

/** The position after the string that begins here. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at + 1
}
