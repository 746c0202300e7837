import { Clock, Effect, Option } from "effect"
import { NotFound } from "../../model/Errors.ts"
import { format } from "../../model/Instant.ts"
import { quoteId } from "../../model/json/Json.ts"
import * as Order from "../../model/orders/Order.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { WireForm } from "../../model/WireForm.ts"
import { OrderStore, type OrderWithDesigns } from "../../ports/OrderStore.ts"
import { StaleRevision } from "../../ports/StorageError.ts"
import * as OrderState from "../../rules/orders/OrderState.ts"
import { cancelling } from "../../support/Cancelling.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { findOrder, isOrderId, shopOf } from "../../support/ShopRecords.ts"

/**
 * Cancels an order with its designs in one change (§3, D3), which is the event `order.cancelled`. The total stays;
 * cancelling twice changes nothing.
 *
 * Returns the current order. The cancellation of an order that is not stored is kept for 24 hours and applied if the
 * order comes (D50). Then the result is a `KeptCancellation`, or `undefined` if the order came without custom items in
 * the last 24 hours.
 *
 * Fails with `NotFound` for an unknown shop or an id that no order can have, and with `Conflict` if the caller's
 * transaction lost a race with another change.
 */
export const cancelOrder = Effect.fn("CancelOrder.cancelOrder")(
  function* (shopId: string, id: string) {
    const shop = yield* shopOf(shopId)
    if (!isOrderId(id)) return yield* new NotFound({ message: `The shop has no order ${quoteId(id)}` })
    const found = yield* findOrder(shop.id, id)
    return yield* Option.match(found, {
      onNone: () => cancelUnstored(shop, id),
      onSome: (stored) => cancelStored(shop, stored),
    })
  },
  (effect) => retryStale(effect),
)

const cancelStored = Effect.fnUntraced(function* (shop: Shop, { designs, order }: OrderWithDesigns) {
  const { status } = Order.fromHead(order.head)
  if (OrderState.next(status, "cancel") === undefined) {
    return new WireForm<Order.Order>(Order.wire(order, designs), order.etag)
  }
  const cancelled = yield* cancelling({ shop, order, designs }, yield* Clock.currentTimeMillis)
  const next = { ...cancelled.order, revision: order.revision + 1 }
  const nextDesigns = cancelled.designs.map((design, index) =>
    design === designs[index] ? design : { ...design, revision: design.revision + 1 },
  )
  // Designs of lines that were gone before are cancelled already (D82).
  const changed = nextDesigns.filter((design, index) => design !== designs[index])
  yield* OrderStore.use((store) =>
    store.commit({ shop: shop.id, designs: changed, order: next, events: [cancelled.event] }),
  )
  return new WireForm<Order.Order>(Order.wire(next, nextDesigns), next.etag)
})

const cancelUnstored = Effect.fnUntraced(function* (shop: Shop, id: string) {
  const now = yield* Clock.currentTimeMillis
  const report = { shop: shop.id, id, isCancelled: true, isEmpty: false, until: now + OrderState.reportKept }
  const kept = Option.getOrUndefined(yield* OrderStore.use((store) => store.keepUnstored(report, now)))
  // The order has come in between.
  if (kept === undefined) return yield* new StaleRevision({ canRetry: true })
  if (kept.isEmpty) return undefined
  const keptUntil = format(kept.until)
  const message =
    `The shop has no order ${quoteId(id)} yet: the cancellation is kept until ${keptUntil}, ` +
    "and applied if the order comes before"
  return { message, keptUntil } satisfies Order.KeptCancellation
})
