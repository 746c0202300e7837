import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidInput } from "../../core/model/Errors.ts"

const message = "The body must be JSON"

const notJson = new InvalidInput({ message, problems: [{ path: "", message }] })

/** The JSON of a request's body, for a use case to check, whatever media type it says it is. Fails with `InvalidInput`. */
export const jsonBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  // What can't be read (too long, cut off) is answered where every such request is.
  const text = yield* Effect.orDie(request.text)
  return yield* Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => notJson })
})
