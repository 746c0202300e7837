import { Effect } from "effect"
import { EventPage } from "../model/events/EventPage.ts"
import type { EventsInput } from "../model/queries/Inputs.ts"
import { eventsQuery } from "../model/queries/Queries.ts"
import { listEvents } from "../usecases/events/ReadEvents.ts"
import { getShop } from "../usecases/shops/ManageShops.ts"
import { functionOnly } from "./Operation.ts"

export const events = {
  id: "events",
  title: "Events",
  description: "Events of a shop.",
  operations: {
    list: functionOnly({
      ids: { shop: { type: "string" } },
      input: "query",
      query: eventsQuery,
      gives: EventPage,
      call: (shop: string, query?: EventsInput) =>
        Effect.andThen(
          getShop(shop),
          Effect.map(listEvents(shop, query), ({ page }) => page),
        ),
      method: "reads",
      comment:
        "A page of the shop's events, oldest first, as webhooks carry them, without tests. Call it again with its " +
        "`nextCursor` as `after`, now or later: no event is missed or returned twice, including events that your " +
        "own open transactions write. Fails with `NotFound` without the shop, `InvalidInput`, `Gone` if events " +
        "after `after` are no longer kept.",
    }),
  },
} as const
