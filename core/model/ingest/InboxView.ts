/** Events of shop platforms as their readers see them: without bodies, which have data of buyers. */
import { Schema } from "effect"
import { format, Timestamp } from "../Instant.ts"
import { noted } from "../Means.ts"
import { Pagination } from "../Page.ts"
import type { InboxEntry, InboxState, IngestSource } from "./InboxItem.ts"

/** The states of an event. */
export const InboxStates = Schema.Literals([
  "waiting",
  "applied",
  "ignored",
  "failed",
  "unpaid",
]) satisfies Schema.Schema<InboxState>

const Sources = Schema.Literals(["shopify", "woocommerce"]) satisfies Schema.Schema<IngestSource>

const orNull = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

/** An event that a shop platform has sent, and what became of it (D57). */
export const InboxView = Schema.Struct({
  id: noted("`inb_…`.", Schema.String),
  source: Sources,
  topic: Schema.String.annotate({ description: "The platform's name for this kind of event" }),
  eventId: orNull("The platform's id of the event; null if the platform sends none"),
  orderId: orNull("The order that the event is about; null if it is about none, or if the event can't be read"),
  state: InboxStates.annotate({
    description: [
      "waiting: applied once that is possible; applied: carried out; ignored: there was nothing to do;",
      "failed: can't be applied until something else changes; unpaid: its order waits for payment",
    ].join(" "),
  }),
  reason: orNull("Why it is in this state, as a sentence; null if there is nothing to say"),
  designId: orNull("The missing design that it waits for; null if it waits for none"),
  modifiedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the platform last modified the order before it sent the event; null if the event does not say",
  }),
  receivedAt: Timestamp,
}).annotate({
  identifier: "InboxEvent",
  documentation: "An event that a shop's platform has sent, and what became of it.",
})
export type InboxView = typeof InboxView.Type

/** An event as its readers see it. */
export const view = ({
  designId,
  eventId,
  id,
  modifiedAt,
  orderId,
  reason,
  receivedAt,
  source,
  state,
  topic,
}: InboxEntry): InboxView => ({
  ...{ id, source, topic, eventId, orderId, state, reason, designId },
  modifiedAt: modifiedAt === null ? null : format(modifiedAt),
  receivedAt: format(receivedAt),
})

/** A page of events, newest first. */
export const InboxPage = Schema.Struct({
  data: Schema.Array(InboxView),
  pagination: Pagination,
}).annotate({ identifier: "InboxPage", documentation: "A page of events of the shop's platform, newest first." })
export type InboxPage = typeof InboxPage.Type
