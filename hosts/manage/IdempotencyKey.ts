import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { toResponse } from "../../core/api/Answer.ts"
import { pathOf } from "../../core/api/Paths.ts"
import { unavailable } from "../../core/api/Unavailable.ts"
import type { Difference } from "../../core/model/Errors.ts"
import type { Problem } from "../../core/model/Problem.ts"
import { statusOf } from "../../core/operations/Errors.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { answerOnce, type RepeatableAnswer } from "../../core/usecases/AnswerOnce.ts"

const name = "idempotency-key"

/** Answers a POST request with an `Idempotency-Key` once, and every repetition with the same answer (D49). */
export class IdempotencyKey extends HttpApiMiddleware.Service<IdempotencyKey>()("designwire/manage/IdempotencyKey") {}

/** Groups whose answers contain buyers' texts. */
const withTexts: ReadonlyArray<string> = ["designs", "orders"]

/** An error that clients may see. */
interface PublicError {
  readonly _tag: keyof typeof statusOf
  readonly message: string
  readonly problems?: ReadonlyArray<Problem>
  readonly retryable?: boolean
  readonly conflict?: Difference
}

const isPublic = (error: unknown): error is PublicError =>
  typeof error === "object" && error !== null && "_tag" in error && String(error._tag) in statusOf

const errorOf = ({ _tag, conflict, message, problems, retryable }: PublicError): RepeatableAnswer => ({
  status: statusOf[_tag],
  body: JSON.stringify({ message, problems, retryable, conflict }),
})

/** The answer to a failure that repeating the request can't mend. */
const refusal = (error: unknown): RepeatableAnswer | undefined =>
  isPublic(error) && error._tag !== "Unavailable" && error.retryable !== true ? errorOf(error) : undefined

const answerOf = ({ body, status }: HttpServerResponse.HttpServerResponse): Effect.Effect<RepeatableAnswer> => {
  if (body._tag === "Empty") return Effect.succeed({ status, body: null })
  return body._tag === "Uint8Array"
    ? Effect.succeed({ status, body: new TextDecoder().decode(body.body) })
    : Effect.die(new Error(`An answer to a POST request has a body of kind ${body._tag}`))
}

const once = Effect.fnUntraced(function* <E, R>(
  key: string,
  group: string,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { shop = "" } = yield* HttpRouter.params
  const bytes = yield* Effect.orDie(request.arrayBuffer)
  const kept = yield* answerOnce(
    {
      shop,
      key,
      parts: [request.method, pathOf(request.url), new Uint8Array(bytes)],
      hasTexts: withTexts.includes(group),
    },
    Effect.flatMap(answer, answerOf),
    refusal,
  )
  return toResponse({ ...kept, headers: {} })
})

const response = (error: PublicError) => toResponse({ ...errorOf(error), headers: {} })

/** The answer to a failure: its own, unless something went wrong on our side. */
const failed = <E>(
  error: E | StorageError,
): Effect.Effect<HttpServerResponse.HttpServerResponse, Exclude<E, PublicError>> => {
  if (error instanceof StorageError) {
    return Effect.catch(unavailable(Effect.fail(error)), (down) => Effect.succeed(response(down)))
  }
  return isPublic(error) ? Effect.succeed(response(error)) : Effect.fail(error as Exclude<E, PublicError>)
}

type Services = Effect.Services<ReturnType<typeof answerOnce<never, never>>>

/** Handles `Idempotency-Key` with the services of the management API. */
export const layerIdempotencyKey = Layer.effect(
  IdempotencyKey,
  Effect.map(
    Effect.context<Services>(),
    (context): IdempotencyKey["Service"] =>
      (answer, { endpoint, group }) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const key = headers[name]
          if (endpoint.method !== "POST" || key === undefined) return answer
          return once(key, group.identifier, answer).pipe(Effect.catch(failed), Effect.provideContext(context))
        }),
  ),
)
