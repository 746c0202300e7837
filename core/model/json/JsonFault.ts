const space = /[ \t\r\n]*/y
const scalar =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\u007f-\u009f])*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/uy

/** The position in a text from which on it is not JSON (RFC 8259): its length if the end is missing. */
export const faultOf = (text: string): number => {
  let at = 0
  const open: Array<"{" | "["> = []
  /** The possible next part: a value, a key or the end of an object, … */
  let next: "value" | "first" | "key" | "after" = "value"
  const matches = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return false
    at += found[0].length
    return true
  }
  for (;;) {
    matches(space)
    const character = text[at]
    if (character === undefined) return at
    const inside = open.at(-1)
    if (next === "after") {
      if (inside === undefined) return at
      if (character === ",") next = inside === "{" ? "key" : "value"
      else if (character === (inside === "{" ? "}" : "]")) open.pop()
      else return at
      at++
      continue
    }
    if (next === "first" && character === (inside === "{" ? "}" : "]")) {
      open.pop()
      at++
      next = "after"
      continue
    }
    if (next === "key" || (next === "first" && inside === "{")) {
      if (character !== '"' || !matches(scalar)) return at
      matches(space)
      if (text[at] !== ":") return at
      at++
      next = "value"
      continue
    }
    if (character === "{" || character === "[") {
      open.push(character)
      at++
      next = "first"
    } else if (matches(scalar)) next = "after"
    else return at
  }
}
