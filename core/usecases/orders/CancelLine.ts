import { Clock, Effect, Option } from "effect"
import { NotFound } from "../../model/Errors.ts"
import { quoteId } from "../../model/json/Json.ts"
import * as Order from "../../model/orders/Order.ts"
import { linesOf, type OrderLines } from "../../model/orders/OrderLine.ts"
import { WireForm } from "../../model/WireForm.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { leaving, unchanged } from "../../support/Relining.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { orderOf } from "../../support/ShopRecords.ts"

/**
 * Cancels a line of an order: its design is cancelled, which is the event `design.cancelled`, and the order holds while
 * it has another design that is ordered; with the last one it is cancelled (D82). If the design is on other lines with
 * pieces, too, it stays, and this line has no pieces from then on. The total stays; cancelling twice changes nothing.
 *
 * Returns the current order. Fails with `NotFound` for an unknown shop, order or line, and with `Conflict` if the
 * caller's transaction lost a race with another change.
 */
export const cancelLine = Effect.fn("CancelLine.cancelLine")(
  function* (shopId: string, id: string, lineItemId: string) {
    const { designs, order, shop } = yield* orderOf(shopId, id)
    const store = yield* OrderStore
    const stored = Option.getOrUndefined(yield* store.orderLines(shop.id, order.id))
    const lines = linesOf(designs, stored)
    const named = lines.filter((each) => each.lineItemId === lineItemId)
    // A line that had another design before has it still, with no pieces.
    const line = named.find(({ quantity }) => quantity > 0) ?? named[0]
    if (line === undefined) {
      const message = `The order ${quoteId(id)} has no line ${quoteId(lineItemId)} with a design`
      return yield* new NotFound({ message })
    }
    const design = designs.find((each) => each.id === line.designId)
    const others = lines.filter((each) => each.designId === line.designId && each !== line && each.quantity > 0)
    if (design?.status !== "ordered" || line.quantity === 0) {
      return new WireForm<Order.Order>(Order.wire(order, designs), order.etag)
    }
    const isLast = others.length === 0
    // Of the last line the quantity stays: that it was cancelled here is what keeps it from being placed again.
    const after: OrderLines | undefined = isLast
      ? undefined
      : {
          ...{ order: order.id, parent: stored?.parent ?? null },
          lines: lines.map((each) => (each === line ? { ...each, quantity: 0 } : each)),
        }
    const now = yield* Clock.currentTimeMillis
    // Quantities don't change whether a design stays.
    const { all, ...change } = isLast
      ? yield* leaving(shop, unchanged({ order, designs }), { gone: [line.designId], now })
      : unchanged({ order, designs })
    yield* store.commit({ ...change, ...(after === undefined ? {} : { lines: after }) })
    return new WireForm<Order.Order>(Order.wire(change.order, all), change.order.etag)
  },
  (effect) => retryStale(effect),
)
