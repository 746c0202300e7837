import { Effect, Option } from "effect"
import { compareIds } from "../../../core/model/Ids.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import { ShopViews, setUpMark } from "../../../core/ports/ShopViews.ts"
import { isSpent } from "../access/SettingsSessions.ts"
import type { State } from "../State.ts"
import { queuesOf } from "../webhooks/EndpointQueue.ts"
import { endpointsOfShop } from "../webhooks/Endpoints.ts"
import { newestNotices } from "../webhooks/Notices.ts"

/** Views of shops in memory. */
export const make = (state: State): ShopViews["Service"] =>
  ShopViews.of({
    withEndpoints: (id) =>
      Effect.sync(() =>
        Option.map(Option.fromUndefinedOr(state.shops.get(id)), (shop) => ({
          shop,
          endpoints: endpointsOfShop(state, id),
          isSetUp: isSpent(state, id, setUpMark),
        })),
      ),

    page: ({ after, limit, search }) =>
      Effect.sync(() =>
        [...state.shops.values()]
          .filter(({ domain, id }) => search === null || id.startsWith(search) || domain.startsWith(search))
          .filter(({ id }) => after === null || compareIds(id, after) > 0)
          .sort((left, right) => compareIds(left.id, right.id))
          .slice(0, limit),
      ),

    mark: (shop, now) => Effect.sync(() => markOf(state, shop, now)),
  })

/** The number of the newest records that a mark distinguishes. */
const newest = 60

/** The last entries of a map, which are its newest. */
const last = <K, V>(map: ReadonlyMap<K, V>, limit: number): ReadonlyArray<V> => [...map.values()].slice(-limit)

const markOf = (state: State, shop: string, now: Instant): string => {
  const holdings = state.holdings.get(shop)
  return JSON.stringify([
    state.shops.get(shop) ?? null,
    endpointsOfShop(state, shop),
    queuesOf(state, shop).map(({ all, counts, pending, pendingTests }) => [
      last(all, newest).map(({ record: { attempts, id, status } }) => [id, status, attempts.length]),
      last(counts, 2),
      [...pending.slice(0, newest), ...pendingTests.slice(0, newest)].map(({ token }) => token),
    ]),
    [...(holdings?.tokens.keys() ?? [])],
    last(holdings?.events ?? new Map(), 1).map(({ id }) => id),
    newestNotices(state, shop, 5, now).map(({ id }) => id),
    holdings?.orders.size ?? 0,
    (holdings?.positions.slice(-5) ?? []).map(({ id }) => holdings?.orders.get(id)?.etag),
  ])
}
