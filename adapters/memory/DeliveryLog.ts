import { Effect, Option } from "effect"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { activity } from "./Activity.ts"
import { newestFirst, queueOfEndpoint, queuesOf } from "./EndpointQueue.ts"
import { missedEvents } from "./Missed.ts"
import type { State } from "./State.ts"

/** The log of deliveries in memory. */
export const make = (state: State): DeliveryLog["Service"] =>
  DeliveryLog.of({
    list: (shop, endpointId, limit) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, shop, endpointId)
        return queue === undefined
          ? []
          : newestFirst(queue)
              .slice(0, limit)
              .map(({ record }) => record)
      }),

    find: (shop, endpointId, id) =>
      Effect.sync(() => {
        const delivery = queueOfEndpoint(state, shop, endpointId)?.all.get(id)?.record
        const event = delivery === undefined ? undefined : state.holdings.get(shop)?.events.get(delivery.eventId)
        return delivery === undefined || event === undefined
          ? Option.none()
          : Option.some({ delivery, body: event.body })
      }),

    activity: (shop, span) => Effect.sync(() => activity(queuesOf(state, shop), span)),

    missed: (shop, endpointId, since) => Effect.sync(() => missedEvents(state, shop, endpointId, since).length),
  })
