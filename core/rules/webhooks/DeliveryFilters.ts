import type { DeliveryRecord } from "../../model/webhooks/Delivery.ts"
import type { DeliveryFilter } from "../../model/webhooks/LoggedDelivery.ts"

/** Whether a filter selects a delivery. */
export const isSelected = (
  delivery: Pick<DeliveryRecord, "endpointId" | "status" | "event" | "test" | "createdAt">,
  { endpoint, from, kind, status, test, until }: DeliveryFilter,
): boolean =>
  (endpoint === undefined || delivery.endpointId === endpoint) &&
  (status === undefined || delivery.status === status) &&
  (kind === undefined || delivery.event === kind) &&
  (test === undefined || delivery.test === test) &&
  (from === undefined || delivery.createdAt >= from) &&
  (until === undefined || delivery.createdAt < until)
