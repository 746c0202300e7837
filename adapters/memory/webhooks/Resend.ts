import type { DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import type { ResendFilter } from "../../../core/model/webhooks/Resend.ts"
import type { ResendStep, ResendStepDone, Trial, TrialOutcome } from "../../../core/ports/DeliveryQueue.ts"
import {
  inLogOrder,
  maySend,
  pendingDelivery,
  recoveredId,
  resentFor,
} from "../../../core/rules/webhooks/DeliveryState.ts"
import { addEntry } from "../audit/Audit.ts"
import type { EndpointQueue, State } from "../State.ts"
import { addDelivery, dueAt, endpointOf, isBehind, queueOfEndpoint, settleDelivery } from "./EndpointQueue.ts"
import { wakeWorkers } from "./Signals.ts"

/** The deliveries that a run would send again, oldest first. */
export const resendable = (queue: EndpointQueue, filter: ResendFilter, run: string | null) => {
  const ofEvents = Map.groupBy(
    Array.from(queue.all.values(), ({ record }) => record),
    ({ eventId }) => eventId,
  )
  return [...ofEvents.values()].flatMap((own) => resentFor(own, filter, run) ?? []).sort(inLogOrder)
}

/** Takes a step of `DeliveryQueue.resend`. */
export const resend = (state: State, step: ResendStep): ResendStepDone => {
  const { after, audited, endpointId, filter, limit, now, run, shop } = step
  const queue = queueOfEndpoint(state, shop, endpointId)
  if (queue === undefined) return { sent: 0, added: 0, after: null }
  const left = resendable(queue, filter, run).filter((one) => after === null || inLogOrder(after, one) < 0)
  const found = left.slice(0, limit)
  const idOf = ({ eventId }: DeliveryRecord) => recoveredId(run, eventId)
  const added = found.filter((one) => !queue.all.has(idOf(one)))
  for (const one of added) {
    const event = { id: one.eventId, event: one.event, test: one.test }
    addDelivery(state, queue, pendingDelivery(idOf(one), event, { shop, id: endpointId }, now))
  }
  if (added.length > 0) addEntry(state, audited?.(added.length))
  if (added.length > 0) wakeWorkers(state, [shop])
  const last = left.length > limit ? found.at(-1) : undefined
  return {
    sent: found.length,
    added: added.length,
    after: last === undefined ? null : { createdAt: last.createdAt, id: last.id },
  }
}

/** Makes a pending delivery due (`DeliveryQueue.tryNow`). */
export const tryNow = (state: State, { audit, endpointId, id, now, shop }: Trial): TrialOutcome => {
  const queue = queueOfEndpoint(state, shop, endpointId)
  const delivery = queue?.all.get(id)
  const endpoint = queue === undefined ? undefined : endpointOf(state, queue)
  const owner = state.shops.get(shop)
  if (queue === undefined || delivery === undefined || endpoint === undefined || owner === undefined) return "unknown"
  const { record } = delivery
  if (record.status !== "pending") return "finished"
  if (delivery.leasedUntil > now) return "under_way"
  if (isBehind(queue, delivery)) return "behind"
  if (!maySend(record, endpoint, owner)) return "suspended"
  if (dueAt(delivery) > now) settleDelivery(state, queue, delivery, { ...record, nextAttemptAt: now })
  addEntry(state, audit)
  wakeWorkers(state, [shop])
  return "due"
}
