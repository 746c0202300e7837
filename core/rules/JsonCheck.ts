import { MAX_JSON_DEPTH } from "../model/Definition.ts"
import { isPlainObject, type Json } from "../model/Json.ts"
import { isStorable } from "../model/Text.ts"
import { join, type Report } from "./ProblemReport.ts"

/** Objects, lists and values that one definition may hold; 512 KiB of JSON text cannot reach it, a cyclic object does. */
const MAX_VALUES = 1_000_000

interface Frame {
  readonly values: ReadonlyArray<unknown>
  /** The keys of an object; `undefined` for a list. */
  readonly keys: ReadonlyArray<string> | undefined
  next: number
}

const framePath = (stack: ReadonlyArray<Frame>): string =>
  stack.reduce((path, { keys, next }) => {
    const key = keys?.[next - 1]
    return key === undefined ? `${path}[${next - 1}]` : join(path, key)
  }, "")

/** Walks with a stack of its own, because the nesting is the sender's. False: nothing else should be judged. */
export const checkJson = (report: Report, input: unknown): boolean => {
  const stack: Array<Frame> = [{ values: [input], keys: [""], next: 0 }]
  let seen = 0
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.values.length) {
      stack.pop()
      continue
    }
    const value = frame.values[frame.next]
    frame.next += 1
    seen += 1
    if (seen > MAX_VALUES) report.add("", `must not hold more than ${MAX_VALUES} values`)
    if (seen > MAX_VALUES || report.isFull) return false
    if (Array.isArray(value) || isPlainObject(value)) {
      if (stack.length > MAX_JSON_DEPTH) {
        report.add(framePath(stack.slice(1)), `is nested more than ${MAX_JSON_DEPTH} levels deep`)
      } else {
        stack.push(openFrame(value))
        checkKeys(report, stack)
      }
    } else {
      const message = scalarProblem(value)
      if (message !== undefined) report.add(framePath(stack.slice(1)), message)
    }
  }
  return true
}

const openFrame = (value: ReadonlyArray<unknown> | Json): Frame =>
  Array.isArray(value)
    ? { values: value, keys: undefined, next: 0 }
    : { values: Object.values(value), keys: Object.keys(value), next: 0 }

const checkKeys = (report: Report, stack: ReadonlyArray<Frame>): void => {
  const refused = stack.at(-1)?.keys?.filter((key) => !isStorable(key)) ?? []
  if (refused.length === 0) return
  const path = framePath(stack.slice(1, -1))
  for (const key of refused) report.add(join(path, key), `has a key that ${NOT_STORABLE}`)
}

const NOT_STORABLE = "holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept"

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
