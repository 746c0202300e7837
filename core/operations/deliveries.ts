import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { logQuery } from "../model/queries/Queries.ts"
import * as ActivityModel from "../model/shops/Activity.ts"
import * as Deliveries from "../model/webhooks/Delivery.ts"
import * as Model from "../model/webhooks/Endpoint.ts"
import * as Resend from "../model/webhooks/Resend.ts"
import {
  listDeliveries,
  pageOfDeliveries,
  readDelivery,
  recover,
  redeliver,
  sendTestEvent,
} from "../usecases/webhooks/ManageDeliveries.ts"
import { readEndpointActivity } from "../usecases/webhooks/ReadEndpointActivity.ts"
import { resend } from "../usecases/webhooks/ResendDeliveries.ts"
import { tryDelivery } from "../usecases/webhooks/TryDelivery.ts"
import * as Errors from "./Errors.ts"
import { functionOnly, operation } from "./Operation.ts"
import { accepted, describe, endpoint, inputErrors, pageOf, readErrors, segment } from "./Parts.ts"

const delivery = { ...endpoint, delivery: segment("The delivery's id, `dlv_…`") }

const Delivery = Deliveries.Delivery.annotate({ identifier: "Delivery" })

const time = (description: string) => ({ description, schema: { type: "string", format: "date-time" } })

/** The parameters of activity. */
const span = {
  from: time("The first hour is the one in which this time is; by default that of 23 hours before `to`"),
  to: time("Hours that begin before this time; by default now"),
}

