/** Requests of cases to the REST API, and the rules that every response must follow. */
import { Effect, Redacted } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import { AssertionFailed, equal, holds, show } from "../Assertion.ts"
import { type RestAnswer, RestApi, type RestRequest } from "./ServiceCase.ts"

/** The `Authorization` header of a token. */
export const bearer = (token: Redacted.Redacted<string>): Redacted.Redacted<string> =>
  Redacted.make(`Bearer ${Redacted.value(token)}`)

/** Sends a request with a token. */
export const ask = (
  token: Redacted.Redacted<string>,
  path: string,
  request: Omit<RestRequest, "path" | "authorization"> = {},
) => Effect.flatMap(RestApi, (api) => api.send({ ...request, path, authorization: bearer(token) }))

/** The body of a response as a JSON object; expects this status. */
export const bodyOf = Effect.fnUntraced(function* (what: string, answer: RestAnswer, status = 200) {
  if (answer.status !== status) {
    const message = `${what}: got ${answer.status}, expected ${status}: ${show(answer.text)}`
    return yield* new AssertionFailed({ message })
  }
  yield* isJson(what, answer)
  return yield* jsonOf(what, answer.text)
})

/** Reads an object and returns it. */
export const read = Effect.fnUntraced(function* (token: Redacted.Redacted<string>, path: string) {
  return yield* bodyOf(`GET ${path}`, yield* ask(token, path))
})

/** A text as a JSON object. */
export const jsonOf = Effect.fnUntraced(function* (what: string, text: string) {
  const value = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new AssertionFailed({ message: `${what}: is not JSON: ${show(text)}` }),
  })
  return yield* objectOf(what, value)
})

/** Expects a JSON object. */
export const objectOf = (what: string, value: unknown): Effect.Effect<Json, AssertionFailed> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Effect.succeed(value as Json)
    : Effect.fail(new AssertionFailed({ message: `${what}: got ${show(value)}, expected an object` }))

/** Expects a list of JSON objects. */
export const objectsOf = Effect.fnUntraced(function* (what: string, value: unknown) {
  yield* holds(`${what} is a list`, Array.isArray(value))
  return yield* Effect.forEach(value as ReadonlyArray<unknown>, (item, index) => objectOf(`${what}[${index}]`, item))
})

/** Expects a string. */
export const textOf = (what: string, value: unknown): Effect.Effect<string, AssertionFailed> =>
  typeof value === "string"
    ? Effect.succeed(value)
    : Effect.fail(new AssertionFailed({ message: `${what}: got ${show(value)}, expected a string` }))

const isJson = (what: string, { headers }: RestAnswer) =>
  equal(`${what}: Content-Type`, mediaType(headers["content-type"]), "application/json")

/** A media type without its parameters. */
const mediaType = (header: string | undefined) => header?.split(";")[0]?.trim().toLowerCase()

/** A line of a stack trace as JavaScript, Java, C#, Python, Ruby, PHP and Go write it. */
const stackTrace = /\n\s*at |\bTraceback \(|\n\s*File "|\n#\d+ |\ngoroutine |\.[a-z]{1,4}:\d+:(\d+|in )/i

/** Expects an error with this status: exactly `{"message": string}` as JSON, with the version (D11, D19). */
export const isError = Effect.fnUntraced(function* (what: string, answer: RestAnswer, status: number) {
  const body = yield* bodyOf(what, answer, status)
  yield* hasKeys(`${what}: the body`, body, ["message"])
  const message = yield* textOf(`${what}: message`, body["message"])
  yield* holds(`${what}: message is not empty`, message !== "")
  yield* holds(`${what}: message has no stack trace: ${message}`, !stackTrace.test(message))
  yield* equal(`${what}: X-Api-Version`, answer.headers["x-api-version"], "2026-10")
  return message
})

/** Expects an object with exactly these fields in this order (D10). */
export const hasKeys = (what: string, value: Json, keys: ReadonlyArray<string>) =>
  equal(`${what}: fields`, Object.keys(value).join(", "), keys.join(", "))

/** Expects a timestamp as in D1. */
export const isTimestamp = Effect.fnUntraced(function* (what: string, value: unknown) {
  const text = yield* textOf(what, value)
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/
  yield* holds(`${what} is an ISO 8601 timestamp with three decimals and an offset: ${text}`, form.test(text))
  return Date.parse(text)
})

/** A page of orders, with its form checked (§2.4, §4-9). */
export const pageOf = Effect.fnUntraced(function* (what: string, answer: RestAnswer) {
  const page = yield* bodyOf(what, answer)
  yield* hasKeys(what, page, ["data", "pagination"])
  const pagination = yield* objectOf(`${what}: pagination`, page["pagination"])
  yield* hasKeys(`${what}: pagination`, pagination, ["total", "limit", "nextCursor"])
  const { limit, nextCursor, total } = pagination
  yield* holds(`${what}: total and limit are integers`, Number.isInteger(total) && Number.isInteger(limit))
  const next = nextCursor === null ? null : yield* textOf(`${what}: nextCursor`, nextCursor)
  const orders = yield* objectsOf(`${what}: data`, page["data"])
  return { orders, total: total as number, limit: limit as number, nextCursor: next }
})

/** A page of orders for a query such as `?limit=1`. */
export const readPage = Effect.fnUntraced(function* (token: Redacted.Redacted<string>, query = "") {
  return yield* pageOf(`GET /orders${query}`, yield* ask(token, `/orders${query}`))
})

/** The ids of objects. */
export const idsOf = (objects: ReadonlyArray<Json>): ReadonlyArray<unknown> => objects.map(({ id }) => id)

/** Expects a query to be refused: 400, with a message that names the parameter (D12). */
export const isBadQuery = Effect.fnUntraced(function* (
  token: Redacted.Redacted<string>,
  parameter: string,
  query: string,
) {
  const message = yield* isError(`?${query}`, yield* ask(token, `/orders?${query}`), 400)
  yield* holds(`the message for ?${query} names ${parameter}: ${message}`, message.includes(parameter))
})
