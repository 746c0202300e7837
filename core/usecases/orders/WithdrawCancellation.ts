import { Effect, Option } from "effect"
import { Conflict, NotFound } from "../../model/Errors.ts"
import { quoteId } from "../../model/json/Json.ts"
import * as Order from "../../model/orders/Order.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { findOrder, isOrderId, shopOf } from "../../support/ShopRecords.ts"

/**
 * Takes back the kept cancellation of an order that has not come (D50): when it comes, it is placed and not cancelled.
 * Also one of the shop's platform, which has no end. Taking it back twice changes nothing.
 *
 * Returns whether there was one. Fails with `NotFound` for an unknown shop or an id that no order can have, and with
 * `Conflict` if the order has come and was cancelled, which is final.
 */
export const withdrawCancellation = Effect.fn("WithdrawCancellation.withdraw")(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  if (!isOrderId(id)) return yield* new NotFound({ message: `The shop has no order ${quoteId(id)}` })
  const occasion = yield* newOccasion
  const audit = AuditRules.done(occasion, shop.id, "order.cancellation_withdrawn", { type: "order", id })
  const reason = "The cancellation was taken back"
  const withdrawal = { shop: shop.id, id, reason, now: occasion.at, audit }
  const isWithdrawn = yield* OrderStore.use((store) => store.withdrawCancellation(withdrawal))
  if (isWithdrawn) yield* logEntry(audit)
  // Read afterwards: it may have come at the same time.
  const found = Option.getOrUndefined(isWithdrawn ? Option.none() : yield* findOrder(shop.id, id))
  if (found !== undefined && Order.fromHead(found.order.head).status === "cancelled") {
    return yield* new Conflict({ message: `The order ${quoteId(id)} was cancelled, which is final` })
  }
  return isWithdrawn
})
