import type { DeliveryRecord } from "../../model/webhooks/Delivery.ts"
import type { AttemptsSpan, DeliveryFilter } from "../../model/webhooks/LoggedDelivery.ts"

/** Whether a filter selects a delivery. */
export const isSelected = (
  delivery: Pick<DeliveryRecord, "endpointId" | "status" | "event" | "test" | "createdAt" | "attempts">,
  { attempts, endpoint, from, kind, status, test, until }: DeliveryFilter,
): boolean =>
  (endpoint === undefined || delivery.endpointId === endpoint) &&
  (status === undefined || delivery.status === status) &&
  (kind === undefined || delivery.event === kind) &&
  (test === undefined || delivery.test === test) &&
  (from === undefined || delivery.createdAt >= from) &&
  (until === undefined || delivery.createdAt < until) &&
  (attempts === undefined || wasAttempted(delivery, attempts))

/** Each attempt has failed but the last of a delivery that succeeded. */
const wasAttempted = (
  { attempts, status }: Pick<DeliveryRecord, "attempts" | "status">,
  { failed, from, until }: AttemptsSpan,
): boolean =>
  (failed && status === "succeeded" ? attempts.slice(0, -1) : attempts).some(({ at }) => at >= from && at < until)
