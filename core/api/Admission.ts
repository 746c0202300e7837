import { Effect } from "effect"
import { RateLimited } from "../model/Errors.ts"
import { identify, planRefusal } from "../usecases/Authenticate.ts"
import { type LimitStanding, limitRequest, limitStanding } from "../usecases/LimitRequest.ts"
import { answerOf, orAnswer } from "./Errors.ts"
import { rateLimitHeaders } from "./RateLimit.ts"

/**
 * Lets a request in by its `Authorization` header, or fails with the answer that refuses it: token, plan, rate limit, in this order
 * (D11). Whoever is known gets the headers of the rate limit with the answer, whichever it is (D16); one that the plan refuses is not counted.
 */
export const admit = Effect.fnUntraced(function* (authorization: string | undefined) {
  const caller = yield* orAnswer(identify(tokenOf(authorization)))
  const { shop, tokenId } = caller
  const refusal = planRefusal(shop)
  const standing: (LimitStanding & { readonly accepted?: boolean }) | undefined = yield* orAnswer(
    refusal === undefined ? limitRequest(shop.id, tokenId) : limitStanding(shop.id, tokenId),
  )
  const headers = standing === undefined ? {} : rateLimitHeaders(standing)
  if (refusal !== undefined) return yield* Effect.fail(answerOf(refusal, headers))
  if (standing?.accepted === false) {
    return yield* Effect.fail(answerOf(new RateLimited({ message: "Too many requests: see Retry-After" }), headers))
  }
  return { caller, headers }
})

const bearer = /^bearer +(.+)$/i

/** The token that a request brings; empty where it brings none. Names of schemes are read in small and capital letters (RFC 9110 §11.1). */
const tokenOf = (authorization: string | undefined): string => bearer.exec(authorization ?? "")?.[1] ?? ""
