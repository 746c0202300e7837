import { Effect, Option } from "effect"
import { compareIds } from "../../../core/model/Ids.ts"
import { sum } from "../../../core/model/webhooks/AttemptCounts.ts"
import type { Attempt, DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import type { DeliveryPlace } from "../../../core/model/webhooks/LoggedDelivery.ts"
import { DeliveryLog, recentAttempts } from "../../../core/ports/DeliveryLog.ts"
import { fitting } from "../Fitting.ts"
import type { State } from "../State.ts"
import { findDelivery, pageOfDeliveries } from "./DeliveryPages.ts"
import { newestFirst, queueOfEndpoint, queuesOf } from "./EndpointQueue.ts"
import { missedEvents } from "./Missed.ts"
import { resendable } from "./Resend.ts"

const isAfter = ({ createdAt, id }: DeliveryRecord, { at, id: last }: DeliveryPlace): boolean =>
  createdAt < at || (createdAt === at && compareIds(id, last) < 0)

/** `Waiting.recent`, from deliveries the newest first. */
const recentOf = (records: ReadonlyArray<DeliveryRecord>): ReadonlyArray<Attempt> => {
  const retried = records
    .filter(({ attempts, status }) => status === "pending" && attempts.length > 0)
    .toSorted((one, other) => (other.nextAttemptAt ?? 0) - (one.nextAttemptAt ?? 0) || compareIds(other.id, one.id))
  const looked = new Set([...records.slice(0, recentAttempts), ...retried.slice(0, recentAttempts)])
  return [...looked]
    .toSorted((one, other) => compareIds(other.id, one.id))
    .flatMap(({ attempts, test }) => (test ? [] : attempts.toReversed()))
    .toSorted((one, other) => other.at - one.at)
    .slice(0, recentAttempts)
    .map((attempt) => ({ ...attempt, responseStart: attempt.responseStart?.slice(0, 100) ?? null }))
}

/** The log of deliveries in memory. */
export const makeDeliveryLog = (state: State): DeliveryLog["Service"] =>
  DeliveryLog.of({
    list: (shop, endpointId, limit, part) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, shop, endpointId)
        const records = queue === undefined ? [] : newestFirst(queue).map(({ record }) => record)
        const after = part?.after ?? null
        const rest = after === null ? records : records.filter((record) => isAfter(record, after))
        return fitting(rest.slice(0, limit), part?.bytes)
      }),

    find: (shop, endpointId, id) =>
      Effect.sync(() => Option.fromUndefinedOr(findDelivery(state, shop, endpointId, id))),

    page: (query) => Effect.sync(() => pageOfDeliveries(state, query)),

    activity: (shop, { from, step, until }) =>
      Effect.sync(() =>
        queuesOf(state, shop).map((queue) => ({
          endpointId: queue.endpointId,
          pending: queue.pending.length + queue.pendingTests.length,
          recent: recentOf(newestFirst(queue).map(({ record }) => record)),
          steps: [
            ...Map.groupBy(
              [...queue.counts].filter(([hour]) => from <= hour && hour < until),
              ([hour]) => hour - ((hour - from) % step),
            ),
          ].map(([at, counts]) => ({ at, ...sum(counts.map(([, each]) => each)) })),
        })),
      ),

    spellings: ({ id, of, shop }) =>
      Effect.sync(() => {
        const holdings = state.holdings.get(shop)
        const events = [...(holdings?.events.values() ?? [])]
        const ids = {
          design: () => [...(holdings?.designs.keys() ?? []), ...events.flatMap(({ subject }) => subject.design ?? [])],
          event: () => events.map((event) => event.id),
          delivery: () => queuesOf(state, shop).flatMap(({ all }) => [...all.keys()]),
        }
        const same = ids[of]().filter((one) => one.toLowerCase() === id.toLowerCase())
        return [...new Set(same)].sort(compareIds)
      }),

    missed: (shop, endpointId, since) => Effect.sync(() => missedEvents(state, shop, endpointId, since).length),

    resendable: (shop, endpointId, filter) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, shop, endpointId)
        return queue === undefined ? 0 : resendable(queue, filter, null).length
      }),
  })
