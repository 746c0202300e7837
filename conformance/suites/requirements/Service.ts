import type { Section } from "./Requirement.ts"

/** §1: what the service is, for whom, and the conventions that hold everywhere. */
export const service: ReadonlyArray<Section> = [
  {
    id: "§1",
    title: "What the service does",
    from: "specification",
    rows: [
      {
        id: "§1-1",
        title: "What a design is",
        text:
          "A buyer configures a customizable product on a storefront. Each configuration that is saved is a " +
          "design. A design MUST NOT change once it is ordered (§2.1-16).",
      },
      {
        id: "§1-2",
        title: "What is offered",
        text:
          "The service gives a store's own systems (production software, ERP, reporting) its designs, its orders " +
          "(an order is all designs of one order on the e-commerce platform) and its customizers (the definitions " +
          "of the products that can be configured).",
        tests: [
          "hosts/server/OpenApi.test.ts > MUST be OpenAPI 3.1 and list the four paths of §4 and the feed (D39), each",
        ],
      },
      {
        id: "§1-3",
        title: "Read-only REST API",
        text: "The REST API MUST be read-only and answer JSON, and it is offered over HTTPS.",
        unobservable: "HTTPS: it ends in front of the service, or in the platform that hosts it.",
      },
      {
        id: "§1-4",
        title: "Signed webhooks",
        text:
          "The service MUST send signed JSON POST requests to the store's own HTTPS URL when a design is ordered " +
          "and when an order is cancelled, and, if the store asks for it, when a design is saved (§6).",
        tests: [
          "core/usecases/dispatch/Events.test.ts > MUST send design.ordered once per design, when its order links",
          "core/usecases/dispatch/Events.test.ts > MUST send order.cancelled once, with its designs cancelled (D3)",
          "core/usecases/dispatch/Events.test.ts > MUST send design.created only to endpoints that chose",
        ],
      },
      {
        id: "§1-5",
        title: "One form everywhere",
        text: "Webhooks MUST carry the same design and order objects as the REST API (§6-5, D10).",
        tests: [
          "core/model/Event.test.ts > MUST carry the bytes of a design as the REST API shows it, not the same value",
          "core/usecases/dispatch/Attempt.test.ts > MUST carry the same bytes of a design as the REST API, as they",
        ],
      },
      {
        id: "§1-6",
        title: "Plans with access",
        text: "The REST API and webhooks are part of the plans Pro and Plus only (D8).",
      },
      {
        id: "§1-7",
        title: "Managing access",
        text:
          "The store's owner creates and manages tokens and webhook endpoints in the service's own settings (API " +
          "tokens, Webhooks), not over the REST API.",
        tests: [
          "hosts/settings/Settings.test.ts > MUST show a new token once, and refuse it after it is deleted (§5)",
          "hosts/settings/Webhooks.test.ts > MUST add an endpoint, show its secret once together with examples, and list",
          "hosts/settings/Webhooks.test.ts > MUST change and delete an endpoint",
          "hosts/server/OpenApi.test.ts > MUST be OpenAPI 3.1 and list the four paths of §4 and the feed (D39), each",
        ],
      },
      {
        id: "§1-8",
        title: "Base address",
        text: "The base address of the REST API ends in the version segment `/api/v1`. Every path of §4 comes after it.",
        tests: [
          "hosts/server/OpenApi.test.ts > MUST be OpenAPI 3.1 and list the four paths of §4 and the feed (D39), each",
          "hosts/server/Access.test.ts > MUST answer outside the REST API without a token and without its headers",
        ],
      },
      {
        id: "§1-9",
        title: "Money in cents",
        text: "Every amount of money MUST be an integer in minor units (cents) of the shop's currency.",
      },
    ],
  },
]
