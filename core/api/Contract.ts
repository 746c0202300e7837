import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Customizer } from "../model/Customizer.ts"
import { Design } from "../model/Design.ts"
import { apiVersion, EndpointKind } from "../model/Event.ts"
import { EventPage } from "../model/EventPage.ts"
import { Order } from "../model/Order.ts"
import { defaultLimit, maximumLimit, OrderPage } from "../model/Page.ts"
import { Authorization } from "./Authorization.ts"
import { BadRequest, Gone, NotFound, Unavailable } from "./Errors.ts"
import { webhookDocs } from "./WebhookDocs.ts"

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** Parameters are read by `rules/OrdersQuery`, which knows what a schema can't say; this is what readers need to know of them. */
const listParameters = [
  {
    name: "limit",
    in: "query",
    required: false,
    description: "Orders on a page",
    schema: { type: "integer", minimum: 1, maximum: maximumLimit, default: defaultLimit },
  },
  {
    name: "cursor",
    in: "query",
    required: false,
    description: "pagination.nextCursor of the previous page",
    schema: { type: "string" },
  },
  {
    name: "orderedAfter",
    in: "query",
    required: false,
    description: "Only orders placed at or after this time: a date-time with an offset or Z, or a date",
    schema: { type: "string", format: "date-time" },
  },
]

const feedParameters = [
  {
    name: "after",
    in: "query",
    required: false,
    description:
      "pagination.nextCursor of an earlier page; left out, the feed begins with the oldest event that is kept; `latest`: with the next that happens",
    schema: { type: "string" },
  },
  {
    name: "limit",
    in: "query",
    required: false,
    description: "Events on a page",
    schema: { type: "integer", minimum: 1, maximum: maximumLimit, default: defaultLimit },
  },
  {
    name: "types",
    in: "query",
    required: false,
    description: "Only events of these kinds, separated by commas",
    style: "form",
    explode: false,
    schema: { type: "array", minItems: 1, items: { type: "string", enum: EndpointKind.literals } },
  },
]

const resources = HttpApiGroup.make("resources", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listOrders", "/orders", {
      success: OrderPage,
      error: [BadRequest, Unavailable],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List orders",
        description: "A page of the orders that contain custom items, newest first.",
        override: { parameters: listParameters },
      }),
    ),
  )
  .add(
    HttpApiEndpoint.get("listEvents", "/events", {
      success: EventPage,
      error: [BadRequest, Gone, Unavailable],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Follow the event feed",
        description:
          "A page of the store's events, oldest first, each as webhooks carry it; test events are left out. Store `nextCursor` with what you made of the page, and ask again with it as `after`: nothing is missed and nothing comes twice. It is never null, and at the end it leads to what comes later. 410: events behind it are no longer kept.",
        override: { parameters: feedParameters },
      }),
    ),
  )
  .add(
    HttpApiEndpoint.get("readOrder", "/orders/:platformOrderId", {
      params: { platformOrderId: Schema.String },
      success: Order.annotate({ identifier: "Order" }),
      error: [NotFound, Unavailable],
    }).annotateMerge(describe("Read an order", "One order with all its designs, by its id on the platform.")),
  )
  .add(
    HttpApiEndpoint.get("readDesign", "/designs/:id", {
      params: { id: Schema.String },
      success: Design.annotate({ identifier: "Design" }),
      error: [NotFound, Unavailable],
    }).annotateMerge(describe("Read a design", "One design, drafts included.")),
  )
  .add(
    HttpApiEndpoint.get("readCustomizer", "/customizers/:id", {
      params: { id: Schema.String },
      success: Customizer.annotate({ identifier: "Customizer" }),
      error: [NotFound, Unavailable],
    }).annotateMerge(describe("Read a customizer", "One customizer with its published definition.")),
  )
  .middleware(Authorization)

/**
 * The REST API of the specification (§4) as data: routes, documentation and clients are made from it. Its paths begin wherever it is
 * mounted: a client of Effect's names that place as its `baseUrl`.
 */
export const Contract = HttpApi.make("designwire")
  .add(resources)
  .annotateMerge(
    OpenApi.annotations({
      title: "Designwire REST API",
      version: apiVersion,
      transform: (document) => ({ ...document, webhooks: webhookDocs }),
      description:
        "Read-only access to one store's custom designs, the orders that hold them and the customizers. Money is an integer in minor units of the shop's currency. A token may make 120 requests in any 60 seconds; every answer to a known token says in `RateLimit-Policy` and `RateLimit` how it stands. Refused requests (403, 429) do not count.",
    }),
  )

/** The REST API with its paths below a prefix. */
export const contractAt = (prefix: `/${string}`) => Contract.prefix(prefix)
export type ContractAt = ReturnType<typeof contractAt>
