import type { OrderStatus } from "../model/Order.ts"

/** What can happen to an order. Placing it again adds designs to it. */
export type OrderTrigger = "place" | "cancel"

/** The rows of §3 for orders; what is not in it can't happen. `null` is an order that does not exist yet. */
export const transitions: ReadonlyArray<{
  readonly from: OrderStatus | null
  readonly trigger: OrderTrigger
  readonly to: OrderStatus
}> = [
  { from: null, trigger: "place", to: "ordered" },
  { from: "ordered", trigger: "place", to: "ordered" },
  { from: "ordered", trigger: "cancel", to: "cancelled" },
]

/** The status that an order has after a trigger, or `undefined` where the table has no row. */
export const next = (from: OrderStatus | null, trigger: OrderTrigger): OrderStatus | undefined =>
  transitions.find((row) => row.from === from && row.trigger === trigger)?.to
