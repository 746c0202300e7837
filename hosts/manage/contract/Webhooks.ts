import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import * as ActivityModel from "../../../core/model/activity/Activity.ts"
import * as Deliveries from "../../../core/model/Delivery.ts"
import * as Model from "../../../core/model/Endpoint.ts"
import * as Resend from "../../../core/model/resend/Resend.ts"
import { maximumFailures } from "../../../core/rules/EndpointState.ts"
import {
  accepted,
  created,
  describe,
  inputErrors,
  listOf,
  paged,
  pageOf,
  readErrors,
  removed,
  segment,
  shop,
} from "./Common.ts"

const endpoint = { ...shop, endpoint: segment("The endpoint's id, `whe_…`") }
const delivery = { ...endpoint, delivery: segment("The delivery's id, `dlv_…`") }

const Endpoint = Model.Endpoint.annotate({ identifier: "Endpoint" })
const Delivery = Deliveries.Delivery.annotate({ identifier: "Delivery" })

/** A new endpoint: the only answer that shows its signing secret. */
const NewEndpoint = Schema.Struct({
  ...Model.Endpoint.fields,
  secret: Schema.String.annotate({ description: "The signing secret, shown only once" }),
}).annotate({ identifier: "NewEndpoint" })

/** An endpoint with its new secret: the only answer that shows it. */
const RotatedEndpoint = Schema.Struct({
  ...Model.Endpoint.fields,
  secret: Schema.String.annotate({ description: "The new signing secret, shown only once" }),
}).annotate({ identifier: "RotatedEndpoint" })

/** An endpoint that was enabled. */
const TurnedOn = Schema.Struct({
  ...Endpoint.fields,
  missed: Schema.Int.annotate({ description: "Events that it has missed since it was off" }),
}).annotate({ identifier: "EnabledEndpoint" })

const time = (name: string, description: string) => ({
  name,
  in: "query",
  required: false,
  schema: { type: "string", format: "date-time", description },
})

/** The parameters of activity. */
const span = [
  time("from", "The first hour is the one in which this time is; by default that of 23 hours before `to`"),
  time("to", "Hours that begin before this time; by default now"),
]

const hosts = [
  "The URL must be `https:`, and every address that its host resolves to must be public. Other URLs are refused with",
  "422, unless the configuration of the service allows them: for `designwire serve`, `DESIGNWIRE_ALLOW_HTTP` and",
  "`DESIGNWIRE_ALLOW_NETWORKS`.",
].join(" ")

