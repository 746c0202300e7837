import { Cause, Effect } from "effect"
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { type Answer, toResponse } from "../../core/api/Answer.ts"
import { errorAnswer, notAllowed, nothingHere } from "../../core/api/ErrorAnswers.ts"
import { isRouteNotFound } from "../../core/api/MatchedAsSent.ts"
import { isBelow, pathOf, pathPattern } from "../../core/api/Paths.ts"
import { Contract } from "./Contract.ts"
import { checkRequest, type KeyCheck } from "./ManageKey.ts"

const endpoints: Array<{ readonly method: string; readonly pattern: RegExp }> = []
HttpApi.reflect(Contract, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint: { method, path } }) => endpoints.push({ method, pattern: pathPattern(path) }),
})

/** The methods of a path: first GET, and HEAD with it. */
const methodsOf = (path: string): ReadonlyArray<string> => {
  const methods = endpoints.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return methods.includes("GET") ? ["GET", "HEAD", ...methods.filter((method) => method !== "GET")] : methods
}

/** No path has an empty segment, but Effect's router would take one for an empty id. */
const hasEmptySegment = (path: string): boolean => path.includes("//") || path.endsWith("/")

/** The answer to a request without a route. */
const unknownAnswer = ({ method, url }: HttpServerRequest.HttpServerRequest): Answer => {
  const path = pathOf(url)
  const allowed = hasEmptySegment(path) ? [] : methodsOf(path)
  return allowed.length === 0 || allowed.includes(method) ? nothingHere : notAllowed(allowed)
}

/** The answer to a request whose body can't be read. */
const bodyAnswer = (cause: Cause.Cause<unknown>): Answer | undefined => {
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (error instanceof HttpServerError.HttpServerError && error.reason._tag === "RequestParseError") {
      return error.reason.reason === "BodyTooLarge"
        ? errorAnswer(413, "The body may have at most 1 MiB")
        : errorAnswer(400, "The body could not be read")
    }
  }
  return undefined
}

/**
 * Answers requests to the management API that an application can't: 413 or 400 if their body can't be read, 405 or 404
 * if they have no route. Only holders of the key learn which paths and methods exist (D11).
 */
export const answerFailures =
  (check: KeyCheck) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    HttpServerRequest.HttpServerRequest.use((request) => {
      if (!isBelow("/manage/v1", request.url)) return app
      const unknown = Effect.match(checkRequest(check), {
        onFailure: toResponse,
        onSuccess: () => toResponse(unknownAnswer(request)),
      })
      if (hasEmptySegment(pathOf(request.url))) return unknown
      return Effect.catchCause(app, (cause) => {
        if (isRouteNotFound(cause)) return unknown
        const answer = bodyAnswer(cause)
        return answer === undefined ? Effect.failCause(cause) : Effect.succeed(toResponse(answer))
      })
    })
