import { Effect, Option } from "effect"
import { compareIds } from "../../core/model/Ids.ts"
import { includesApi } from "../../core/model/Shop.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { wakeWorkers } from "./Signals.ts"
import type { State } from "./State.ts"
import { tellOfTokens } from "./Tokens.ts"

/** Shops in memory. */
export const make = (state: State): ShopStore["Service"] =>
  ShopStore.of({
    find: (id) => Effect.sync(() => Option.fromUndefinedOr(state.shops.get(id))),
    list: Effect.sync(() => [...state.shops.values()].sort((left, right) => compareIds(left.id, right.id))),
    put: (shop) =>
      Effect.suspend(() => {
        const before = state.shops.get(shop.id)
        state.shops.set(shop.id, shop)
        if (before !== undefined && !includesApi(before.plan) && includesApi(shop.plan)) wakeWorkers(state)
        return tellOfTokens(state, [...(state.holdings.get(shop.id)?.tokens.values() ?? [])])
      }),
  })
