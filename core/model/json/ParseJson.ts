import { Result } from "effect"

/** The deepest nesting of lists and objects. A stored value has 100 levels at most, and is part of a body. */
const maximumDepth = 128

/** The most values, each a list, an object or a member of one. */
const maximumValues = 150_000

/** The same of an order of a platform: 2 MiB of one have 100,000. */
const maximumOfPlatforms = 600_000

// As UTF-16.
const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

const tooDeep = `The JSON is nested more than ${maximumDepth} levels deep`
const tooMany = (most: number) => `The JSON has more than ${most} values`

/**
 * What is too much about a text of JSON, if anything. A text of 2 MB can have 650,000 lists: a parser creates them all,
 * and takes many times as long as a look through the text.
 */
const excess = (text: string, most: number): string | undefined => {
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
    if (values > most) return tooMany(most)
  }
  return undefined
}

/**
 * Parses JSON that others wrote. Fails with a sentence if it is nested too deep or has too many values, and with
 * `undefined` if it is not JSON.
 */
export const parseJson = (text: string): Result.Result<unknown, string | undefined> => parse(text, maximumValues, text)

/** A number that may not be read exactly, or a string, which may have such a number in it. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * {@link parseJson} for the payload of a platform. Integers above 2^53 − 1 are read as strings, from their place in the
 * text: ids of platforms are numbers, and JavaScript would round them.
 */
export const parsePayload = (text: string): Result.Result<unknown, string | undefined> =>
  parse(text, maximumOfPlatforms, /\d{16}/.test(text) ? text.replace(stringOrNumber, exact) : text)

const exact = (written: string): string =>
  /^-?\d{16,}$/.test(written) && !Number.isSafeInteger(Number(written)) ? `"${written}"` : written

const parse = (text: string, most: number, exactText: string): Result.Result<unknown, string | undefined> => {
  const problem = excess(text, most)
  if (problem !== undefined) return Result.fail(problem)
  try {
    return Result.succeed(JSON.parse(exactText))
  } catch {
    return Result.fail(undefined)
  }
}
