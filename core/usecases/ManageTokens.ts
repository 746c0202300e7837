import { Clock, Effect, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Conflict, NotFound } from "../model/Errors.ts"
import { reader } from "../model/Input.ts"
import { includesApi } from "../model/Shop.ts"
import { isStorable } from "../model/Text.ts"
import { TokenInput, type TokenRecord } from "../model/Token.ts"
import { newId } from "../ports/NewId.ts"
import { shopOf } from "../ports/ShopStore.ts"
import { TokenStore } from "../ports/TokenStore.ts"
import * as TokenFormat from "../rules/TokenFormat.ts"

const read = reader(TokenInput)

const utf8 = new TextEncoder()

/**
 * Makes an API token (§5, D18). The answer holds its text, for the only time: only a digest is kept.
 * Fails with `NotFound` without the shop, `Conflict` where its plan has no REST API, `InvalidInput`.
 */
export const createToken = Effect.fn("ManageTokens.createToken")(function* (shopId: string, input: unknown) {
  const shop = yield* shopOf(shopId)
  const { name } = yield* Effect.fromResult(read(input))
  if (!includesApi(shop.plan)) {
    return yield* new Conflict({ message: "API tokens are part of the Pro and Plus plans; the shop's plan is free" })
  }
  const random = yield* SecureRandom.SecureRandom
  const digest = yield* Digest.Digest
  const token = TokenFormat.fromBytes(yield* random.randomBytes(32))
  const record: TokenRecord = {
    shop: shopId,
    id: yield* newId("tok_"),
    name,
    hint: token.slice(-4),
    digest: yield* digest.digestHex(Digest.sha256, utf8.encode(token)),
    createdAt: yield* Clock.currentTimeMillis,
    lastUsedAt: null,
  }
  yield* (yield* TokenStore).add(record)
  return { record, token: Redacted.make(token) }
})

/** A shop's tokens, newest first. Fails with `NotFound` without the shop. */
export const listTokens = Effect.fn("ManageTokens.listTokens")(function* (shopId: string) {
  yield* shopOf(shopId)
  return yield* (yield* TokenStore).list(shopId)
})

/** Revokes a token: refused at once on this host, within a second on every other (D18). Fails with `NotFound`. */
export const revokeToken = Effect.fn("ManageTokens.revokeToken")(function* (shopId: string, id: string) {
  yield* shopOf(shopId)
  if (!isStorable(id) || !(yield* (yield* TokenStore).revoke(shopId, id))) {
    return yield* new NotFound({ message: `The shop has no token ${JSON.stringify(id)}` })
  }
})
