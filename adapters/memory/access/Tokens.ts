import { Effect, Option } from "effect"
import type { TokenRecord } from "../../../core/model/access/Token.ts"
import { compareIds } from "../../../core/model/Ids.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { endingId, endingOf } from "../../../core/rules/webhooks/NoticeRules.ts"
import { addChange } from "../audit/Audit.ts"
import { holdingsOf, type State } from "../State.ts"
import { addNotices } from "../webhooks/Notices.ts"

/** Notifies every listener of changed tokens. */
export const publishTokens = (state: State, tokens: ReadonlyArray<TokenRecord>): Effect.Effect<void> =>
  Effect.forEach(
    tokens,
    ({ digest }) => Effect.forEach([...state.tokenListeners], (listener) => listener(digest), { discard: true }),
    { discard: true },
  ).pipe(Effect.uninterruptible)

/** Tokens in memory. Hosts that share a state hear of one another's revocations. */
export const makeTokens = (state: State): TokenStore["Service"] =>
  TokenStore.of({
    add: (token, maximum, audited) =>
      Effect.sync(() => {
        const holdings = holdingsOf(state, token.shop)
        const { tokens } = holdings
        if (tokens.size >= maximum) return false
        tokens.set(token.id, token)
        state.digests.set(token.digest, { shop: token.shop, id: token.id })
        addNotices(holdings, endingOf(token))
        addChange(state, audited, undefined, token)
        return true
      }),

    list: (shop) =>
      Effect.sync(() =>
        [...(state.holdings.get(shop)?.tokens.values() ?? [])].sort(
          (left, right) => right.createdAt - left.createdAt || compareIds(right.id, left.id),
        ),
      ),

    find: (digest) =>
      Effect.sync(() => {
        const owner = state.digests.get(digest)
        if (owner === undefined) return Option.none()
        const token = state.holdings.get(owner.shop)?.tokens.get(owner.id)
        const shop = state.shops.get(owner.shop)
        return token === undefined || shop === undefined ? Option.none() : Option.some({ token, shop, committed: true })
      }),

    revoke: (shop, id, audited) =>
      Effect.suspend(() => {
        const holdings = state.holdings.get(shop)
        const token = holdings?.tokens.get(id)
        if (holdings === undefined || token === undefined) return Effect.succeed(false)
        holdings.tokens.delete(id)
        holdings.counted.delete(id)
        const isUnsent = (holdings.notices.get(endingId(id))?.dueAt ?? null) !== null
        if (isUnsent) holdings.notices.delete(endingId(id))
        addChange(state, audited, token, undefined)
        state.digests.delete(token.digest)
        return Effect.as(publishTokens(state, [token]), true)
      }),

    touch: (shop, id, now) =>
      Effect.sync(() => {
        const tokens = state.holdings.get(shop)?.tokens
        const token = tokens?.get(id)
        if (tokens === undefined || token === undefined) return
        if (token.lastUsedAt === null || token.lastUsedAt < now) tokens.set(id, { ...token, lastUsedAt: now })
      }),

    caughtUp: Effect.succeed(true),

    onChanged: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          // One of its own, so that the same listener given twice is two listeners.
          const own = (digest: string) => listener(digest)
          state.tokenListeners.add(own)
          return own
        }),
        (own) => Effect.sync(() => state.tokenListeners.delete(own)),
      ).pipe(Effect.asVoid),
  })
