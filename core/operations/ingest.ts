import { HttpApiEndpoint } from "effect/http-api"
import { InboxPage, InboxView } from "../model/ingest/InboxView.ts"
import { inboxQuery } from "../model/queries/Queries.ts"
import { placeByHand, tryEvent } from "../usecases/ingest/ApplyEvent.ts"
import { listInbox, readInboxEvent } from "../usecases/ingest/ReadInbox.ts"
import * as Errors from "./Errors.ts"
import { operation } from "./Operation.ts"
import { describe, readErrors, segment, shop } from "./Parts.ts"

const event = { ...shop, id: segment("The event's id, `inb_…`") }

export const inbox = {
  id: "inbox",
  comment: "Events of the shop's platform, which place and cancel orders, and what became of them.",
  title: "Inbox",
  description: "Events of shop platforms, which place and cancel orders, and what became of them.",
  operations: {
    list: operation(
      HttpApiEndpoint.get("listInbox", "/shops/:shop/inbox", {
        params: shop,
        success: InboxPage,
        error: [Errors.InvalidInput, ...readErrors],
      }).annotateMerge(
        describe(
          "List events of the platform",
          "The events that the shop's platform has sent, newest first, and what became of each: `applied`, `ignored`,",
          "`waiting` or `failed`, and why. They are kept for 30 days, and to the end of that day in UTC. Their bodies are",
          "not shown: they have data of buyers.",
        ),
      ),
      {
        input: "query",
        query: inboxQuery,
        call: listInbox,
        method: "reads",
        comment:
          "A page of the events, newest first; its `nextCursor` leads to the next page. They are kept for 30 days, " +
          "and to the end of that day in UTC. Fails with `NotFound`, `InvalidInput`.",
      },
    ),
    get: operation(
      HttpApiEndpoint.get("readInboxEvent", "/shops/:shop/inbox/:id", {
        params: event,
        success: InboxView,
        error: readErrors,
      }).annotateMerge(
        describe(
          "Read an event of the platform",
          "One event that the shop's platform has sent, and what became of it.",
        ),
      ),
      {
        call: readInboxEvent,
        method: "reads",
        comment: "Fails with `NotFound`.",
      },
    ),
    apply: operation(
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
      {
        call: tryEvent,
        method: "changes",
        comment:
          "Tries an event again that is `waiting` or `failed`, and returns it with what became of it. One that is " +
          "`applied` or `ignored` stays as it is. Fails with `NotFound`.",
      },
    ),
    place: operation(
      HttpApiEndpoint.post("placeInboxEvent", "/shops/:shop/inbox/:id/place", {
        params: event,
        success: InboxView,
        error: [...readErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Place the order of an event now",
          "Places the order of an event that was not placed because of its state: one that is `unpaid`, or `ignored` as a",
          "test, or because it was over when it was first heard of. Answers with what became of it. 409: there is nothing",
          "left to place.",
        ),
      ),
      {
        call: placeByHand,
        method: "changes",
        comment:
          "Places the order of an event that was not placed because of its state: one that is `unpaid`, or `ignored` as " +
          "a test, or because it was over when it was first heard of. Returns it with what became of it. Fails with " +
          "`NotFound`, and `Conflict` if there is nothing left to place.",
      },
    ),
  },
} as const
