import { Effect } from "effect"
import type { DeliveryRecord } from "../../core/model/Delivery.ts"
import type { Instant } from "../../core/model/Instant.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { newestFirst, openQueues } from "./EndpointQueue.ts"
import type { EndpointQueue, ShopState, State } from "./State.ts"

/** Clears the deliveries and events in memory, and counts them. */
export const make = (state: State): Upkeep["Service"] =>
  Upkeep.of({
    prune: (keep, eventsBefore) =>
      Effect.sync(() => {
        for (const holdings of state.holdings.values()) pruneShop(holdings, keep, eventsBefore)
      }),

    statistics: (now) =>
      Effect.sync(() => {
        let pending = 0
        let oldestDue: Instant | null = null
        for (const queue of state.turns) {
          pending += queue.waiting.length + queue.waitingTests.length
          for (const { availableAt, record } of openQueues(state, queue).flat()) {
            if (availableAt > now || record.nextAttemptAt === null) continue
            oldestDue = Math.min(record.nextAttemptAt, oldestDue ?? record.nextAttemptAt)
          }
        }
        const endpoints = [...state.holdings.values()].flatMap((holdings) => [...holdings.endpoints.values()])
        const endpointsSwitchedOff = endpoints.filter(({ status }) => status === "switched_off").length
        return { pending, oldestDue, endpointsSwitchedOff }
      }),
  })

const pruneShop = ({ events, queues }: ShopState, keep: number, eventsBefore: Instant): void => {
  const beyond: Array<readonly [EndpointQueue, DeliveryRecord]> = []
  /** Events with a delivery that stays. */
  const kept = new Set<string>()
  for (const queue of queues.values()) {
    for (const [index, delivery] of newestFirst(queue).entries()) {
      const { record } = delivery
      if (index < keep || record.status === "pending") kept.add(record.eventId)
      else {
        delivery.record = { ...record, attempts: [] }
        beyond.push([queue, record])
      }
    }
  }
  for (const event of events.values()) {
    if (event.createdAt < eventsBefore && !kept.has(event.id)) events.delete(event.id)
  }
  for (const [queue, record] of beyond) if (!events.has(record.eventId)) queue.all.delete(record.id)
}
