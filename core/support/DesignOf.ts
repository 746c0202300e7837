import { Effect, Schema } from "effect"
import { NotFound } from "../model/Errors.ts"
import { DesignId } from "../model/Ids.ts"
import { quoteId } from "../model/json/Json.ts"
import { OrderStore } from "../ports/OrderStore.ts"
import { shopOf } from "./ShopOf.ts"

const isDesignId = Schema.is(DesignId)

/** A design and its shop. Fails with `NotFound` if either does not exist. */
export const designOf = Effect.fnUntraced(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const [design] = isDesignId(id) ? yield* OrderStore.use((orders) => orders.designs(shop.id, [id])) : []
  if (design === undefined) return yield* new NotFound({ message: `The shop has no design ${quoteId(id)}` })
  return { shop, design }
})
