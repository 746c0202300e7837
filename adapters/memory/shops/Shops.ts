import { Effect, Option } from "effect"
import type { TokenRecord } from "../../../core/model/access/Token.ts"
import { compareIds } from "../../../core/model/Ids.ts"
import { includesApi } from "../../../core/model/shops/Shop.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import { publishTokens } from "../access/Tokens.ts"
import { addChange } from "../audit/Audit.ts"
import type { State } from "../State.ts"
import { wakeWorkers } from "../webhooks/Signals.ts"
import { markOf } from "./Mark.ts"

/** Shops in memory. */
export const makeShops = (state: State): ShopStore["Service"] =>
  ShopStore.of({
    find: (id) => Effect.sync(() => Option.fromUndefinedOr(state.shops.get(id))),
    // It is removed in one step.
    isComplete: (id) => Effect.sync(() => state.shops.has(id)),
    list: ({ after, limit, search }) =>
      Effect.sync(() =>
        [...state.shops.values()]
          .filter(({ domain, id }) => search === null || id.startsWith(search) || domain.startsWith(search))
          .filter(({ id }) => after === null || compareIds(id, after) > 0)
          .sort((left, right) => compareIds(left.id, right.id))
          .slice(0, limit),
      ),
    put: (shop, audited) =>
      Effect.suspend(() => {
        if (state.removed.delete(shop.id)) dropHoldings(state, shop.id)
        const before = state.shops.get(shop.id)
        state.shops.set(shop.id, shop)
        addChange(state, audited, before, shop)
        if (before !== undefined && !includesApi(before.plan) && includesApi(shop.plan)) wakeWorkers(state, [shop.id])
        return publishTokens(state, [...(state.holdings.get(shop.id)?.tokens.values() ?? [])])
      }),
    // All in one step: nobody else runs meanwhile.
    remove: ({ shop }) =>
      Effect.suspend(() => {
        if (!state.shops.delete(shop)) return Effect.succeed(true)
        state.removed.add(shop)
        return Effect.as(publishTokens(state, dropHoldings(state, shop)), true)
      }),
    mark: (shop, now) => Effect.sync(() => markOf(state, shop, now)),
  })

/** Drops all records of a shop. Returns its tokens. */
export const dropHoldings = (state: State, shop: string): ReadonlyArray<TokenRecord> => {
  const tokens = [...(state.holdings.get(shop)?.tokens.values() ?? [])]
  for (const { digest } of tokens) state.digests.delete(digest)
  state.pending.delete(shop)
  state.holdings.delete(shop)
  return tokens
}
