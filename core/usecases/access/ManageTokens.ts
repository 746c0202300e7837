import { Clock, Effect, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { allScopes, maximumTokens, TokenInput, type TokenRecord, view } from "../../model/access/Token.ts"
import { Conflict, InvalidInput, NotFound, PlanRequired } from "../../model/Errors.ts"
import { reader } from "../../model/Input.ts"
import { parse } from "../../model/Instant.ts"
import { quoteId } from "../../model/json/Json.ts"
import { includesApi } from "../../model/shops/Shop.ts"
import { isStorable } from "../../model/Text.ts"
import { TokenStore } from "../../ports/TokenStore.ts"
import * as TokenFormat from "../../rules/access/TokenFormat.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { auditing } from "../../support/Auditing.ts"
import { newId } from "../../support/NewId.ts"
import { shopOf } from "../../support/ShopRecords.ts"

const read = reader(TokenInput)

const utf8 = new TextEncoder()

/**
 * Creates an API token (§5, D18), which may have an end, later than now, and fewer than all scopes (D77). Its `text` is
 * returned this once: only a digest is kept. Fails with `NotFound` for an unknown shop, `PlanRequired` if the shop's
 * plan does not include the REST API, `Conflict` if the shop has its hundred tokens already (D56), and `InvalidInput`.
 */
export const createToken = Effect.fn("ManageTokens.create")(function* (shopId: string, input: TokenInput) {
  const shop = yield* shopOf(shopId)
  const { expiresAt: end = null, name, scopes = allScopes } = yield* Effect.fromResult(read(input))
  const now = yield* Clock.currentTimeMillis
  const expiresAt = end === null ? null : (parse(end) ?? now)
  if (expiresAt !== null && expiresAt <= now) {
    const message = "must be later than now"
    const problems = [{ path: "expiresAt", message }]
    return yield* new InvalidInput({ message: `The input is not valid: expiresAt: ${message}`, problems })
  }
  if (!includesApi(shop.plan)) {
    return yield* new PlanRequired({
      message: "API tokens are part of the Pro and Plus plans; the shop's plan is free",
    })
  }
  const random = yield* SecureRandom.SecureRandom
  const digest = yield* Digest.Digest
  const text = TokenFormat.fromBytes(yield* random.randomBytes(32))
  const record: TokenRecord = {
    shop: shop.id,
    id: yield* newId("tok_"),
    name,
    hint: text.slice(-4),
    digest: yield* digest.digestHex(Digest.sha256, utf8.encode(text)),
    createdAt: now,
    lastUsedAt: null,
    expiresAt,
    scopes,
  }
  const added = yield* auditing(AuditRules.token, (audited) =>
    TokenStore.use((tokens) => tokens.add(record, maximumTokens, audited)),
  )
  if (!added) {
    return yield* new Conflict({ message: `The shop has ${maximumTokens} tokens already, the most there can be` })
  }
  return { token: view(record), text: Redacted.make(text) }
})

/** Lists a shop's tokens, newest first. Fails with `NotFound` for an unknown shop. */
export const listTokens = Effect.fn("ManageTokens.list")(function* (shopId: string) {
  const shop = yield* shopOf(shopId)
  const records = yield* TokenStore.use((tokens) => tokens.list(shop.id))
  return records.map(view)
})

/** Deletes a token, at once on this host and within a second on every other (D18). Fails with `NotFound`. */
export const deleteToken = Effect.fn("ManageTokens.delete")(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const revoke = auditing(AuditRules.token, (audited) =>
    TokenStore.use((tokens) => tokens.revoke(shop.id, id, audited)),
  )
  if (!isStorable(id) || !(yield* revoke)) {
    return yield* new NotFound({ message: `The shop has no token ${quoteId(id)}` })
  }
})
