import { Result } from "effect"

/** The deepest nesting of lists and objects. A stored value has 100 levels at most, and is part of a body. */
const maximumDepth = 128

/** The most values, each a list, an object or a member of one. The largest orders of platforms, 2 MiB, have 100,000. */
const maximumValues = 150_000

// As UTF-16.
const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

const tooDeep = `The JSON is nested more than ${maximumDepth} levels deep`
const tooMany = `The JSON has more than ${maximumValues} values`

/**
 * What is too much about a text of JSON, if anything. A text of 2 MB can have 650,000 lists: a parser creates them all,
 * and takes many times as long as a look through the text.
 */
const excess = (text: string): string | undefined => {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      for (at++; at < text.length && text.charCodeAt(at) !== quote; at++) {
        if (text.charCodeAt(at) === backslash) at++
      }
    } else if (unit === comma) values++
    else if (unit === closeList || unit === closeObject) depth--
    else if (unit === openList || unit === openObject) {
      values++
      if (++depth > maximumDepth) return tooDeep
    }
    if (values > maximumValues) return tooMany
  }
  return undefined
}

/**
 * Parses JSON that others wrote. Fails with a sentence if it is nested too deep or has too many values, and with
 * `undefined` if it is not JSON.
 */
export const parseJson = (text: string): Result.Result<unknown, string | undefined> => {
  const problem = excess(text)
  if (problem !== undefined) return Result.fail(problem)
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(undefined)
  }
}
