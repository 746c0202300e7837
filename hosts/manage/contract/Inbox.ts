import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { InboxPage, InboxStates, InboxView } from "../../../core/model/orders/InboxView.ts"
import { defaultLimit } from "../../../core/model/Page.ts"
import { describe, paged, parameter, readErrors, segment, shop } from "./Common.ts"

const event = { ...shop, id: segment("The event's id, `inb_…`") }

const state = parameter("state", {
  type: "string",
  enum: [...InboxStates.literals],
  description: "Only events in this state",
})

/** Events of shop platforms. */
export const inbox = HttpApiGroup.make("inbox")
  .add(
    HttpApiEndpoint.get("listInbox", "/shops/:shop/inbox", {
      params: shop,
      success: InboxPage,
      error: [Errors.InvalidInput, ...readErrors],
    })
      .annotateMerge(
        describe(
          "List events of the platform",
          "The events that the shop's platform has sent, newest first, and what became of each: `applied`, `ignored`,",
          "`waiting` or `failed`, and why. They are kept for 30 days, and to the end of that day in UTC. Their bodies are",
          "not shown: they have data of buyers.",
        ),
      )
      .annotate(OpenApi.Transform, paged("Events", defaultLimit, state)),
  )
  .add(
    HttpApiEndpoint.get("readInboxEvent", "/shops/:shop/inbox/:id", {
      params: event,
      success: InboxView,
      error: readErrors,
    }).annotateMerge(
      describe("Read an event of the platform", "One event that the shop's platform has sent, and what became of it."),
    ),
  )
  .add(
    HttpApiEndpoint.post("applyInboxEvent", "/shops/:shop/inbox/:id/apply", {
      params: event,
      success: InboxView,
      error: readErrors,
    }).annotateMerge(
      describe(
        "Try an event of the platform again",
        "Applies an event that is `waiting` or `failed`, once its cause is gone, and answers with what became of it.",
        "An event that is `applied` or `ignored` stays as it is.",
      ),
    ),
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Inbox",
      description: "Events of shop platforms, which place and cancel orders, and what became of them.",
    }),
  )
