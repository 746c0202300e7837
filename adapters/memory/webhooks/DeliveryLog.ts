import { Effect, Option } from "effect"
import { compareIds } from "../../../core/model/Ids.ts"
import type { DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import type { DeliveryPlace } from "../../../core/model/webhooks/LoggedDelivery.ts"
import { DeliveryLog } from "../../../core/ports/DeliveryLog.ts"
import { fitting } from "../Fitting.ts"
import type { State } from "../State.ts"
import { newestFirst, queueOfEndpoint, queuesOf } from "./EndpointQueue.ts"
import { missedEvents } from "./Missed.ts"
import { resendable } from "./Resend.ts"

const isAfter = ({ createdAt, id }: DeliveryRecord, { at, id: last }: DeliveryPlace): boolean =>
  createdAt < at || (createdAt === at && compareIds(id, last) < 0)

/** The log of deliveries in memory. */
export const make = (state: State): DeliveryLog["Service"] =>
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
      Effect.sync(() => {
        const delivery = queueOfEndpoint(state, shop, endpointId)?.all.get(id)?.record
        const event = delivery === undefined ? undefined : state.holdings.get(shop)?.events.get(delivery.eventId)
        return delivery === undefined || event === undefined
          ? Option.none()
          : Option.some({ delivery, body: event.body })
      }),

    attempts: (shop, { from, until }) =>
      Effect.sync(() =>
        queuesOf(state, shop).flatMap(({ counts, endpointId }) =>
          [...counts].flatMap(([hour, own]) => (from <= hour && hour < until ? [{ endpointId, hour, ...own }] : [])),
        ),
      ),

    waiting: (shop) =>
      Effect.sync(() =>
        queuesOf(state, shop).map((queue) => ({
          endpointId: queue.endpointId,
          pending: queue.pending.length + queue.pendingTests.length,
          latest: newestFirst(queue)[0]?.record.createdAt ?? null,
        })),
      ),

    missed: (shop, endpointId, since) => Effect.sync(() => missedEvents(state, shop, endpointId, since).length),

    resendable: (shop, endpointId, filter) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, shop, endpointId)
        return queue === undefined ? 0 : resendable(queue, filter, null).length
      }),
  })
