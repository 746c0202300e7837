/** Rules that all list queries share (D12): each parameter appears once and is not empty, and errors name it. */
import { Predicate, Result } from "effect"
import { InvalidInput } from "../model/Errors.ts"
import { defaultLimit, maximumLimit } from "../model/Page.ts"

/** Error for an invalid parameter. */
export const invalidParameter = (name: string, form: string): InvalidInput => {
  const message = `${name} must be ${form}`
  return new InvalidInput({ message, problems: [{ path: name, message }] })
}

/** {@link invalidParameter} as a failed result. */
export const refuse = (name: string, form: string) => Result.fail(invalidParameter(name, form))

/** Accepts an object. Fails for anything else, because not every caller is typed. */
export const queryOf = <Input extends object>(query: Input): Result.Result<Input, InvalidInput> =>
  Predicate.isObject(query)
    ? Result.succeed(query)
    : Result.fail(new InvalidInput({ message: queryForm, problems: [{ path: "", message: queryForm }] }))

const queryForm = "The query must be an object"

/** The given value of a parameter; `undefined` if it was omitted. */
export const given = <Input extends object>(parameters: Input, name: keyof Input & string): unknown =>
  Object.hasOwn(parameters, name) ? parameters[name] : undefined

/** A parameter as text. A parameter that a URL repeats arrives as a list. */
export const single = <Input extends object>(
  parameters: Input,
  name: keyof Input & string,
  form: string,
): Result.Result<string | undefined, InvalidInput> => {
  const found = given(parameters, name)
  if (found === undefined) return Result.succeed(undefined)
  const value = typeof found === "number" ? String(found) : found
  if (typeof value !== "string") return refuse(name, `given once: ${form}`)
  return value === "" ? refuse(name, `${form}, not empty`) : Result.succeed(value)
}

const limitShape = /^[1-9][0-9]{0,2}$/

const limitForm = `an integer from 1 to ${maximumLimit}`

/** Page size. Nothing is clamped. */
export const limitOf = (
  parameters: { readonly limit?: number | string | undefined },
  byDefault = defaultLimit,
): Result.Result<number, InvalidInput> =>
  Result.flatMap(single(parameters, "limit", limitForm), (limit) => {
    if (limit === undefined) return Result.succeed(byDefault)
    return limitShape.test(limit) && Number(limit) <= maximumLimit
      ? Result.succeed(Number(limit))
      : refuse("limit", limitForm)
  })
