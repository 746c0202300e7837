import { Effect, Option } from "effect"
import { NotFound } from "../model/Errors.ts"
import { OrderStore } from "../ports/OrderStore.ts"

/** A design of the shop in its wire form, drafts included (§4). Fails with `NotFound`. */
export const readDesign = Effect.fnUntraced(function* (shop: string, id: string) {
  const found = yield* (yield* OrderStore).readDesign(shop, id)
  return Option.isSome(found) ? found.value : yield* new NotFound({ message: "There is no such design" })
})
