import { HttpApiEndpoint } from "effect/http-api"
import { InboxPage, InboxView } from "../model/ingest/InboxView.ts"
import { PlatformInput, PlatformView } from "../model/ingest/PlatformConnection.ts"
import { inboxQuery } from "../model/queries/Queries.ts"
import { placeByHand, tryEvent } from "../usecases/ingest/ApplyEvent.ts"
import { deletePlatform, listPlatforms, putPlatform, readPlatform } from "../usecases/ingest/ManagePlatforms.ts"
import { listInbox, readInboxEvent } from "../usecases/ingest/ReadInbox.ts"
import * as Errors from "./Errors.ts"
import { asList, operation } from "./Operation.ts"
import { describe, inputErrors, listOf, readErrors, removed, segment, shop } from "./Parts.ts"

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

const connection = { ...shop, platform: segment("The platform: `shopify` or `woocommerce`") }

const ids = { platform: { type: "PlatformName" } }

export const platforms = {
  id: "platforms",
  comment: "Connections of the shop to Shopify and WooCommerce, whose webhooks place and cancel orders.",
  title: "Platforms",
  description: "Connections of shops to Shopify and WooCommerce, whose webhooks place and cancel orders.",
  operations: {
    list: operation(
      HttpApiEndpoint.get("listPlatforms", "/shops/:shop/platforms", {
        params: shop,
        success: listOf(PlatformView),
        error: readErrors,
      }).annotateMerge(
        describe(
          "List connections to platforms",
          "The shop's connections, by the name of the platform, without secrets.",
        ),
      ),
      {
        call: listPlatforms,
        answer: asList,
        method: "reads",
        comment: "By the name of the platform, without secrets. Fails with `NotFound`.",
      },
    ),
    get: operation(
      HttpApiEndpoint.get("readPlatform", "/shops/:shop/platforms/:platform", {
        params: connection,
        success: PlatformView,
        error: readErrors,
      }).annotateMerge(
        describe(
          "Read a connection to a platform",
          "The shop's connection to Shopify or WooCommerce, without its secrets.",
        ),
      ),
      {
        ids,
        call: readPlatform,
        method: "reads",
        comment: "Fails with `NotFound`.",
      },
    ),
    put: operation(
      HttpApiEndpoint.put("putPlatform", "/shops/:shop/platforms/:platform", {
        params: connection,
        payload: PlatformInput.annotate({ identifier: "PlatformInput" }),
        success: PlatformView,
        error: [...inputErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Connect a shop to a platform",
          "Connects the shop, or replaces the settings of its connection. `secret` and `accessKey` stay as they are if they",
          "are left out, and are never answered; a secret that is replaced is good for `overlap` seconds more. 409: another",
          "shop has the domain.",
        ),
      ),
      {
        ids,
        input: "body",
        call: putPlatform,
        method: "changes",
        comment:
          "Connects the shop to a platform, or replaces the settings of its connection. `secret` and `accessKey` stay as " +
          "they are if they are left out; a secret that is replaced is good for `overlap` seconds more. Fails with " +
          "`NotFound`, `InvalidInput`, `Refused`, and `Conflict` if another shop has the domain.",
      },
    ),
    delete: operation(
      HttpApiEndpoint.delete("deletePlatform", "/shops/:shop/platforms/:platform", {
        params: connection,
        success: removed,
        error: readErrors,
      }).annotateMerge(
        describe(
          "Remove a connection to a platform",
          "Removes the connection with its secrets. Orders and events stay.",
        ),
      ),
      {
        ids,
        call: deletePlatform,
        method: "changes",
        comment: "Removes a connection with its secrets; orders and events stay. Fails with `NotFound`.",
      },
    ),
  },
} as const
