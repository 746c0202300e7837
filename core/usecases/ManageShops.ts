import { Clock, Effect } from "effect"
import { reader } from "../model/Input.ts"
import { Shop, ShopInput } from "../model/Shop.ts"
import { ShopStore } from "../ports/ShopStore.ts"
import { shopOf } from "../support/ShopOf.ts"

const read = reader(ShopInput)
const check = reader(Shop)

/** Makes a shop or replaces its settings; what it holds stays. Fails with `InvalidInput`. */
export const putShop = Effect.fn("ManageShops.put")(function* (id: string, input: ShopInput) {
  const settings = yield* Effect.fromResult(read(input))
  const shop = yield* Effect.fromResult(
    check({ ...settings, id, plan: settings.plan ?? "pro", roundingStep: settings.roundingStep ?? 1 }),
  )
  yield* ShopStore.use((shops) => shops.put(shop))
  return shop
})

/** A shop. Fails with `NotFound`. */
export const getShop = Effect.fn("ManageShops.get")(shopOf)

/** So many records go in a step of removing a shop: a few milliseconds of a store. */
const removeLimit = 1000

/**
 * Removes a shop and everything of it (D43): tokens and endpoints at once, the rest in short steps. It can't be undone. Where it fails, e.g. with a store
 * that is down, the shop is there and part of it may be gone: call it again. Fails with `NotFound`.
 */
export const removeShop = Effect.fn("ManageShops.remove")(function* (id: string) {
  const shop = yield* shopOf(id)
  const now = yield* Clock.currentTimeMillis
  const step = ShopStore.use((shops) => shops.remove({ shop: shop.id, now, limit: removeLimit }))
  yield* Effect.repeat(step, { until: (isGone) => isGone })
})

/** All shops, by id. */
export const listShops = ShopStore.use((shops) => shops.list)
