import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidInput, Refused } from "../../core/model/Errors.ts"
import { summary } from "../../core/model/Input.ts"
import { changedNumbers } from "../../core/model/json/ExactNumbers.ts"
import { faultOf } from "../../core/model/json/JsonFault.ts"
import { placeOf } from "../../core/model/json/JsonPlaces.ts"
import { parseJson } from "../../core/model/json/ParseJson.ts"

const notJson = "The body must be JSON in UTF-8"

// Bytes that are not UTF-8 are refused rather than replaced.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const refusal = (message: string) => new InvalidInput({ message, problems: [{ path: "", message }] })

/**
 * The JSON of a request's body, whatever its media type. Fails with `InvalidInput`, and with `Refused` if a number
 * of a definition or a selection would not be kept as it is written.
 *
 * It is not validated here: the use case validates its input, and says more about it than a schema can.
 */
export const jsonBody = <A>(request: HttpServerRequest.HttpServerRequest) => Effect.flatMap(bytesOf(request), parsed<A>)

/** As {@link jsonBody}, but `undefined` without a body. */
export const optionalJsonBody = <A>(request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(bytesOf(request), (bytes) => (bytes.byteLength === 0 ? Effect.undefined : parsed<A>(bytes)))

// A body that can't be read (too long, cut off) is answered in one place for all requests.
const bytesOf = (request: HttpServerRequest.HttpServerRequest) => Effect.orDie(request.arrayBuffer)

/** Where a text stops being JSON. */
const faultIn = (text: string): string => {
  if (text.trim() === "") return "it is empty"
  const { column, line } = placeOf(text, faultOf(text))
  return `from line ${line}, column ${column} on it is not`
}

const parsed = <A>(bytes: ArrayBuffer): Effect.Effect<A, InvalidInput | Refused> =>
  Effect.gen(function* () {
    const text = yield* Effect.mapError(
      Effect.try(() => utf8.decode(bytes)),
      () => refusal(notJson),
    )
    const json = yield* Effect.mapError(Effect.fromResult(parseJson(text)), (problem) =>
      refusal(problem ?? `${notJson}: ${faultIn(text)}`),
    )
    // Other numbers are validated with their fields.
    const problems = changedNumbers(text).listed.filter(({ path }) => /^(definition|selection)\b/.test(path))
    if (problems.length > 0) {
      const message = summary("The input is not allowed", { listed: problems, total: problems.length })
      return yield* new Refused({ message, problems })
    }
    return json as A
  })
