import { Effect } from "effect"
import { reader } from "../model/Input.ts"
import { Shop, ShopInput } from "../model/Shop.ts"
import { ShopStore } from "../ports/ShopStore.ts"

const read = reader(ShopInput)
const check = reader(Shop)

/** Makes a shop or replaces its settings. Fails with `InvalidInput`. */
export const putShop = Effect.fn("ManageShops.putShop")(function* (id: string, input: unknown) {
  const settings = yield* Effect.fromResult(read(input))
  const shop = yield* Effect.fromResult(
    check({ ...settings, id, plan: settings.plan ?? "pro", roundingStep: settings.roundingStep ?? 1 }),
  )
  yield* (yield* ShopStore).put(shop)
  return shop
})

/** All shops, by id. */
export const listShops = ShopStore.use((shops) => shops.list)
