import type { Section } from "./Requirement.ts"

/** §4: the addresses, their parameters and answers. */
export const restApi: ReadonlyArray<Section> = [
  {
    id: "§4",
    title: "REST API and webhook request",
    from: "specification",
    rows: [
      {
        id: "§4-1",
        title: "GET and JSON",
        text:
          "Every path of the REST API is read with GET and MUST answer JSON. Its address is the base address " +
          "(§1-8) and the path.",
      },
      {
        id: "§4-2",
        title: "GET /orders",
        text: "`GET /orders` MUST answer a page of the orders that contain custom items, newest first.",
      },
      {
        id: "§4-3",
        title: "GET /orders/{platformOrderId}",
        text: "`GET /orders/{platformOrderId}` MUST answer the order with that id of the platform (string), as in §2.2.",
      },
      {
        id: "§4-4",
        title: "GET /designs/{id}",
        text: "`GET /designs/{id}` MUST answer the design with that id (string), as in §2.1, drafts included.",
      },
      {
        id: "§4-5",
        title: "GET /customizers/{id}",
        text:
          "`GET /customizers/{id}` MUST answer the customizer with that id (integer), as in §2.3, with its " +
          "published definition.",
      },
      {
        id: "§4-6",
        title: "The parameter limit",
        text:
          "`limit` of `GET /orders` is an integer from 1 to 100 and the largest number of orders on the page. It " +
          "is 25 when left out (D12).",
      },
      {
        id: "§4-7",
        title: "The parameter cursor",
        text:
          "`cursor` of `GET /orders` is the `nextCursor` of the page before. Without it the first page MUST be " +
          "answered.",
      },
      {
        id: "§4-8",
        title: "The parameter orderedAfter",
        text:
          "`orderedAfter` of `GET /orders` is an ISO 8601 time. Only orders placed at or after it MUST be " +
          "answered. Without it there is no limit (D13).",
      },
      {
        id: "§4-9",
        title: "A page of orders",
        text:
          "`GET /orders` MUST answer `{data, pagination}`: `data` is a list of orders (§2.2), `pagination` is " +
          "`{total, limit, nextCursor}` (§2.4).",
      },
      {
        id: "§4-10",
        title: "Following new orders",
        text:
          "A client that wants new orders keeps the time of its last run and passes it as `orderedAfter`, or uses " +
          "webhooks.",
        unobservable: "This is what a client does. §4-8 and D13 say what it relies on.",
      },
      {
        id: "§4-11",
        title: "Webhook request",
        text:
          "A webhook delivery MUST be a POST to the endpoint's registered `https` URL with the envelope (§2.5) as " +
          "its body and the headers of §6. The receiver is expected to answer any 2xx within 5 seconds.",
      },
    ],
  },
]
