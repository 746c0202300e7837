import { Effect, Option, Schema } from "effect"
import type { Design } from "../../model/catalog/Design.ts"
import { NotFound } from "../../model/Errors.ts"
import { DesignId } from "../../model/Ids.ts"
import { WireForm } from "../../model/WireForm.ts"
import { OrderStore } from "../../ports/OrderStore.ts"

const isDesignId = Schema.is(DesignId)

/** Reads a design of the shop, drafts included (§4). Fails with `NotFound`. */
export const readDesign = Effect.fnUntraced(function* (shop: string, id: string) {
  const found = isDesignId(id) ? yield* OrderStore.use((orders) => orders.readDesign(shop, id)) : Option.none()
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such design" })
  return new WireForm<Design>(found.value.wire, found.value.etag)
})
