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
      },
      {
        id: "§1-5",
        title: "One form everywhere",
        text: "Webhooks MUST carry the same design and order objects as the REST API (§6-5, D10).",
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
      },
      {
        id: "§1-8",
        title: "Base address",
        text: "The base address of the REST API ends in the version segment `/api/v1`. Every path of §4 comes after it.",
      },
      {
        id: "§1-9",
        title: "Money in cents",
        text: "Every amount of money MUST be an integer in minor units (cents) of the shop's currency.",
      },
    ],
  },
]
