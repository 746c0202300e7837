import { Effect, Option } from "effect"
import { type EventRecord, noSubject } from "../../../core/model/events/Event.ts"
import { compareIds } from "../../../core/model/Ids.ts"
import type { DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import type {
  DeliveryPage,
  DeliveryPlace,
  EventsAbout,
  FoundEvent,
  LoggedDelivery,
} from "../../../core/model/webhooks/LoggedDelivery.ts"
import { DeliverySearch } from "../../../core/ports/DeliverySearch.ts"
import { isSelected } from "../../../core/rules/webhooks/DeliveryFilters.ts"
import type { State } from "../State.ts"
import { isBehind, queuesOf } from "./EndpointQueue.ts"

/** Deliveries and events in memory, as pages show them. */
export const make = (state: State): DeliverySearch["Service"] => {
  const all = (shop: string): ReadonlyArray<LoggedDelivery> =>
    queuesOf(state, shop).flatMap((queue) =>
      [...queue.all.values()].map((delivery) => {
        const { attempts, ...record } = delivery.record
        return {
          ...record,
          claimedUntil: delivery.token === null ? null : delivery.leasedUntil,
          isBehind: isBehind(queue, delivery),
          attempts: attempts.length,
          lastAttempt: attempts.at(-1) ?? null,
          subject: state.holdings.get(shop)?.events.get(record.eventId)?.subject ?? noSubject,
        }
      }),
    )
  const eventsOf = (shop: string): ReadonlyArray<EventRecord> => [...(state.holdings.get(shop)?.events.values() ?? [])]

  return DeliverySearch.of({
    page: ({ filter, shop, ...part }) =>
      Effect.sync(() =>
        pageOf(
          all(shop).filter((delivery) => isSelected(delivery, filter)),
          newestFirst,
          part,
        ),
      ),

    pending: ({ endpoint, shop, ...part }) =>
      Effect.sync(() =>
        pageOf(
          all(shop).filter((delivery) => isSelected(delivery, { endpoint, status: "pending" })),
          firstDue,
          part,
        ),
      ),

    ofEvents: ({ events, shop, ...part }) =>
      Effect.sync(() =>
        pageOf(
          all(shop).filter(({ eventId }) => events.includes(eventId)),
          newestFirst,
          part,
        ),
      ),

    find: (shop, id) => Effect.sync(() => Option.fromUndefinedOr(all(shop).find((delivery) => delivery.id === id))),

    events: ({ about, limit, shop }) =>
      Effect.sync(() =>
        eventsOf(shop)
          .filter((event) => isAbout(event, about))
          .map(({ body: _, ...event }): FoundEvent => event)
          .sort((left, right) => right.createdAt - left.createdAt || compareIds(right.id, left.id))
          .slice(0, limit),
      ),

    spellings: ({ id, of, shop }) =>
      Effect.sync(() => {
        const ids = {
          design: () => [
            ...(state.holdings.get(shop)?.designs.keys() ?? []),
            ...eventsOf(shop).flatMap(({ subject }) => subject.design ?? []),
          ],
          event: () => eventsOf(shop).map((event) => event.id),
          delivery: () => all(shop).map((delivery) => delivery.id),
        }
        const same = ids[of]().filter((one) => one.toLowerCase() === id.toLowerCase())
        return [...new Set(same)].sort(compareIds)
      }),
  })
}

const isAbout = ({ id, subject }: EventRecord, about: EventsAbout): boolean => {
  if ("event" in about) return id === about.event
  return "order" in about ? subject.order === about.order : subject.design === about.design
}

/** An order of deliveries: the place of each, and how places compare. */
interface Order {
  readonly placeOf: (delivery: Omit<DeliveryRecord, "attempts">) => DeliveryPlace
  readonly compare: (left: DeliveryPlace, right: DeliveryPlace) => number
}

const ascending = (left: DeliveryPlace, right: DeliveryPlace): number =>
  left.at - right.at || compareIds(left.id, right.id)

const newestFirst: Order = {
  placeOf: ({ createdAt, id }) => ({ at: createdAt, id }),
  compare: (left, right) => ascending(right, left),
}

const firstDue: Order = {
  placeOf: ({ createdAt, id, nextAttemptAt }) => ({ at: nextAttemptAt ?? createdAt, id }),
  compare: ascending,
}

const pageOf = (
  all: ReadonlyArray<LoggedDelivery>,
  { compare, placeOf }: Order,
  { after, limit }: { readonly after: DeliveryPlace | null; readonly limit: number },
): DeliveryPage => {
  const following = all
    .filter((delivery) => after === null || compare(placeOf(delivery), after) > 0)
    .sort((left, right) => compare(placeOf(left), placeOf(right)))
  const deliveries = following.slice(0, limit)
  const last = deliveries.at(-1)
  return { deliveries, next: last === undefined || following.length <= limit ? null : placeOf(last) }
}
