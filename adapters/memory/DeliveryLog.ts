import { Effect, Option } from "effect"
import type { DeliveryRecord } from "../../core/model/Delivery.ts"
import { compareIds } from "../../core/model/Ids.ts"
import type { Instant } from "../../core/model/Instant.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { addDelivery, deliveryOf, laneOf, openQueues } from "./Lanes.ts"
import { wakeWorkers } from "./Signals.ts"
import type { DeliveryState, Lane, ShopState, State } from "./State.ts"

/** The log of deliveries in memory. */
export const make = (state: State): DeliveryLog["Service"] =>
  DeliveryLog.of({
    list: (shop, endpointId, limit) =>
      Effect.sync(() => {
        const lane = laneOf(state, shop, endpointId)
        return lane === undefined
          ? []
          : newestFirst(lane)
              .slice(0, limit)
              .map(({ record }) => record)
      }),

    find: (shop, endpointId, id) =>
      Effect.sync(() => {
        const delivery = laneOf(state, shop, endpointId)?.all.get(id)?.record
        const event = delivery === undefined ? undefined : state.holdings.get(shop)?.events.get(delivery.eventId)
        return delivery === undefined || event === undefined
          ? Option.none()
          : Option.some({ delivery, body: event.body })
      }),

    add: (delivery, event) =>
      Effect.sync(() => {
        const lane = laneOf(state, delivery.shop, delivery.endpointId)
        const events = state.holdings.get(delivery.shop)?.events
        if (lane === undefined || events === undefined) return
        if (event !== null) events.set(event.id, event)
        if (!events.has(delivery.eventId)) return
        addDelivery(state, lane, delivery)
        wakeWorkers(state)
      }),

    recover: (shop, endpointId, since, now, run) =>
      Effect.sync(() => {
        const holdings = state.holdings.get(shop)
        const endpoint = holdings?.endpoints.get(endpointId)
        const lane = holdings?.lanes.get(endpointId)
        if (holdings === undefined || endpoint === undefined || lane === undefined) return 0
        const records = [...lane.all.values()].map(({ record }) => record)
        const received = new Set(records.filter(({ status }) => status !== "failed").map(({ eventId }) => eventId))
        const kinds: ReadonlyArray<string> = endpoint.kinds
        const missed = [...holdings.events.values()].filter(
          (event) => !event.test && event.createdAt >= since && kinds.includes(event.event) && !received.has(event.id),
        )
        for (const event of missed) addDelivery(state, lane, deliveryOf(event, endpoint, now, run))
        if (missed.length > 0) wakeWorkers(state)
        return missed.length
      }),

    prune: (keep, eventsBefore) =>
      Effect.sync(() => {
        for (const holdings of state.holdings.values()) pruneShop(holdings, keep, eventsBefore)
      }),

    statistics: (now) =>
      Effect.sync(() => {
        let pending = 0
        let oldestDue: Instant | null = null
        for (const lane of state.turns) {
          pending += lane.waiting.length + lane.waitingTests.length
          for (const { availableAt, record } of openQueues(state, lane).flat()) {
            if (availableAt > now || record.nextAttemptAt === null) continue
            oldestDue = Math.min(record.nextAttemptAt, oldestDue ?? record.nextAttemptAt)
          }
        }
        const endpoints = [...state.holdings.values()].flatMap((holdings) => [...holdings.endpoints.values()])
        const endpointsSwitchedOff = endpoints.filter(({ status }) => status === "switched_off").length
        return { pending, oldestDue, endpointsSwitchedOff }
      }),
  })

const pruneShop = ({ events, lanes }: ShopState, keep: number, eventsBefore: Instant): void => {
  const beyond: Array<readonly [Lane, DeliveryRecord]> = []
  /** Events with a delivery that stays. */
  const kept = new Set<string>()
  for (const lane of lanes.values()) {
    for (const [index, delivery] of newestFirst(lane).entries()) {
      const { record } = delivery
      if (index < keep || record.status === "pending") kept.add(record.eventId)
      else {
        delivery.record = { ...record, attempts: [] }
        beyond.push([lane, record])
      }
    }
  }
  for (const event of events.values()) {
    if (event.createdAt < eventsBefore && !kept.has(event.id)) events.delete(event.id)
  }
  for (const [lane, record] of beyond) if (!events.has(record.eventId)) lane.all.delete(record.id)
}

const newestFirst = (lane: Lane): ReadonlyArray<DeliveryState> =>
  [...lane.all.values()].sort(
    ({ record: left }, { record: right }) => right.createdAt - left.createdAt || compareIds(right.id, left.id),
  )
