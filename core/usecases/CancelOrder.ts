import { Clock, Effect, Option, Schema } from "effect"
import { changeWire, type DesignRecord } from "../model/Design.ts"
import { NotFound } from "../model/Errors.ts"
import { eventOf, orderData } from "../model/Event.ts"
import { OrderId } from "../model/Ids.ts"
import { quoteId } from "../model/Json.ts"
import * as Order from "../model/Order.ts"
import { WireForm } from "../model/WireForm.ts"
import { OrderStore } from "../ports/OrderStore.ts"
import * as DesignState from "../rules/DesignState.ts"
import * as OrderState from "../rules/OrderState.ts"
import { etagOf } from "../support/Etag.ts"
import { newId } from "../support/NewId.ts"
import { retryStale } from "../support/RetryStale.ts"
import { shopOf } from "../support/ShopOf.ts"

const isOrderId = Schema.is(OrderId)

/**
 * Cancels an order and with it its designs, in one change (§3, D3). `order.cancelled` happens. Its total stays; cancelling twice changes nothing.
 * Answers the order as it is now. Fails with `NotFound`, and within a transaction of the caller's with `Conflict` where another change came between.
 */
export const cancelOrder = Effect.fn("CancelOrder.cancelOrder")(
  function* (shopId: string, id: string) {
    const shop = yield* shopOf(shopId)
    const store = yield* OrderStore
    const found = isOrderId(id) ? yield* store.order(shop.id, id) : Option.none()
    if (Option.isNone(found)) return yield* new NotFound({ message: `The shop has no order ${quoteId(id)}` })
    const { designs, order } = found.value
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
    yield* store.commit({ shop: shop.id, designs: cancelled, order: record, events: [event] })
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
