/** Cancels an order together with its designs (§3, D3). */
import { Effect } from "effect"
import { changeWire, type DesignRecord } from "../model/catalog/Design.ts"
import { designData, orderData } from "../model/events/Event.ts"
import type { Instant } from "../model/Instant.ts"
import * as Order from "../model/orders/Order.ts"
import type { Shop } from "../model/shops/Shop.ts"
import * as DesignState from "../rules/catalog/DesignState.ts"
import { etagOf } from "./Etag.ts"
import { newEvent } from "./Tracing.ts"

/** A placed order and all its designs. */
interface Placed {
  readonly shop: Shop
  readonly order: Order.OrderRecord
  readonly designs: ReadonlyArray<DesignRecord>
}

/** An order's records as they are when it is cancelled, with the revisions that they had, and the event. */
export const cancelling = Effect.fnUntraced(function* ({ designs, order, shop }: Placed, now: Instant) {
  const cancelled = yield* Effect.forEach(designs, cancel)
  const head = Order.wireHead({ ...Order.fromHead(order.head), status: "cancelled" })
  const wire = Order.wire({ head }, cancelled)
  const subject = { order: order.id, design: null }
  const event = yield* newEvent(shop, { event: "order.cancelled", data: orderData(wire), now, subject })
  return { order: { ...order, head, etag: yield* etagOf(wire) }, designs: cancelled, event }
})

/** A design after its cancellation, with the revision that it had. A cancelled one stays as it is (D82). */
export const cancel = Effect.fnUntraced(function* (record: DesignRecord) {
  const status = DesignState.next(record.status, "cancel")
  if (status === undefined) return record
  const text = changeWire(record.wire, { status })
  return { ...record, status, wire: text, etag: yield* etagOf(text) }
})

/** The event of a design whose line is gone, while its order holds (D82). */
export const designCancelled = (shop: Shop, { id, orderId, wire }: DesignRecord, now: Instant) =>
  newEvent(shop, {
    event: "design.cancelled",
    data: designData(wire),
    now,
    subject: { order: orderId, design: id },
  })
