/** The events of a page of the feed as texts, to the byte: the items of `data`. Of what is no such page there are none. */
export const envelopesIn = (page: string): ReadonlyArray<string> => {
  const head = '{"data":['
  if (!page.startsWith(head)) return []
  const found: Array<string> = []
  let depth = 0
  let isText = false
  let begin = head.length
  for (let at = begin; at < page.length; at++) {
    const character = page[at]
    if (isText) {
      if (character === "\\") at++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === "{" || character === "[") {
      if (depth++ === 0) begin = at
    } else if (character === "}" || character === "]") {
      if (depth === 0) break
      if (--depth === 0) found.push(page.slice(begin, at + 1))
    }
  }
  return found
}
