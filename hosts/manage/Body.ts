import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidInput } from "../../core/model/Errors.ts"

const notJson = "The body must be JSON"

const invalid = (message: string) => new InvalidInput({ message, problems: [{ path: "", message }] })

/** The JSON of a request's body, for a use case to check. A missing media type is taken for JSON. Fails with `InvalidInput`. */
export const jsonBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const type = request.headers["content-type"]
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    return yield* invalid(`${notJson}, with Content-Type: application/json`)
  }
  // What can't be read (too long, cut off) is answered where every such request is.
  const text = yield* Effect.orDie(request.text)
  return yield* Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => invalid(notJson) })
})
