import { Effect } from "effect"
import { RateLimited } from "../model/Errors.ts"
import { identify, planRefusal } from "../usecases/tokens/Authenticate.ts"
import { type LimitStanding, limitRequest, limitStanding } from "../usecases/tokens/LimitRequest.ts"
import { answerOf, orAnswer } from "./ErrorAnswers.ts"
import { countRefusal, rateLimitHeaders } from "./RateLimit.ts"

/**
 * Admits a request by its `Authorization` header, or fails with the answer that refuses it. Checks the token, the plan
 * and the rate limit, in this order (D11). A known token gets the headers of the rate limit with every answer (D16).
 * Requests that the plan refuses are not counted.
 */
export const admit = Effect.fnUntraced(function* (authorization: string | undefined) {
  const caller = yield* orAnswer(identify(tokenOf(authorization)))
  const { shop, tokenId } = caller
  const refusal = planRefusal(shop)
  const standing: (LimitStanding & { readonly accepted?: boolean }) | undefined = yield* orAnswer(
    refusal === undefined ? limitRequest(shop.id, tokenId) : limitStanding(shop.id, tokenId),
  )
  const headers = standing === undefined ? {} : rateLimitHeaders(standing)
  if (refusal !== undefined) return yield* Effect.fail({ ...answerOf(refusal, headers), caller })
  if (standing?.accepted === false) {
    yield* countRefusal("token")
    const answer = answerOf(new RateLimited({ message: "Too many requests: see Retry-After" }), headers)
    return yield* Effect.fail({ ...answer, caller })
  }
  return { caller, headers }
})

const bearer = /^bearer +(.+)$/i

/** The token of a request, empty if there is none. The scheme's name is case-insensitive (RFC 9110 §11.1). */
const tokenOf = (authorization: string | undefined): string => bearer.exec(authorization ?? "")?.[1] ?? ""
