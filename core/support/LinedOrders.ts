import { Effect } from "effect"
import type { Order } from "../model/orders/Order.ts"
import { type LineOfOrder, linesOf } from "../model/orders/OrderLine.ts"
import type { OrderStore } from "../ports/OrderStore.ts"

/** An order and its lines. */
export interface LinedOrder {
  readonly order: Order
  readonly lines: ReadonlyArray<LineOfOrder>
}

/** The orders that wire forms stand for, in their order, each with its lines (D81). */
export const linedOrders = Effect.fnUntraced(function* (
  store: OrderStore["Service"],
  shop: string,
  wires: ReadonlyArray<string>,
) {
  const orders = wires.map((text) => JSON.parse(text) as Order)
  const ids = orders.map(({ id }) => id)
  const stored = new Map((yield* store.linesOf(shop, ids)).map((lines) => [lines.order, lines]))
  return orders.map((order): LinedOrder => {
    const statuses = new Map(order.designs.map(({ id, status }) => [id, status]))
    const lines = linesOf(order.designs, stored.get(order.id)).map(
      ({ copyOf, designId, lineItemId, quantity }): LineOfOrder => ({
        ...{ lineItemId, designId, copyOf, quantity },
        status: statuses.get(designId) ?? "ordered",
      }),
    )
    return { order, lines }
  })
})