/** Deliveries to endpoints. */
export const deliveries = {
  test: operation(
    HttpApiEndpoint.post("sendTestEvent", "/shops/:shop/webhooks/:endpoint/test", {
      params: endpoint,
      success: Delivery.pipe(accepted),
      error: [...readErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Send a test event",
        "Sends the latest ordered design as `design.ordered`, or a `ping` if there is none, with `test: true`.",
        "It is not retried.",
      ),
    ),
    {
      call: sendTestEvent,
      method: "changes",
      comment:
        "Sends a test event, once: the latest ordered design, or a `ping` if there is none. Fails with `NotFound`, " +
        "`PlanRequired`.",
    },
  ),
  page: operation(
    HttpApiEndpoint.get("listDeliveries", "/shops/:shop/webhooks/:endpoint/deliveries", {
      params: endpoint,
      success: pageOf(Delivery, "DeliveryPage"),
      error: [Errors.InvalidInput, ...readErrors],
    }).annotateMerge(
      describe(
        "List deliveries",
        "The deliveries to the endpoint, newest first, with every attempt.",
        `All that are pending are kept, the newest ${Deliveries.logLength} others, and those of the time that`,
        "`DESIGNWIRE_DELIVERY_LOG` names.",
      ),
    ),
    {
      input: "query",
      query: logQuery,
      call: pageOfDeliveries,
    },
  ),
  deliveries: functionOnly({
    ids: { shop: { type: "string" }, endpoint: { type: "string" } },
    gives: Schema.Array(Delivery),
    call: listDeliveries,
    method: "reads",
    comment: "The endpoint's newest 50 deliveries with every attempt, newest first. Fails with `NotFound`.",
  }),
  delivery: operation(
    HttpApiEndpoint.get("readDelivery", "/shops/:shop/webhooks/:endpoint/deliveries/:delivery", {
      params: delivery,
      success: Schema.Struct({
        ...Deliveries.Delivery.fields,
        body: Schema.String.annotate({
          description: "The body, byte for byte as it was sent",
          documentation: "JSON, to the byte.",
        }),
      }).annotate({ identifier: "DeliveryWithBody", documentation: "A delivery with what is sent." }),
      error: readErrors,
    }).annotateMerge(describe("Read a delivery", "One delivery with every attempt and its body.")),
    {
      call: readDelivery,
      method: "reads",
      comment: "A delivery with its body. Fails with `NotFound`.",
    },
  ),
  redeliver: operation(
    HttpApiEndpoint.post("redeliver", "/shops/:shop/webhooks/:endpoint/deliveries/:delivery/redeliver", {
      params: delivery,
      success: Delivery.pipe(accepted),
      error: [...readErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Send a delivery again",
        "Creates a new delivery of the same event with the same body, even if the first one succeeded.",
      ),
    ),
    {
      call: redeliver,
      method: "changes",
      comment:
        "Sends a delivery's body again, as a new delivery with the same event id. Fails with `NotFound`, " +
        "`PlanRequired`.",
    },
  ),
  tryNow: operation(
    HttpApiEndpoint.post("tryDelivery", "/shops/:shop/webhooks/:endpoint/deliveries/:delivery/try", {
      params: delivery,
      success: Delivery.pipe(accepted),
      error: [...readErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Attempt a delivery now",
        "Attempts a pending delivery now instead of at the time of its retry. The retry schedule continues after it:",
        "if the attempt fails, the next wait is the one after its number.",
        "409 if an attempt is under way, if the delivery is finished (redeliver it), or if the endpoint is paused or",
        "switched off (enable it): nothing is changed.",
      ),
    ),
    {
      call: tryDelivery,
      method: "changes",
      comment:
        "Attempts a pending delivery now instead of at the time of its retry; the retry schedule continues after it. " +
        "Fails with `NotFound`, `PlanRequired`, and with `Conflict` if an attempt is under way, if the delivery is " +
        "finished, or if the endpoint is paused or switched off.",
    },
  ),
  resend: operation(
    HttpApiEndpoint.post("resend", "/shops/:shop/webhooks/:endpoint/resend", {
      params: endpoint,
      payload: Resend.ResendInput.annotate({ identifier: "ResendInput" }),
      success: Resend.Resent.annotate({ identifier: "Resent" }).pipe(accepted),
      error: [...inputErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Send the log again",
        "Creates a new delivery of each event whose finished delivery in the log the body finds: by `state`, `kind`",
        "of event, and time of creation, from `from` on and before `to`. Tests are left out unless `tests` is true.",
        "An event is sent once, and not at all while another delivery of it is pending, so that repeating the request",
        "does not double it.",
        "A request sends at most 10,000, or as many as 2 seconds allow: while `next` is not null, send the same body",
        "with it to continue. A step that is repeated with the same `next` adds nothing twice.",
      ),
    ),
    {
      input: "body",
      call: resend,
      method: "changes",
      comment:
        "Sends the finished deliveries of the log that the input finds again, as new deliveries, at most one of an " +
        "event; none of an event that has a pending delivery. While `next` is not null, call it with the same input " +
        "and this `next` to continue. Fails with `NotFound`, `InvalidInput`, `PlanRequired`.\n\n" +
        "@example\n" +
        "let next: string | undefined\n" +
        "do {\n" +
        '  const done = await designwire.webhooks.resend("acme", endpoint, { state: "failed", next })\n' +
        "  next = done.next ?? undefined\n" +
        "} while (next !== undefined)",
    },
  ),
  recover: operation(
    HttpApiEndpoint.post("recover", "/shops/:shop/webhooks/:endpoint/recover", {
      params: endpoint,
      payload: Model.RecoveryInput.annotate({ identifier: "RecoveryInput" }),
      success: Schema.Struct({
        deliveries: Schema.Int.annotate({ description: "Number of new deliveries" }),
      }).pipe(accepted),
      error: [...inputErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Send missed events",
        "Delivers the events since the given time that the endpoint should have received and did not.",
        "Events are kept for 30 days.",
      ),
    ),
    {
      input: "body",
      call: (shop: string, endpoint: string, input: Model.RecoveryInput) =>
        Effect.map(recover(shop, endpoint, input), (deliveries) => ({ deliveries })),
      method: "changes",
      comment:
        "Delivers kept events since a time (RFC 3339) that the endpoint has not received. Returns the number of new " +
        "deliveries. Fails with `NotFound`, `InvalidInput`, `PlanRequired`.",
    },
  ),
  activity: operation(
    HttpApiEndpoint.get("readActivity", "/shops/:shop/webhooks/:endpoint/activity", {
      params: endpoint,
      success: ActivityModel.Activity.annotate({ identifier: "Activity" }),
      error: [Errors.InvalidInput, Errors.UnknownFields, ...readErrors],
    }).annotateMerge(
      describe(
        "Read the activity of an endpoint",
        "What the endpoint was sent, in exact figures by the hour, and what is pending. Hours are kept for 30 days.",
        "Durations are counted in classes, so that those of half and of 95 % of the attempts are approximate.",
      ),
    ),
    {
      input: "fields",
      query: span,
      call: (shop: string, endpoint: string, input?: ActivityModel.ActivityInput) =>
        readEndpointActivity(shop, endpoint, input ?? {}),
      method: "reads",
      comment:
        "What the endpoint was sent, by the hour, and what is pending: of the last 24 hours, or of the hours from " +
        "`from` to `to` (RFC 3339). Hours are kept for 30 days. Fails with `NotFound`, `InvalidInput`.",
    },
  ),
} as const
