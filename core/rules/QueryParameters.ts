/** What the queries of all lists have in common (D12): each parameter once and not empty, and an error that names it. */
import { Predicate, Result } from "effect"
import { InvalidInput } from "../model/Errors.ts"
import { defaultLimit, maximumLimit } from "../model/Page.ts"

/** The error for a parameter that is not what it must be. */
export const invalidParameter = (name: string, form: string): InvalidInput => {
  const message = `${name} must be ${form}`
  return new InvalidInput({ message, problems: [{ path: name, message }] })
}

/** {@link invalidParameter}, as the result of reading it. */
export const refuse = (name: string, form: string) => Result.fail(invalidParameter(name, form))

/** A query that is one. Fails for what is no object: not every caller has types. */
export const queryOf = <Input extends object>(query: Input): Result.Result<Input, InvalidInput> =>
  Predicate.isObject(query)
    ? Result.succeed(query)
    : Result.fail(new InvalidInput({ message: queryForm, problems: [{ path: "", message: queryForm }] }))

const queryForm = "The query must be an object"

/** What a caller gave for a parameter; `undefined` where it was left out. */
export const given = <Input extends object>(parameters: Input, name: keyof Input & string): unknown =>
  Object.hasOwn(parameters, name) ? parameters[name] : undefined

/** A parameter as text. What an address gives more than once comes as a list. */
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

/** How many there are to be on a page. Nothing is clamped. */
export const limitOf = (parameters: {
  readonly limit?: number | string | undefined
}): Result.Result<number, InvalidInput> =>
  Result.flatMap(single(parameters, "limit", limitForm), (limit) => {
    if (limit === undefined) return Result.succeed(defaultLimit)
    return limitShape.test(limit) && Number(limit) <= maximumLimit
      ? Result.succeed(Number(limit))
      : refuse("limit", limitForm)
  })
