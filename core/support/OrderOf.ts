import { Effect, Option, Schema } from "effect"
import { NotFound } from "../model/Errors.ts"
import { OrderId } from "../model/Ids.ts"
import { quoteId } from "../model/json/Json.ts"
import { OrderStore } from "../ports/OrderStore.ts"
import { shopOf } from "./ShopOf.ts"

/** Whether an order can have this id. */
export const isOrderId = Schema.is(OrderId)

/** An order with its designs; none if the shop does not have it. */
export const findOrder = (shop: string, id: string) =>
  isOrderId(id) ? OrderStore.use((orders) => orders.order(shop, id)) : Effect.succeedNone

/** An order with its designs, and its shop. Fails with `NotFound` if either does not exist. */
export const orderOf = Effect.fnUntraced(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const found = yield* findOrder(shop.id, id)
  if (Option.isNone(found)) return yield* new NotFound({ message: `The shop has no order ${quoteId(id)}` })
  return { shop, ...found.value }
})
