import { Effect, Option } from "effect"
import { Gone } from "../../model/Errors.ts"
import type { EventPage } from "../../model/events/EventPage.ts"
import { maximumPage } from "../../model/Page.ts"
import type { EventsInput } from "../../model/queries/Inputs.ts"
import { eventsQuery, latest } from "../../model/queries/Queries.ts"
import { invalidParameter, queryReader } from "../../model/queries/Query.ts"
import { WireForm } from "../../model/WireForm.ts"
import { EventStore } from "../../ports/EventStore.ts"
import { etagOf } from "../../support/Etag.ts"
import { feedCursorOf, openFeedCursor } from "../../support/FeedCursors.ts"

const read = queryReader(eventsQuery)

/** Bytes for the pagination and the commas in a page's body. */
const aroundEvents = 1024

/**
 * Reads a page of the shop's events, oldest first, each with the body of its delivery, and the cursor of the next page
 * (D39). A page of very large events ends early (D46). After `latest` the page is empty, and its cursor leads to the
 * next event.
 *
 * Fails with `InvalidInput`, which names the parameter that breaks D12 or D39, and with `Gone` if events behind `after`
 * were dropped.
 */
export const listEvents = Effect.fnUntraced(function* (shop: string, input: EventsInput = {}) {
  const query = yield* Effect.fromResult(read(input))
  const isLatest = query.after === latest
  const after = query.after === undefined || isLatest ? null : yield* openCursor(shop, query.after)
  const kinds = isLatest ? [] : query.types
  const { bodies, hasMore, next } = yield* EventStore.use((events) =>
    events.feed({ shop, after, kinds, limit: query.limit, bytes: maximumPage - aroundEvents }),
  ).pipe(Effect.catchTag("PositionGone", ({ reason }) => new Gone({ message: messages[reason] })))
  const nextCursor = yield* feedCursorOf(shop, next)
  const pagination = JSON.stringify({ limit: query.limit, nextCursor, hasMore })
  const text = `{"data":[${bodies.join(",")}],"pagination":${pagination}}`
  return { page: new WireForm<EventPage>(text, yield* etagOf(text)), nextCursor, hasMore }
})

const messages = {
  dropped:
    "Events behind this position are no longer kept: start again without after, and reread the data that you keep",
  ahead:
    "This position is ahead of the store, which was restored from a backup: start again without after, " +
    "and skip events whose ids you have seen",
}

const openCursor = (shop: string, text: string) =>
  Effect.flatMap(
    openFeedCursor(shop, text),
    Option.match({
      onNone: () => invalidParameter("after", eventsQuery.after.form),
      onSome: Effect.succeed,
    }),
  )
