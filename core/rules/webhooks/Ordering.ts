/** The order of deliveries of an endpoint that asks for one (D53). */

import type { Subject } from "../../model/events/Event.ts"
import type { DeliveryRecord } from "../../model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"

/** The object of an event: its order, or else its design; `null` if it is about neither. */
export const objectOf = ({ design, order }: Subject): string | null => {
  if (order !== null) return `order ${order}`
  return design === null ? null : `design ${design}`
}

/**
 * The object in whose line a delivery stands: of a line at most one delivery, the front, can be claimed, and the next
 * one becomes the front once that one is not pending. `null` if the delivery waits for no other. Tests never do.
 */
export const lineOf = (
  { test }: Pick<DeliveryRecord, "test">,
  { options }: Pick<EndpointRecord, "options">,
  subject: Subject,
): string | null => (options.ordering === "none" || test ? null : objectOf(subject))
