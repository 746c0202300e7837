import { numberProblem } from "../../model/json/ExactNumbers.ts"
import { isPlainObject, type Json } from "../../model/json/Json.ts"
import { join, type Problem, type ProblemReport } from "../../model/Problem.ts"
import { isStorable } from "../../model/Text.ts"

/**
 * Maximum nesting of objects and lists. `JSON.stringify` and most parsers recurse: stored values must not break their
 * readers.
 */
const MAX_DEPTH = 100

/**
 * Maximum objects, lists and values in one input. 512 KiB of JSON text can't reach it; objects that share parts can.
 */
const MAX_VALUES = 1_000_000

/** Problem of a text that can't be stored. */
export const NOT_STORABLE =
  "holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept"

/** An object or list on the path to a value. */
interface Frame {
  /** `undefined` at the root. */
  readonly path: string | undefined
  readonly values: ReadonlyArray<unknown>
  /** Keys of an object; `undefined` for a list. */
  readonly keys: ReadonlyArray<string> | undefined
  next: number
}

const pathOfCurrent = ({ keys, next, path }: Frame): string =>
  path === undefined ? "" : join(path, keys?.[next - 1] ?? next - 1)

/**
 * Reports values that are not JSON or can't be stored. If the input is too deep or too large for anything else to read,
 * it stops and returns that problem, which is then the only one.
 *
 * Walks with its own stack, because the sender controls the nesting.
 */
export const checkJson = (report: ProblemReport, input: unknown): Problem | undefined => {
  const stack: Array<Frame> = [{ path: undefined, values: [input], keys: undefined, next: 0 }]
  let seen = 0
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.values.length) {
      stack.pop()
      continue
    }
    const value = frame.values[frame.next]
    frame.next += 1
    seen += 1
    if (seen > MAX_VALUES) return { path: "", message: `must not hold more than ${MAX_VALUES} values` }
    if (Array.isArray(value) || isPlainObject(value)) {
      const path = pathOfCurrent(frame)
      if (stack.length > MAX_DEPTH) return { path, message: `is nested more than ${MAX_DEPTH} levels deep` }
      stack.push(openFrame(report, path, value))
    } else {
      const message = scalarProblem(value)
      if (message !== undefined) report.add(pathOfCurrent(frame), () => message)
    }
  }
  return undefined
}

const openFrame = (report: ProblemReport, path: string, value: ReadonlyArray<unknown> | Json): Frame => {
  if (Array.isArray(value)) return { path, values: value, keys: undefined, next: 0 }
  const keys = Object.keys(value)
  for (const key of keys) {
    if (!isStorable(key)) report.add(join(path, key), () => `has a key that ${NOT_STORABLE}`)
  }
  return { path, values: Object.values(value), keys, next: 0 }
}

const scalarProblem = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "string":
      return isStorable(value) ? undefined : NOT_STORABLE
    case "number":
      return numberProblem(value)
    case "boolean":
      return undefined
    default:
      return value === null ? undefined : "must be JSON: an object, a list, a string, a number, a boolean or null"
  }
}
