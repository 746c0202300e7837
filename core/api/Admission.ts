import { Effect } from "effect"
import type { TokenScope } from "../model/access/Token.ts"
import { RateLimited, Unauthorized } from "../model/Errors.ts"
import { identify, planRefusal, scopeRefusal } from "../usecases/access/Authenticate.ts"
import { type LimitState, limitRequest, readLimit } from "../usecases/access/LimitRequest.ts"
import { answerOf, orAnswer } from "./ErrorAnswers.ts"
import { countRefusal, rateLimitHeaders } from "./RateLimit.ts"

/**
 * Admits a request by its `Authorization` header, or fails with the answer that refuses it. Checks the token, which
 * must be one of the shop that the address names, if any (D15a), the plan, the scope that its address needs, if any
 * (D77), and the rate limit, in this order (D11): nothing else about the address decides before. A known token gets the
 * headers of the rate limit with every answer (D16). Requests that the plan or the scope refuses are not counted.
 */
export const admit = Effect.fnUntraced(function* (
  authorization: string | undefined,
  scope: TokenScope | undefined,
  named: string | undefined,
) {
  const caller = yield* orAnswer(identify(tokenOf(authorization)))
  const { shop, tokenId } = caller
  if (named !== undefined && named !== shop.id) {
    const message = `This address needs an API token of the shop ${named}: Authorization: Bearer cmz_…`
    return yield* Effect.fail(answerOf(new Unauthorized({ message })))
  }
  const refusal = planRefusal(shop) ?? (scope === undefined ? undefined : scopeRefusal(caller, scope))
  const standing: (LimitState & { readonly accepted?: boolean }) | undefined = yield* orAnswer(
    refusal === undefined ? limitRequest(shop.id, tokenId) : readLimit(shop.id, tokenId),
  )
  const headers = standing === undefined ? {} : rateLimitHeaders(standing)
  if (refusal !== undefined) {
    // So that programs can distinguish the two kinds of 403 (RFC 6750 §3.1).
    const challenge = `Bearer error="insufficient_scope", scope="${scope}"`
    const more = refusal._tag === "ScopeRequired" ? { "www-authenticate": challenge } : {}
    return yield* Effect.fail({ ...answerOf(refusal, { ...headers, ...more }), caller })
  }
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
