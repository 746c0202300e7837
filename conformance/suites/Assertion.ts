/** Assertions of cases. They fail with their own error, under any test runner or none. */
import { Data, Effect, Option } from "effect"

/** An assertion of a case does not hold. */
export class AssertionFailed extends Data.TaggedError("AssertionFailed")<{
  readonly message: string
  /** The requirements that it is about, if they are not all of the case's. */
  readonly requirements?: ReadonlyArray<string>
}> {}

/** The assertions of a part of a case, which is about these requirements only. */
export const about = <A, E, R>(requirements: ReadonlyArray<string>, part: Effect.Effect<A, E, R>) =>
  Effect.mapError(part, (error) =>
    error instanceof AssertionFailed ? new AssertionFailed({ message: error.message, requirements }) : error,
  )

const failed = (message: string) => Effect.fail(new AssertionFailed({ message }))

/**
 * Expects equal values: numbers, texts and `null` exactly, lists item by item, sets and maps by what they hold, objects
 * by the expected keys.
 */
export const equal = <A>(what: string, actual: A, expected: NoInfer<A>): Effect.Effect<void, AssertionFailed> => {
  const found = difference(actual, expected, "")
  return found === undefined ? Effect.void : failed(`${what}${found}`)
}

/** Expects a statement to hold. */
export const holds = (what: string, condition: boolean): Effect.Effect<void, AssertionFailed> =>
  condition ? Effect.void : failed(`not so: ${what}`)

/** Expects a value and returns it. */
export const some = <A>(what: string, option: Option.Option<A>): Effect.Effect<A, AssertionFailed> =>
  Option.isSome(option) ? Effect.succeed(option.value) : failed(`${what}: got none, expected some`)

/** Expects no value. */
export const none = <A>(what: string, option: Option.Option<A>): Effect.Effect<void, AssertionFailed> =>
  Option.isNone(option) ? Effect.void : failed(`${what}: got ${show(option.value)}, expected none`)

type Values<A, N extends number, T extends ReadonlyArray<A> = readonly []> = T["length"] extends N
  ? T
  : Values<A, N, readonly [...T, A]>

/** Expects exactly this many values and returns them. */
export const exactly = <A, const N extends number>(
  what: string,
  count: N,
  values: ReadonlyArray<A>,
): Effect.Effect<Values<A, N>, AssertionFailed> =>
  values.length === count
    ? Effect.succeed(values as unknown as Values<A, N>)
    : failed(`${what}: got ${values.length}, expected ${count}: ${show(values)}`)

/** Expects an effect to fail with an error with this tag. */
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

const isCollection = (value: object): value is Iterable<unknown> => value instanceof Set || value instanceof Map

/** The items of a set or a map in an order that they alone decide. */
const itemsOf = (items: Iterable<unknown>): ReadonlyArray<unknown> =>
  [...items].toSorted((one, two) => (textOf(one) < textOf(two) ? -1 : 1))

/** The first difference of two values; `undefined` if they are equal. */
const difference = (actual: unknown, expected: unknown, path: string): string | undefined => {
  if (actual === expected) return undefined
  if (typeof actual === "string" && typeof expected === "string") return textDifference(actual, expected, path)
  if (!isObject(actual) || !isObject(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${path}: got ${show(actual)}, expected ${show(expected)}`
  }
  // They have no keys of their own.
  if (isCollection(actual) && isCollection(expected)) return difference(itemsOf(actual), itemsOf(expected), path)
  // None has no key that distinguishes it from some.
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
  const lengths = `lengths ${actual.length}, ${expected.length}`
  return `${path}: got ${around(actual)}, expected ${around(expected)} (they differ at ${at}; ${lengths})`
}

/** A value as one line of a message, truncated if it is long. */
export const show = (value: unknown, limit = 300): string => {
  const text = textOf(value).replace(/\s+/g, " ")
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

const textOf = (value: unknown): string => {
  if (value instanceof Error) return `${value.name}: ${value.message}${causeOf(value)}`
  return JSON.stringify(value, readable) ?? String(value)
}

/** The reason of an error such as that of `fetch`, which has it in its cause. */
const causeOf = ({ cause }: Error): string => {
  if (!(cause instanceof Error)) return ""
  const reason = cause.message || (cause as { code?: string }).code
  return reason === undefined ? "" : ` (${reason})`
}

/** Converts values that JSON can't express, and unwraps `Option`. */
const readable = (_: string, part: unknown): unknown => {
  if (typeof part === "bigint") return `${part}n`
  if (typeof part === "function") return "(a function)"
  if (isObject(part) && part["_id"] === "Option") return part["_tag"] === "None" ? "none" : { some: part["value"] }
  return part
}
