import { Effect, Option } from "effect"
import { shopOf } from "../../../core/support/ShopOf.ts"
import { listShops } from "../../../core/usecases/ManageShops.ts"
import { configError } from "../ReadConfig.ts"

/** The id of the named shop, or of the only one. */
export const shopNamed = Effect.fnUntraced(function* (named: Option.Option<string>) {
  if (Option.isSome(named)) return (yield* shopOf(named.value)).id
  const shops = yield* listShops
  const [only, another] = shops
  if (only === undefined) return yield* configError("There is no shop yet: put one first, with the management API")
  if (another !== undefined) return yield* configError(`There are ${shops.length} shops: name one with --shop`)
  return only.id
})
