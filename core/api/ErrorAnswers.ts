/** Answers that report an error: a status and `{"message": …}` (D11). */
import { Cause, Effect } from "effect"
import type { HttpServerError, HttpServerResponse } from "effect/http"
import { logged } from "../model/log/LogEvent.ts"
import { statusOf } from "../operations/Errors.ts"
import { type Answer, toResponse } from "./Answer.ts"
import { unavailable } from "./Unavailable.ts"

/** The answer with a status and a message. */
export const errorAnswer = (status: number, message: string, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers,
  body: JSON.stringify({ message }),
})

/** The same as a response of Effect's. */
export const errorResponse = (
  status: number,
  message: string,
  headers?: Answer["headers"],
): HttpServerResponse.HttpServerResponse => toResponse(errorAnswer(status, message, headers))

/** An error that callers may see. */
type PublicError = { readonly _tag: keyof typeof statusOf; readonly message: string }

/** The headers that say what to do about an error. */
const headersOf: Partial<Record<PublicError["_tag"], Answer["headers"]>> = {
  Unauthorized: { "www-authenticate": "Bearer" },
  // Reads can be repeated at any time. Nobody knows when a store comes back.
  Unavailable: { "retry-after": "1" },
}

/** The answer to an error. */
export const answerOf = ({ _tag, message }: PublicError, headers?: Answer["headers"]): Answer =>
  errorAnswer(statusOf[_tag], message, headersOf[_tag] ?? headers)

/** The same effect, which fails with the answer to each of its errors. */
export const orAnswer = <A, E extends PublicError | { readonly _tag: "StorageError" }, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, Answer, R> => Effect.mapError(unavailable(effect), (error) => answerOf(error))

/** The answer to a request for an address that does not exist. */
export const nothingHere = errorAnswer(404, "There is nothing at this address")

/** The answer to a request whose method an address does not have. */
export const notAllowed = (allowed: ReadonlyArray<string>): Answer => {
  const others = allowed.slice(0, -1).join(", ")
  const names = others === "" ? `${allowed.at(-1)} is` : `${others} and ${allowed.at(-1)} are`
  return errorAnswer(405, `Only ${names} allowed here`, { allow: allowed.join(", ") })
}

/** The answer to an unexpected failure. It reveals nothing of the inside; the cause goes to the log. */
export const unexpected = (cause: Cause.Cause<unknown>): Effect.Effect<Answer> =>
  // The caller is gone: nobody waits for an answer.
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.as(
        Effect.logError("A request failed", cause).pipe(logged("http.request_failed")),
        errorAnswer(500, "Something went wrong on our side"),
      )

/** A body was read, and perhaps parsed, before the request came here: its bytes are lost (D57a). */
export class ReadBody extends Error {
  constructor() {
    super(
      "The body was read before designwire got the request, and its bytes are lost: " +
        "mount designwire before express.json() and other body parsers",
    )
  }
}

/** The reason why a body can't be read, if it was read before. */
export const readBefore = ({ reason: { cause } }: HttpServerError.HttpServerError): ReadBody | undefined =>
  cause instanceof ReadBody ? cause : undefined
