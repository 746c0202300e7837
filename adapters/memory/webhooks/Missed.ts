import type { EventRecord } from "../../../core/model/events/Event.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import type { DeliveryStatus } from "../../../core/model/webhooks/Delivery.ts"
import { hasMissed } from "../../../core/rules/webhooks/DeliveryState.ts"
import type { State } from "../State.ts"

/** Stored events since an instant that an endpoint has missed. */
export const missedEvents = (
  state: State,
  shop: string,
  endpointId: string,
  since: Instant,
): ReadonlyArray<EventRecord> => {
  const holdings = state.holdings.get(shop)
  const endpoint = holdings?.endpoints.get(endpointId)
  const queue = holdings?.queues.get(endpointId)
  if (holdings === undefined || endpoint === undefined || queue === undefined) return []
  const statuses = new Map<string, Array<DeliveryStatus>>()
  for (const id of queue.received) statuses.set(id, ["succeeded"])
  for (const { record } of queue.all.values()) {
    const known = statuses.get(record.eventId)
    if (known === undefined) statuses.set(record.eventId, [record.status])
    else known.push(record.status)
  }
  return [...holdings.events.values()].filter(
    (event) => event.createdAt >= since && hasMissed(event, endpoint, statuses.get(event.id) ?? []),
  )
}
