/** What cases say of what they see. No test runner: a case fails with an error of its own, under any runner. */
import { Data, Effect, Option } from "effect"

/** Something is not as the case demands. */
export class AssertionFailed extends Data.TaggedError("AssertionFailed")<{ readonly message: string }> {}

const failed = (message: string) => Effect.fail(new AssertionFailed({ message }))

/** Two values are the same: numbers, texts and `null` exactly, lists item by item, objects by the keys that are expected. */
export const equal = <A>(what: string, actual: A, expected: NoInfer<A>): Effect.Effect<void, AssertionFailed> => {
  const found = difference(actual, expected, "")
  return found === undefined ? Effect.void : failed(`${what}${found}`)
}

/** A statement holds. */
export const holds = (what: string, condition: boolean): Effect.Effect<void, AssertionFailed> =>
  condition ? Effect.void : failed(`not so: ${what}`)

/** There is a value; answers it. */
export const some = <A>(what: string, option: Option.Option<A>): Effect.Effect<A, AssertionFailed> =>
  Option.isSome(option) ? Effect.succeed(option.value) : failed(`${what}: got none, expected some`)

/** There is no value. */
export const none = <A>(what: string, option: Option.Option<A>): Effect.Effect<void, AssertionFailed> =>
  Option.isNone(option) ? Effect.void : failed(`${what}: got ${show(option.value)}, expected none`)

type Values<A, N extends number, T extends ReadonlyArray<A> = readonly []> = T["length"] extends N
  ? T
  : Values<A, N, readonly [...T, A]>

/** There are exactly so many values; answers them. */
export const exactly = <A, const N extends number>(
  what: string,
  count: N,
  values: ReadonlyArray<A>,
): Effect.Effect<Values<A, N>, AssertionFailed> =>
  values.length === count
    ? Effect.succeed(values as unknown as Values<A, N>)
    : failed(`${what}: got ${values.length}, expected ${count}: ${show(values)}`)

/** An effect fails with an error of this tag. */
export const failsWith = <A, E, R>(
  what: string,
  tag: string,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<void, AssertionFailed, R> =>
  Effect.matchEffect(effect, {
    onSuccess: () => failed(`${what}: succeeded, expected ${tag}`),
    onFailure: (error) => (tagOf(error) === tag ? Effect.void : failed(`${what}: got ${error}, expected ${tag}`)),
  })

/** The tag of an error, if it has one. */
export const tagOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isNone = (value: object): boolean => Option.isOption(value) && Option.isNone(value)

/** Where two values first differ, and how; `undefined` if they don't. */
const difference = (actual: unknown, expected: unknown, path: string): string | undefined => {
  if (actual === expected) return undefined
  if (typeof actual === "string" && typeof expected === "string") return textDifference(actual, expected, path)
  if (!isObject(actual) || !isObject(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${path}: got ${show(actual)}, expected ${show(expected)}`
  }
  // None has no key by which it could be told from some.
  if (isNone(actual) !== isNone(expected)) return `${path}: got ${show(actual)}, expected ${show(expected)}`
  for (const key of Object.keys(expected)) {
    const found = difference(actual[key], expected[key], `${path}.${key}`)
    if (found !== undefined) return found
  }
  return Array.isArray(actual) && Array.isArray(expected) && actual.length > expected.length
    ? `${path}: got ${actual.length} items, expected ${expected.length}: ${show(actual)}`
    : undefined
}

const textDifference = (actual: string, expected: string, path: string): string => {
  let at = 0
  while (at < actual.length && actual.charCodeAt(at) === expected.charCodeAt(at)) at++
  const around = (text: string) => show(text.slice(Math.max(0, at - 20), at + 40))
  return `${path}: got ${around(actual)}, expected ${around(expected)} (they differ at ${at}; lengths ${actual.length}, ${expected.length})`
}

/** A value as one line of a message, cut off where it is long. */
export const show = (value: unknown, limit = 300): string => {
  const text = textOf(value).replace(/\s+/g, " ")
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

const textOf = (value: unknown): string => {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return JSON.stringify(value, readable) ?? String(value)
}

/** What JSON has no form for, or an `Option` that hides its value under marks of its own. */
const readable = (_: string, part: unknown): unknown => {
  if (typeof part === "bigint") return `${part}n`
  if (typeof part === "function") return "(a function)"
  if (isObject(part) && part["_id"] === "Option") return part["_tag"] === "None" ? "none" : { some: part["value"] }
  return part
}
