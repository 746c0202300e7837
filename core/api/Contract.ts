import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { TokenScope } from "../model/access/Token.ts"
import { Customizer } from "../model/catalog/Customizer.ts"
import { Design } from "../model/catalog/Design.ts"
import { apiVersion } from "../model/events/Event.ts"
import { EventPage } from "../model/events/EventPage.ts"
import type { Json } from "../model/json/Json.ts"
import { Order } from "../model/orders/Order.ts"
import { LinesOfOrder } from "../model/orders/OrderLine.ts"
import { OrderPage } from "../model/Page.ts"
import { eventsQuery, ordersQuery } from "../model/queries/Queries.ts"
import type { Query } from "../model/queries/Query.ts"
import {
  BadRequest,
  Gone,
  NotFound,
  PlanRequired,
  RateLimited,
  ScopeRequired,
  Unauthorized,
  Unavailable,
} from "../operations/Errors.ts"
import { answerHeaders } from "./AnswerHeaders.ts"
import { complete } from "./Document.ts"
import { webhookDocs } from "./WebhookDocs.ts"

/** In lower case, as tools that show the documentation expect it. */
const bearer = HttpApiSecurity.http({ scheme: "bearer" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "A token of the shop, `cmz_…`"),
)

/** Admission as the contract describes it to clients: the token, and the errors that any request may get (D11). */
class Authorization extends HttpApiMiddleware.Service<Authorization>()("designwire/api/Authorization", {
  error: [Unauthorized, PlanRequired, ScopeRequired, RateLimited, BadRequest, Unavailable],
  security: { token: bearer },
}) {}

/** The scope that each read of the contract needs (D77), by its path. Other addresses need none: nothing is there. */
export const scopeOf = {
  "/orders": "orders:read",
  "/orders/:platformOrderId": "orders:read",
  "/orders/:platformOrderId/lines": "orders:read",
  "/designs/:id": "designs:read",
  "/customizers/:id": "customizers:read",
  "/events": "events:read",
} as const satisfies Readonly<Record<string, TokenScope>>

/**
 * An operation as clients know it, with the scope that its path needs, the links from its answer to others (OpenAPI
 * `links`) and its parameters.
 */
const operation = (
  path: keyof typeof scopeOf,
  summary: string,
  description: string,
  links: Readonly<Record<string, Json>>,
  parameters?: ReadonlyArray<Json>,
) =>
  OpenApi.annotations({
    summary,
    description: `${description} Needs the scope \`${scopeOf[path]}\`.`,
    ...(parameters === undefined ? {} : { override: { parameters } }),
    transform: ({ responses, ...rest }) => ({
      ...rest,
      security: [{ token: [scopeOf[path]] }],
      responses: { ...responses, "200": { ...responses["200"], links } },
    }),
  })

/** A link to another operation, with the value at a JSON pointer of the answer as its parameter. */
const link = (operationId: string, parameter: string, pointer: string, description: string) => ({
  operationId,
  parameters: { [parameter]: `$response.body#${pointer}` },
  description,
})

const idParameter = (name: string, description: string, schema: Json = { type: "string", minLength: 1 }) => [
  { name, in: "path", required: true, description, schema },
]

/** The parameters as readers see them. The use cases read them by the same queries. */
const parametersOf = (query: Query): ReadonlyArray<Json> =>
  Object.entries(query).map(([name, { description, isList, isRequired = false, schema }]) => ({
    name,
    in: "query",
    required: isRequired,
    description,
    ...(isList ? { style: "form", explode: false } : {}),
    schema,
  }))

