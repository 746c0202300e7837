import type { Instant } from "../../../core/model/Instant.ts"
import type { State } from "../State.ts"
import { queuesOf } from "../webhooks/EndpointQueue.ts"
import { endpointsOfShop } from "../webhooks/Endpoints.ts"
import { newestNotices } from "../webhooks/Notices.ts"

/** The number of the newest records that a mark distinguishes. */
const newest = 60

/** The last entries of a map, which are its newest. */
const last = <K, V>(map: ReadonlyMap<K, V>, limit: number): ReadonlyArray<V> => [...map.values()].slice(-limit)

/** The mark of a shop (`ShopStore.mark`). */
export const markOf = (state: State, shop: string, now: Instant): string => {
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
