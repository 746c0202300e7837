import { Effect } from "effect"
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

/** All shops, by id. */
export const listShops = ShopStore.use((shops) => shops.list)
