import { Effect, Redacted, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import * as Model from "../model/webhooks/Endpoint.ts"
import { maximumFailures } from "../rules/webhooks/EndpointState.ts"
import {
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  listEndpoints,
  pauseEndpoint,
  promoteSecret,
  readEndpoint,
  rotateSecret,
  updateEndpoint,
} from "../usecases/webhooks/ManageEndpoints.ts"
import { deliveries } from "./deliveries.ts"
import * as Errors from "./Errors.ts"
import { asList, operation } from "./Operation.ts"
import { created, describe, endpoint, inputErrors, listOf, readErrors, removed, shop } from "./Parts.ts"

const Endpoint = Model.Endpoint.annotate({ identifier: "Endpoint" })

/** A new endpoint: the only answer that shows its signing secret. */
const NewEndpoint = Schema.Struct({
  ...Model.Endpoint.fields,
  secret: Schema.String.annotate({
    description: "The signing secret, shown only once",
    documentation: "`whsec_…`: what the receiver verifies signatures with.",
  }),
}).annotate({
  identifier: "NewEndpoint",
  documentation: "An endpoint as it is answered when it is added, for the only time with its secret.",
})

/** An endpoint with its new secret: the only answer that shows it. */
const RotatedEndpoint = Schema.Struct({
  ...Model.Endpoint.fields,
  secret: Schema.String.annotate({
    description: "The new signing secret, shown only once",
    documentation: "`whsec_…`: let the receiver verify with both until the old one no longer signs.",
  }),
}).annotate({
  identifier: "RotatedEndpoint",
  documentation: "An endpoint as it is answered when its secret is rotated, for the only time with the new one.",
})

/** An endpoint that was enabled. */
const TurnedOn = Schema.Struct({
  ...Endpoint.fields,
  missed: Schema.Int.annotate({
    description: "Events that it has missed since it was off",
    documentation: "How many kept events it has missed since it was switched off: `recover` delivers them.",
  }),
}).annotate({ identifier: "EnabledEndpoint", documentation: "An endpoint that was enabled." })

const hosts = [
  "The URL must be `https:`, and every address that its host resolves to must be public. Other URLs are refused with",
  "422, unless the configuration of the service allows them: for `designwire serve`, `DESIGNWIRE_ALLOW_HTTP` and",
  "`DESIGNWIRE_ALLOW_NETWORKS`.",
].join(" ")

/** An endpoint with its secret, which is shown only once. */
const withSecret = ({
  endpoint,
  secret,
}: {
  readonly endpoint: Model.Endpoint
  readonly secret: Redacted.Redacted
}) => ({
  ...endpoint,
  secret: Redacted.value(secret),
})

const endpoints = {
  create: operation(
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
        "With `standardWebhooks` deliveries have the headers of Standard Webhooks alongside the service's own.",
        hosts,
      ),
    ),
    {
      input: "body",
      call: (shop: string, input: Model.EndpointInput) => Effect.map(createEndpoint(shop, input), withSecret),
      method: "changes",
      comment:
        "Creates an endpoint; only this result has its signing secret. Fails with `NotFound` without the shop, " +
        "`InvalidInput`, `Refused` for a URL that is not allowed, `Conflict` beyond the fifth endpoint, " +
        "`PlanRequired`.",
    },
  ),
  list: operation(
    HttpApiEndpoint.get("listEndpoints", "/shops/:shop/webhooks", {
      params: shop,
      success: listOf(Endpoint),
      error: readErrors,
    }).annotateMerge(describe("List endpoints", "The shop's webhook endpoints and the state of their deliveries.")),
    {
      call: listEndpoints,
      answer: asList,
      method: "reads",
      comment: "Oldest first. Fails with `NotFound` without the shop.",
    },
  ),
  get: operation(
    HttpApiEndpoint.get("readEndpoint", "/shops/:shop/webhooks/:endpoint", {
      params: endpoint,
      success: Endpoint,
      error: readErrors,
    }).annotateMerge(describe("Read an endpoint", "One webhook endpoint and the state of its deliveries.")),
    {
      call: readEndpoint,
      method: "reads",
      comment: "Fails with `NotFound`.",
    },
  ),
  update: operation(
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
    {
      input: "body",
      call: updateEndpoint,
      method: "changes",
      comment:
        "Updates an endpoint's URL, kinds, description or headers. Fails with `NotFound`, `InvalidInput`, `Refused` " +
        "as {@link create}.",
    },
  ),
  delete: operation(
    HttpApiEndpoint.delete("deleteEndpoint", "/shops/:shop/webhooks/:endpoint", {
      params: endpoint,
      success: removed,
      error: readErrors,
    }).annotateMerge(describe("Delete an endpoint", "Deletes the endpoint; its pending deliveries end.")),
    {
      call: deleteEndpoint,
      method: "changes",
      comment: "Deletes an endpoint, and its pending deliveries. Fails with `NotFound`.",
    },
  ),
  pause: operation(
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
    {
      call: pauseEndpoint,
      method: "changes",
      comment:
        "Pauses an endpoint: until it is enabled, its pending deliveries are held, and new events make none. One " +
        "that is off already stays as it is. Fails with `NotFound`.",
    },
  ),
  enable: operation(
    HttpApiEndpoint.post("enableEndpoint", "/shops/:shop/webhooks/:endpoint/enable", {
      params: endpoint,
      success: TurnedOn,
      error: readErrors,
    }).annotateMerge(
      describe(
        "Enable an endpoint",
        `Enables an endpoint that is paused, or was switched off after ${maximumFailures} failed attempts in a row.`,
        "Its pending deliveries continue, and the answer says how many events it has missed.",
        "An endpoint that is on stays as it is.",
      ),
    ),
    {
      call: enableEndpoint,
      method: "changes",
      comment: "Enables an endpoint that is paused or switched off: its deliveries continue. Fails with `NotFound`.",
    },
  ),
  rotate: operation(
    HttpApiEndpoint.post("rotateSecret", "/shops/:shop/webhooks/:endpoint/secret/rotate", {
      params: endpoint,
      payload: Model.RotationInput.annotate({ identifier: "RotationInput" }),
      success: RotatedEndpoint,
      error: inputErrors,
    }).annotateMerge(
      describe(
        "Rotate the signing secret",
        "Creates a new signing secret, shown in this answer only. For `overlap` seconds (86400 by default, at most",
        "604800), or until the new secret is promoted, `X-Service-Signature` is still made with the old one, so that",
        "the receiver has time to learn the new one. An `overlap` of 0 replaces a leaked secret at once.",
        "Rotating again replaces a new secret that does not sign yet.",
      ),
    ),
    {
      input: "optional body",
      call: (shop: string, endpoint: string, input?: Model.RotationInput) =>
        Effect.map(rotateSecret(shop, endpoint, input), withSecret),
      method: "changes",
      comment:
        "Creates a new signing secret; only this result has it. The old one signs until {@link promote}, or until " +
        "the overlap ends. Fails with `NotFound`, `InvalidInput`.",
    },
  ),
  promote: operation(
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
    {
      call: promoteSecret,
      method: "changes",
      comment:
        "Signs with the new secret from now on, and drops the old one. Changes nothing if no rotation is under way. " +
        "Fails with `NotFound`.",
    },
  ),
} as const

export const webhooks = {
  id: "webhooks",
  comment: "Webhook endpoints of a shop, and their deliveries.",
  title: "Webhooks",
  description: "Webhook endpoints and their deliveries.",
  operations: { ...endpoints, ...deliveries },
} as const
