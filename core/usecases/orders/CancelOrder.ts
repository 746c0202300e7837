import { Clock, Effect } from "effect"
import { changeWire, type DesignRecord } from "../../model/Design.ts"
import { eventOf, orderData } from "../../model/Event.ts"
import * as Order from "../../model/Order.ts"
import { WireForm } from "../../model/WireForm.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import * as DesignState from "../../rules/DesignState.ts"
import * as OrderState from "../../rules/OrderState.ts"
import { etagOf } from "../../support/Etag.ts"
import { newId } from "../../support/NewId.ts"
import { orderOf } from "../../support/OrderOf.ts"
import { retryStale } from "../../support/RetryStale.ts"

/**
 * Cancels an order with its designs in one change (§3, D3), which is the event `order.cancelled`. The total stays;
 * cancelling twice changes nothing.
 *
 * Returns the current order. Fails with `NotFound`, and with `Conflict` if the caller's transaction lost a race with
 * another change.
 */
export const cancelOrder = Effect.fn("CancelOrder.cancelOrder")(
  function* (shopId: string, id: string) {
    const { designs, order, shop } = yield* orderOf(shopId, id)
    const before = Order.fromHead(order.head)
    const status = OrderState.next(before.status, "cancel")
    if (status === undefined) return new WireForm<Order.Order>(Order.wire(order, designs), order.etag)

    const cancelled = yield* Effect.forEach(designs, cancel)
    const head = Order.wireHead({ ...before, status })
    const record: Order.OrderRecord = {
      ...order,
      head,
      etag: yield* etagOf(Order.wire({ head }, cancelled)),
      revision: order.revision + 1,
    }
    const wire = Order.wire(record, cancelled)
    const now = yield* Clock.currentTimeMillis
    const event = eventOf(shop, { id: yield* newId("evt_"), event: "order.cancelled", data: orderData(wire), now })
    yield* OrderStore.use((store) =>
      store.commit({ shop: shop.id, designs: cancelled, order: record, events: [event] }),
    )
    return new WireForm<Order.Order>(wire, record.etag)
  },
  (effect) => retryStale(effect),
)

const cancel = Effect.fnUntraced(function* (record: DesignRecord) {
  const status = DesignState.next(record.status, "cancel")
  if (status === undefined) return yield* Effect.die(new Error(`A design of a live order is ${record.status}`))
  const text = changeWire(record.wire, { status })
  return { ...record, status, wire: text, etag: yield* etagOf(text), revision: record.revision + 1 }
})
