import { Schema } from "effect"
import { Design } from "../catalog/Design.ts"
import { Timestamp } from "../Instant.ts"
import { memberOf, split } from "../json/JsonText.ts"
import { Order } from "../orders/Order.ts"
import { apiVersion } from "./Event.ts"

const envelope = <const Kind extends string, Data extends Schema.Constraint>(event: Kind, data: Data) =>
  Schema.Struct({
    id: Schema.String.annotate({
      description: "Unchanged across retries, redeliveries and the feed: drop what you have seen",
    }),
    event: Schema.Literal(event),
    apiVersion: Schema.Literal(apiVersion),
    createdAt: Timestamp,
    shop: Schema.String.annotate({ description: "Domain of the shop" }),
    data,
    test: Schema.Boolean,
  })

const design = Schema.Struct({ design: Design.annotate({ identifier: "Design" }) })

/** An event of the feed (§2.5, §6): the envelope that webhooks carry. */
const FeedEvent = Schema.Union([
  envelope("design.ordered", design),
  envelope("design.created", design),
  envelope("design.cancelled", design),
  envelope("order.cancelled", Schema.Struct({ order: Order.annotate({ identifier: "Order" }) })),
]).annotate({ identifier: "Event" })

/** A page of the event feed (D39). */
export const EventPage = Schema.Struct({
  data: Schema.Array(FeedEvent),
  pagination: Schema.Struct({
    limit: Schema.Int.annotate({ description: "Page size applied. A page that would exceed 8 MiB ends earlier" }),
    nextCursor: Schema.String.annotate({
      description:
        "Where to continue, now or later: pass as after. Never null: at the end it leads to what comes later",
    }),
    hasMore: Schema.Boolean.annotate({ description: "Whether there are more events already" }),
  }),
}).annotate({ identifier: "EventPage" })
export type EventPage = typeof EventPage.Type

/** The bodies of the events of a page of the feed, byte for byte; none if the text is not a page. */
export const bodiesOf = (page: string): ReadonlyArray<string> => {
  const data = memberOf(page, "data")
  return data?.startsWith("[") ? split(data) : []
}
