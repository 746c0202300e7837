import { Effect, Option } from "effect"
import type { Design } from "../model/Design.ts"
import { NotFound } from "../model/Errors.ts"
import { WireForm } from "../model/WireForm.ts"
import { OrderStore } from "../ports/OrderStore.ts"

/** A design of the shop, drafts included (§4). Fails with `NotFound`. */
export const readDesign = Effect.fnUntraced(function* (shop: string, id: string) {
  const found = yield* OrderStore.use((orders) => orders.readDesign(shop, id))
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such design" })
  return new WireForm<Design>(found.value.wire, found.value.etag)
})