/** Webhook endpoints and their deliveries. */
export const webhooks = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("createEndpoint", "/shops/:shop/webhooks", {
      params: shop,
      payload: Model.EndpointInput.annotate({ identifier: "EndpointInput" }),
      success: NewEndpoint.pipe(created),
      error: [...inputErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Create an endpoint",
        `Creates a webhook endpoint; a shop may have ${Model.maximumEndpoints}.`,
        "Its signing secret is shown in this answer only.",
        "Without `events` it receives `design.ordered` and `order.cancelled`.",
        "With `standardWebhooks` deliveries have the headers of Standard Webhooks beside the service's own.",
        hosts,
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("listEndpoints", "/shops/:shop/webhooks", {
      params: shop,
      success: listOf(Endpoint),
      error: readErrors,
    }).annotateMerge(describe("List endpoints", "The shop's webhook endpoints and the state of their deliveries.")),
  )
  .add(
    HttpApiEndpoint.get("readEndpoint", "/shops/:shop/webhooks/:endpoint", {
      params: endpoint,
      success: Endpoint,
      error: readErrors,
    }).annotateMerge(describe("Read an endpoint", "One webhook endpoint and the state of its deliveries.")),
  )
  .add(
    HttpApiEndpoint.patch("updateEndpoint", "/shops/:shop/webhooks/:endpoint", {
      params: endpoint,
      payload: Model.EndpointUpdate.annotate({ identifier: "EndpointUpdate" }),
      success: Endpoint,
      error: [...inputErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Update an endpoint",
        "Updates the fields in the body, and leaves all others as they are.",
        "Pending deliveries of kinds that `events` no longer has are not sent: their status is `dropped`.",
        hosts,
      ),
    ),
  )
  .add(
    HttpApiEndpoint.delete("deleteEndpoint", "/shops/:shop/webhooks/:endpoint", {
      params: endpoint,
      success: removed,
      error: readErrors,
    }).annotateMerge(describe("Delete an endpoint", "Deletes the endpoint; its pending deliveries end.")),
  )
  .add(
    HttpApiEndpoint.post("pauseEndpoint", "/shops/:shop/webhooks/:endpoint/pause", {
      params: endpoint,
      success: Endpoint,
      error: readErrors,
    }).annotateMerge(
      describe(
        "Pause an endpoint",
        "Sends nothing but test events to the endpoint until it is enabled. Its pending deliveries are held, and new",
        "events make none: enabling it says how many it has missed. One that is off already stays as it is.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.post("enableEndpoint", "/shops/:shop/webhooks/:endpoint/enable", {
      params: endpoint,
      success: TurnedOn,
      error: readErrors,
    }).annotateMerge(
      describe(
        "Enable an endpoint",
        `Enables an endpoint that is paused, or was switched off after ${maximumFailures} failed attempts in a row.`,
        "Its pending deliveries go on, and the answer says how many events it has missed.",
        "An endpoint that is on stays as it is.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.post("rotateSecret", "/shops/:shop/webhooks/:endpoint/secret/rotate", {
      params: endpoint,
      payload: Model.RotationInput.annotate({ identifier: "RotationInput" }),
      success: RotatedEndpoint,
      error: inputErrors,
    })
      .annotateMerge(
        describe(
          "Rotate the signing secret",
          "Creates a new signing secret, shown in this answer only. For `overlap` seconds (86400 by default, at most",
          "604800), or until the new secret is promoted, `X-Service-Signature` is still made with the old one, so that",
          "the receiver has time to learn the new one. An `overlap` of 0 replaces a leaked secret at once.",
          "Rotating again replaces a new secret that does not sign yet.",
        ),
      )
      .annotate(OpenApi.Transform, (operation) => ({
        ...operation,
        requestBody: { ...(operation["requestBody"] as object), required: false },
      })),
  )
  .add(
    HttpApiEndpoint.post("promoteSecret", "/shops/:shop/webhooks/:endpoint/secret/promote", {
      params: endpoint,
      success: Endpoint,
      error: readErrors,
    }).annotateMerge(
      describe(
        "Promote the new signing secret",
        "Ends a rotation: from now on the new secret signs, and the old one is gone.",
        "Without a rotation the endpoint stays as it is.",
      ),
    ),
  )
  .add(
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
  )
  .add(
    HttpApiEndpoint.get("listDeliveries", "/shops/:shop/webhooks/:endpoint/deliveries", {
      params: endpoint,
      success: pageOf(Delivery, "DeliveryPage"),
      error: [Errors.InvalidInput, ...readErrors],
    })
      .annotateMerge(
        describe(
          "List deliveries",
          "The deliveries to the endpoint, newest first, with every attempt.",
          `All that are pending are kept, the newest ${Deliveries.logLength} others, and those of the time that`,
          "`DESIGNWIRE_DELIVERY_LOG` names.",
        ),
      )
      .annotate(OpenApi.Transform, paged("Deliveries", Deliveries.logLength)),
  )
  .add(
    HttpApiEndpoint.get("readDelivery", "/shops/:shop/webhooks/:endpoint/deliveries/:delivery", {
      params: delivery,
      success: Schema.Struct({
        ...Deliveries.Delivery.fields,
        body: Schema.String.annotate({ description: "The body, byte for byte as it was sent" }),
      }).annotate({ identifier: "DeliveryWithBody" }),
      error: readErrors,
    }).annotateMerge(describe("Read a delivery", "One delivery with every attempt and its body.")),
  )
  .add(
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
  )
  .add(
    HttpApiEndpoint.post("tryDelivery", "/shops/:shop/webhooks/:endpoint/deliveries/:delivery/try", {
      params: delivery,
      success: Delivery.pipe(accepted),
      error: [...readErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Attempt a delivery now",
        "Attempts a pending delivery now instead of at the time of its retry. The retry schedule goes on after it:",
        "if the attempt fails, the next wait is the one after its number.",
        "409 if an attempt is under way, if the delivery is finished (redeliver it), or if the endpoint is paused or",
        "switched off (enable it): nothing is changed.",
      ),
    ),
  )
  .add(
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
        "with it to go on. A step that is repeated with the same `next` adds nothing twice.",
      ),
    ),
  )
  .add(
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
  )
  .add(
    HttpApiEndpoint.get("readActivity", "/shops/:shop/webhooks/:endpoint/activity", {
      params: endpoint,
      success: ActivityModel.Activity.annotate({ identifier: "Activity" }),
      error: [Errors.InvalidInput, Errors.UnknownFields, ...readErrors],
    })
      .annotateMerge(
        describe(
          "Read the activity of an endpoint",
          "What the endpoint was sent, in exact figures by the hour, and what is pending. Hours are kept for 30 days.",
          "Durations are counted in classes, so that those of half and of 95 % of the attempts are approximate.",
        ),
      )
      // The use case reads the parameters: it says more about them than a schema can.
      .annotate(OpenApi.Transform, (operation) => ({
        ...operation,
        parameters: [...((operation["parameters"] as ReadonlyArray<unknown>) ?? []), ...span],
      })),
  )
  .annotateMerge(OpenApi.annotations({ title: "Webhooks", description: "Webhook endpoints and their deliveries." }))
