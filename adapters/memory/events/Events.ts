import { Effect } from "effect"
import type { EventRecord } from "../../../core/model/events/Event.ts"
import { compareIds } from "../../../core/model/Ids.ts"
import type { EventsAbout, FoundEvent } from "../../../core/model/webhooks/LoggedDelivery.ts"
import { EventStore } from "../../../core/ports/EventStore.ts"
import { redacted } from "../../../core/rules/orders/Redaction.ts"
import type { ShopState, State } from "../State.ts"
import { readFeed } from "./Feed.ts"

/** Events in memory. */
export const makeEvents = (state: State): EventStore["Service"] =>
  EventStore.of({
    find: ({ about, limit, shop }) =>
      Effect.sync(() =>
        [...(state.holdings.get(shop)?.events.values() ?? [])]
          .filter((event) => isAbout(event, about))
          .map(({ body: _, ...event }): FoundEvent => event)
          .sort((left, right) => right.createdAt - left.createdAt || compareIds(right.id, left.id))
          .slice(0, limit),
      ),

    ofDesigns: ({ after, designIds, limit, shop }) =>
      Effect.sync(() => {
        const marks = designIds.map((id) => `"id":${JSON.stringify(id)}`)
        return [...(state.holdings.get(shop)?.events.values() ?? [])]
          .filter(
            ({ body, id }) =>
              (after === null || compareIds(id, after) > 0) && marks.some((mark) => body.includes(mark)),
          )
          .sort((left, right) => compareIds(left.id, right.id))
          .slice(0, limit)
      }),

    feed: (query) => Effect.suspend(() => readFeed(state.holdings.get(query.shop), query)),

    redact: (shop, events) => Effect.sync(() => redactEvents(state.holdings.get(shop), events)),
  })

const isAbout = ({ id, subject }: EventRecord, about: EventsAbout): boolean => {
  if ("event" in about) return id === about.event
  return "order" in about ? subject.order === about.order : subject.design === about.design
}

/** Replaces the bodies of events, and the responses to their deliveries. */
export const redactEvents = (
  holdings: ShopState | undefined,
  events: ReadonlyArray<Pick<EventRecord, "id" | "body">>,
): void => {
  for (const { body, id } of events) {
    const kept = holdings?.events.get(id)
    if (holdings === undefined || kept === undefined) continue
    holdings.events.set(id, { ...kept, body })
    const deliveries = [...holdings.queues.values()].flatMap(({ all }) => [...all.values()])
    for (const delivery of deliveries) {
      if (delivery.record.eventId !== id) continue
      const attempts = delivery.record.attempts.map((attempt) =>
        attempt.responseStart === null ? attempt : { ...attempt, responseStart: redacted },
      )
      delivery.record = { ...delivery.record, attempts }
    }
  }
}
