import type { Instant } from "../../model/Instant.ts"
import type { OrderStatus, UnstoredOrder } from "../../model/orders/Order.ts"

/** How long reports of an order that is not stored are kept (D50): 24 hours, in milliseconds. */
export const reportKept = 86_400_000

/** Whether an order that comes now was cancelled before (D50). */
export const isCancelledEarly = ({ isCancelled, until }: UnstoredOrder, now: Instant): boolean =>
  isCancelled && now < until

/** Triggers of an order. Placing it again adds designs. */
export type OrderTrigger = "place" | "cancel"

/** Transitions of §3 for orders; anything else is impossible. `null` is an order that does not exist yet. */
export const transitions: ReadonlyArray<{
  readonly from: OrderStatus | null
  readonly trigger: OrderTrigger
  readonly to: OrderStatus
}> = [
  { from: null, trigger: "place", to: "ordered" },
  { from: "ordered", trigger: "place", to: "ordered" },
  { from: "ordered", trigger: "cancel", to: "cancelled" },
]

/** Returns the status after a trigger, or `undefined` if the table has no such transition. */
export const next = (from: OrderStatus | null, trigger: OrderTrigger): OrderStatus | undefined =>
  transitions.find((row) => row.from === from && row.trigger === trigger)?.to
