import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** A parameter of the current request's query; `""` if it is missing. */
export const queryParameter = (name: string) =>
  HttpServerRequest.HttpServerRequest.use(({ url }) =>
    Effect.succeed(new URLSearchParams(url.split("?")[1]).get(name) ?? ""),
  )