const resources = HttpApiGroup.make("resources", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listOrders", "/orders", {
      success: OrderPage,
      error: [BadRequest, Unavailable],
    }).annotateMerge(
      operation(
        "/orders",
        "List orders",
        "A page of the orders that contain custom items, newest first.",
        {
          nextPage: link("listOrders", "cursor", "/pagination/nextCursor", "The next page, unless the cursor is null"),
          order: link("readOrder", "platformOrderId", "/data/0/id", "An order of the page, e.g. the first"),
          design: link("readDesign", "id", "/data/0/designs/0/id", "A design of one of them"),
        },
        parametersOf(ordersQuery),
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("listEvents", "/events", {
      success: EventPage,
      error: [BadRequest, Gone, Unavailable],
    }).annotateMerge(
      operation(
        "/events",
        "Follow the event feed",
        [
          "A page of the shop's events, oldest first, each as webhooks carry it, without test events.",
          "Store `nextCursor` together with the results of the page, and send it as `after` with the next request:",
          "no event is missed and none comes twice. It is never null; at the end it leads to later events.",
          "410: the events after it have been dropped.",
        ].join(" "),
        { nextPage: link("listEvents", "after", "/pagination/nextCursor", "The next events, now or later") },
        parametersOf(eventsQuery),
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("readOrder", "/orders/:platformOrderId", {
      params: { platformOrderId: Schema.String },
      success: Order,
      error: [NotFound, Unavailable],
    }).annotateMerge(
      operation(
        "/orders/:platformOrderId",
        "Read an order",
        "One order with all its designs, by its id on the platform.",
        {
          design: link("readDesign", "id", "/designs/0/id", "A design of the order, e.g. the first"),
          customizer: link("readCustomizer", "id", "/designs/0/customizer/id", "The design's customizer"),
          lines: link("readOrderLines", "platformOrderId", "/id", "Its lines, with their quantities"),
        },
        idParameter("platformOrderId", "The platform's id of the order"),
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("readOrderLines", "/orders/:platformOrderId/lines", {
      params: { platformOrderId: Schema.String },
      success: LinesOfOrder,
      error: [NotFound, Unavailable],
    }).annotateMerge(
      operation(
        "/orders/:platformOrderId/lines",
        "Read the lines of an order",
        [
          "The order's lines that have a design, each with its quantity: how many pieces of the design must be made.",
          "In the order of the designs, then as reported. A design may be on several lines, and a line that the platform",
          "has removed has no pieces.",
        ].join(" "),
        { design: link("readDesign", "id", "/data/0/designId", "The design of a line, e.g. the first") },
        idParameter("platformOrderId", "The platform's id of the order"),
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("readDesign", "/designs/:id", {
      params: { id: Schema.String },
      success: Design,
      error: [NotFound, Unavailable],
    }).annotateMerge(
      operation(
        "/designs/:id",
        "Read a design",
        "One design, drafts included.",
        {
          customizer: link("readCustomizer", "id", "/customizer/id", "The design's customizer"),
          order: link("readOrder", "platformOrderId", "/order/id", "The order that holds it, unless it is a draft"),
        },
        idParameter("id", "The design's id"),
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("readCustomizer", "/customizers/:id", {
      params: { id: Schema.String },
      success: Customizer,
      error: [NotFound, Unavailable],
    }).annotateMerge(
      operation(
        "/customizers/:id",
        "Read a customizer",
        "One customizer with its published definition.",
        {},
        idParameter("id", "The customizer's id", { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      ),
    ),
  )
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      description: "A shop's orders, their designs, and the customizers of these designs.",
    }),
  )

/** The paths of the contract, each of which has a GET. */
export type ReadPath = HttpApiGroup.Endpoints<typeof resources>["path"]

/**
 * The REST API of the specification (§4) as data, for its documentation and for typed clients. Its paths begin where
 * the API is mounted, which is the `baseUrl` of an Effect client.
 */
export const Contract = HttpApi.make("designwire")
  .add(resources)
  .annotateMerge(
    OpenApi.annotations({
      title: "Designwire REST API",
      version: apiVersion,
      transform: (document) => ({
        ...complete({ headers: answerHeaders, conditional: true, retryable: false })(document),
        webhooks: webhookDocs,
      }),
      description: [
        "Read-only access to one shop's custom designs, the orders that hold them and the customizers.",
        "Money is an integer in minor units of the shop's currency.",
        "A token may make 120 requests in any 60 seconds, unless the service sets another limit; every answer to a",
        "known token shows its limit and the rest in `RateLimit-Policy` and `RateLimit`. Refused requests (403, 429)",
        "do not count. A token may have an end, from which on it is unknown, and scopes: without the scope of a path",
        "every request to it is 403, whatever is there.",
        'HEAD works wherever GET does. Every error is `{"message": …}`.',
      ].join(" "),
    }),
  )

/** The REST API with its paths below a prefix. */
export const contractAt = (prefix: `/${string}`) => Contract.prefix(prefix)
