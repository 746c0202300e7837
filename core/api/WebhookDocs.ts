import { apiVersion } from "../model/events/Event.ts"

const text = { type: "string" } as const

const envelope = (event: string, data: Readonly<Record<string, unknown>>) => ({
  type: "object",
  properties: {
    id: { ...text, description: "The same for retries and redeliveries: ignore ids that you have seen" },
    event: { const: event, description: "The kind of event" },
    apiVersion: { const: apiVersion, description: "The version of the form of the body" },
    createdAt: { ...text, format: "date-time", description: "When the event happened" },
    shop: { ...text, description: "Domain of the shop" },
    data: { type: "object", description: "What the event is about", properties: data, required: Object.keys(data) },
    test: { type: "boolean", description: "true on test events" },
  },
  required: ["id", "event", "apiVersion", "createdAt", "shop", "data", "test"],
})

const header = (name: string, description: string, required = true) => ({
  name,
  in: "header",
  required,
  description,
  schema: text,
})

const headers = [
  header("X-Service-Event", "Event kind"),
  header("X-Service-Delivery", "Delivery id, the same on every retry"),
  header("X-Service-Timestamp", "Unix time in seconds of the attempt"),
  header("X-Service-Signature", "Hex HMAC-SHA256 of `{timestamp}.{raw body}` under the endpoint's signing secret"),
  header("webhook-id", "The event's id, if the endpoint asks for the headers of Standard Webhooks", false),
  header("webhook-timestamp", "The same as `X-Service-Timestamp`, if the endpoint asks for it", false),
  header(
    "webhook-signature",
    [
      "If the endpoint asks for it: `v1,` and the base64 HMAC-SHA256 of",
      "`{webhook-id}.{webhook-timestamp}.{raw body}` under the base64-decoded part of the signing secret;",
      "two of them, with a space between, while the secret is rotated",
    ].join(" "),
    false,
  ),
]

const webhook = (event: string, summary: string, data: Readonly<Record<string, unknown>>) => ({
  post: {
    operationId: event,
    summary,
    parameters: headers,
    requestBody: { required: true, content: { "application/json": { schema: envelope(event, data) } } },
    responses: {
      "2XX": { description: "Received. After any other answer, or none within 5 seconds, the delivery is retried." },
    },
    security: [],
  },
})

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The `webhooks` section of the OpenAPI document (§2.5, §6): the bodies of deliveries, by the REST API's schemas. */
export const webhookDocs = {
  "design.ordered": webhook("design.ordered", "A design was ordered", { design: schema("Design") }),
  "order.cancelled": webhook("order.cancelled", "An order was cancelled", { order: schema("Order") }),
  "design.created": webhook("design.created", "A buyer saved a design", { design: schema("Design") }),
  "design.cancelled": webhook("design.cancelled", "A line of an order is gone, while the order holds", {
    design: schema("Design"),
  }),
  ping: webhook("ping", "A test event, sent while no design is ordered yet", {
    message: { ...text, description: "Says that this is a test" },
  }),
}
