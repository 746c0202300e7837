import { isPlainObject, type Json } from "../model/Json.ts"
import type { Problem } from "../model/Problem.ts"
import { join, type ProblemReport } from "../model/ProblemReport.ts"
import { isStorable } from "../model/Text.ts"

/**
 * How deep objects and lists may be nested. `JSON.stringify` and most parsers recurse: what is kept must not break those
 * who read it.
 */
const MAX_DEPTH = 100

/** Objects, lists and values that one input may hold; 512 KiB of JSON text cannot reach it, objects that share parts can. */
const MAX_VALUES = 1_000_000

/** What is wrong with a text that is not storable. */
export const NOT_STORABLE =
  "holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept"

/** An object or a list on the way down to a value. */
interface Frame {
  /** `undefined` around the whole input. */
  readonly path: string | undefined
  readonly values: ReadonlyArray<unknown>
  /** The keys of an object; `undefined` for a list. */
  readonly keys: ReadonlyArray<string> | undefined
  next: number
}

const pathOfCurrent = ({ keys, next, path }: Frame): string =>
  path === undefined ? "" : join(path, keys?.[next - 1] ?? next - 1)

/**
 * Reports what is no JSON, or what a store cannot keep. Answers a problem, and stops, where the input is so deep or so
 * large that nothing else should read it: that problem then stands alone.
 *
 * Walks with a stack of its own, because the nesting is the sender's.
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
      return Number.isFinite(value) ? undefined : `must be a finite number, not ${value}`
    case "boolean":
      return undefined
    default:
      return value === null ? undefined : "must be JSON: an object, a list, a string, a number, a boolean or null"
  }
}
