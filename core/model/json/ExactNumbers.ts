/** Numbers of JSON that would not be returned as they were given: JavaScript rounds them. */
import { join, ProblemReport, type Problems } from "../Problem.ts"

// As UTF-16.
const [quote, comma, zero, nine, colon, backslash] = [0x22, 0x2c, 0x30, 0x39, 0x3a, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const [plus, minus, point, exponent, capitalExponent] = [0x2b, 0x2d, 0x2e, 0x65, 0x45]

/** Every decimal of this many digits is read exactly. */
const exactDigits = 15

const unkept = (written: string): string =>
  `must be a number that is kept exactly, an integer up to 2^53 − 1 or a decimal of up to ${exactDigits} digits, ` +
  `not ${written}: write it as a string`

/** The problem of a number in a value that is kept. An integer beyond 2^53 − 1 may have been rounded before. */
export const numberProblem = (value: number): string | undefined => {
  if (!Number.isFinite(value)) return `must be a finite number, not ${value}`
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? unkept(String(value)) : undefined
}

/** Reports the numbers in a text of JSON that parsing would change. The text must be JSON. */
export const changedNumbers = (text: string): Problems => {
  const report = new ProblemReport()
  /** The lists and objects around the place: the index in a list, and in an object the place of the key. */
  const open: Array<number | { from: number; end: number }> = []
  let string = { from: 0, end: 0 }
  const pathOf = () => {
    const parts = open.map((at) => (typeof at === "number" ? at : (JSON.parse(text.slice(at.from, at.end)) as string)))
    return parts.reduce<string>(join, "")
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      const from = at
      for (at++; text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++
      string = { from, end: at + 1 }
    } else if (unit === colon) open[open.length - 1] = string
    else if (unit === comma) {
      const last = open.at(-1)
      if (typeof last === "number") open[open.length - 1] = last + 1
    } else if (unit === openList) open.push(0)
    else if (unit === openObject) open.push(string)
    else if (unit === closeList || unit === closeObject) open.pop()
    else if (unit === minus || isDigit(unit)) {
      const from = at
      while (isOfNumber(text.charCodeAt(at + 1))) at++
      const written = text.slice(from, at + 1)
      if (isChanged(written)) report.add(pathOf, () => unkept(shortened(written)))
    }
  }
  return report.problems
}

const isDigit = (unit: number): boolean => unit >= zero && unit <= nine

const isOfNumber = (unit: number): boolean =>
  isDigit(unit) || unit === point || unit === minus || unit === plus || unit === exponent || unit === capitalExponent

/** Whether a number has another value once it is parsed. Its spelling may differ: `1.0` is 1. */
const isChanged = (written: string): boolean => {
  if (written.length <= exactDigits && !/e/i.test(written)) return false
  const value = Number(written)
  if (numberProblem(value) !== undefined) return true
  const digits = digitsOf(written)
  // Two numbers that have the same digits and differ by less than their value are the same.
  return digits !== digitsOf(String(value)).replace(/0+$/, "").padEnd(digits.length, "0")
}

/** The digits of a number from its first one above 0. */
const digitsOf = (written: string): string => written.replace(/e.*/i, "").replace(/[-.]/g, "").replace(/^0+/, "")

const shortened = (written: string): string => (written.length > 40 ? `${written.slice(0, 40)}…` : written)
