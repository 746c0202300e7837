/** Queries of lists: each parameter once, with its form, its message and its description (D12). */
import { Predicate, Result } from "effect"
import { InvalidInput } from "../Errors.ts"
import { type Instant, parseDateOrDateTime } from "../Instant.ts"
import { describe, type Json } from "../json/Json.ts"
import { defaultLimit, maximumLimit } from "../Page.ts"

/** A parameter of a query. */
export interface Parameter<A = unknown, Default = A | undefined> {
  /** Its meaning, for readers of documents. */
  readonly description: string
  /** The same for readers of code, if it is another. */
  readonly comment?: string
  /** What documents say of its values. The form may say more than a JSON Schema can. */
  readonly schema: Json
  /** The form of its values, which completes "limit must be …". */
  readonly form: string
  /** The value that a text stands for; `undefined` if the text has another form. */
  readonly read: (text: string) => A | undefined
  /** The value without the parameter. */
  readonly byDefault: Default
  /** Whether a request must have it. */
  readonly isRequired?: boolean
  /** Whether it is a list: of texts, or a text with commas. */
  readonly isList?: boolean
  /** Whether its values mean nothing to readers, so that messages don't repeat them. */
  readonly isOpaque?: boolean
}

/** The parameters of a query, in the order in which documents list them and problems are looked for. */
export type Query = Readonly<Record<string, Parameter>>

/** The value of a parameter that is given. */
type ValueOf<One extends Parameter> = One extends { readonly isList: true }
  ? ReadonlyArray<Exclude<ReturnType<One["read"]>, undefined>>
  : Exclude<ReturnType<One["read"]>, undefined>

/** The values of a query. */
export type Parsed<Parameters extends Query> = {
  readonly [Name in keyof Parameters]:
    | ValueOf<Parameters[Name]>
    | (Parameters[Name] extends { readonly isRequired: true } ? never : Parameters[Name]["byDefault"])
}

/** Error for an invalid parameter. */
export const invalidParameter = (name: string, form: string): InvalidInput => {
  const message = `${name} must be ${form}`
  return new InvalidInput({ message, problems: [{ path: name, message }] })
}

const refuse = (name: string, { form, isOpaque }: Pick<Parameter, "form" | "isOpaque">, given: unknown) =>
  Result.fail(invalidParameter(name, isOpaque || given === undefined ? form : `${form}, not ${describe(given)}`))

const queryForm = "The query must be an object"

/**
 * Reads a query. Fails with an error that names the first parameter that is wrong, and the accepted form. Parameters
 * that are unknown are ignored, and nothing is clamped.
 */
export const queryReader = <const Parameters extends Query>(parameters: Parameters) => {
  const all = Object.entries<Parameter>(parameters)
  return (query: object): Result.Result<Parsed<Parameters>, InvalidInput> => {
    // Not every caller is typed.
    if (!Predicate.isObject(query)) {
      return Result.fail(new InvalidInput({ message: queryForm, problems: [{ path: "", message: queryForm }] }))
    }
    const values: Record<string, unknown> = {}
    for (const [name, parameter] of all) {
      const given: unknown = Object.hasOwn(query, name) ? query[name as never] : undefined
      const value = parameter.isList ? listOf(name, parameter, given) : valueOf(name, parameter, given)
      if (Result.isFailure(value)) return Result.fail(value.failure)
      values[name] = value.success
    }
    return Result.succeed(values as Parsed<Parameters>)
  }
}

/** A parameter appears once and is not empty. One that a URL repeats arrives as a list. */
const valueOf = (name: string, parameter: Parameter, given: unknown) => {
  if (given === undefined) {
    return parameter.isRequired
      ? refuse(name, { form: `given: ${parameter.form}` }, given)
      : Result.succeed(parameter.byDefault)
  }
  const text = typeof given === "number" ? String(given) : given
  if (typeof text !== "string") return refuse(name, { form: `given once: ${parameter.form}` }, given)
  const value = text === "" ? undefined : parameter.read(text)
  return value === undefined
    ? refuse(name, { ...parameter, isOpaque: parameter.isOpaque === true && text !== "" }, given)
    : Result.succeed(value)
}

/** A URL may repeat a list. */
const listOf = (name: string, parameter: Parameter, given: unknown) => {
  if (given === undefined) return Result.succeed(parameter.byDefault)
  const lists: ReadonlyArray<unknown> = Array.isArray(given) ? given : [given]
  const texts = lists.flatMap((list) => (typeof list === "string" ? list.split(",") : [list]))
  const values = texts.map((text) => (typeof text === "string" ? parameter.read(text) : undefined))
  return values.length === 0 || values.includes(undefined)
    ? refuse(name, parameter, texts[values.indexOf(undefined)] ?? given)
    : Result.succeed([...new Set(values)])
}

const limitShape = /^[1-9][0-9]{0,2}$/

/** The number of things on a page. */
export const limit = (things: string, byDefault = defaultLimit): Parameter<number, number> => ({
  description: `${things} on a page`,
  schema: { type: "integer", minimum: 1, maximum: maximumLimit, default: byDefault },
  form: `an integer from 1 to ${maximumLimit}`,
  read: (text) => (limitShape.test(text) && Number(text) <= maximumLimit ? Number(text) : undefined),
  byDefault,
})

/** A value without which nothing is filtered. */
export const optional = <A>(parts: Omit<Parameter<A>, "byDefault">): Parameter<A, undefined> => ({
  ...parts,
  byDefault: undefined,
})

/** The end of the page before. */
export const after = <A>(read: (text: string) => A | undefined): Parameter<A, undefined> =>
  optional({
    description: "The `nextCursor` of the page before",
    schema: { type: "string" },
    form: "the nextCursor of the page before, unchanged",
    isOpaque: true,
    read,
  })

const timeForm = "an RFC 3339 date-time with an offset or Z, e.g. 2026-10-05T14:48:00Z, or a date, e.g. 2026-10-05"

/** In a query an unescaped + means a space. */
const instantOf = (text: string): Instant | undefined => parseDateOrDateTime(text.replace(" ", "+"))

/** A time. */
export const time = (description: string, { form = timeForm, schema = {} } = {}): Parameter<Instant, undefined> =>
  optional({ description, schema: { type: "string", ...schema }, form, read: instantOf })
