import type { Section } from "./Requirement.ts"

/** §6: events, the headers of a delivery, retries, and which hosts are accepted. */
export const webhooks: ReadonlyArray<Section> = [
  {
    id: "§6",
    title: "Events and deliveries",
    from: "specification",
    rows: [
      {
        id: "§6-1",
        title: "Event design.ordered",
        text:
          "`design.ordered` MUST happen once for each design, when an order of the platform links it. Its `data` " +
          "is `{design}` with the design (§2.1).",
      },
      {
        id: "§6-2",
        title: "Event order.cancelled",
        text:
          "`order.cancelled` MUST happen when an order with custom items is cancelled. Its `data` is `{order}` " +
          "with the order (§2.2).",
      },
      {
        id: "§6-3",
        title: "Event design.created",
        text:
          "`design.created` MUST happen when a buyer saves a design on the storefront. An endpoint MUST receive it " +
          "only if it was chosen, since there are many of them. Its `data` is `{design}` with the design (§2.1).",
      },
      {
        id: "§6-4",
        title: "Event ping",
        text:
          "`ping` is the test event when there is no ordered design yet. Its `data` is `{message}` with a string " +
          "(D30).",
      },
      {
        id: "§6-5",
        title: "Same objects",
        text:
          "Designs and orders in events MUST be the same as in the REST API, the URLs of images included, and " +
          "money MUST be in cents.",
      },
      {
        id: "§6-6",
        title: "Choosing events",
        text: "The owner chooses which kinds of events an endpoint receives (D31).",
      },
      {
        id: "§6-7",
        title: "Header Content-Type",
        text: "A delivery MUST have the header `Content-Type: application/json`.",
      },
      {
        id: "§6-8",
        title: "Header User-Agent",
        text: "A delivery MUST have the header `User-Agent: <service name>-Webhooks/1.0`.",
      },
      {
        id: "§6-9",
        title: "Header X-Service-Event",
        text: "`X-Service-Event` MUST be the kind of the event.",
      },
      {
        id: "§6-10",
        title: "Header X-Service-Delivery",
        text: "`X-Service-Delivery` MUST be the id of the delivery (string; D22).",
      },
      {
        id: "§6-11",
        title: "Header X-Service-Timestamp",
        text: "`X-Service-Timestamp` MUST be the Unix time of the attempt in whole seconds, in decimal digits.",
      },
      {
        id: "§6-12",
        title: "Header X-Service-Signature",
        text: "`X-Service-Signature` MUST be the signature in hexadecimal digits (§5-7).",
      },
      {
        id: "§6-13",
        title: "Same event id",
        text:
          "The event's `id` MUST be the same when it is retried or sent again. A receiver drops duplicates by it, " +
          "or by the design's id.",
      },
      {
        id: "§6-14",
        title: "What succeeds",
        text:
          "An attempt MUST count as a success when the receiver answers any 2xx within 5 seconds (D26). A receiver " +
          "does slow work after it has answered.",
      },
      {
        id: "§6-15",
        title: "Redirects not followed",
        text: "A redirect MUST NOT be followed, and MUST count as a failure.",
      },
      {
        id: "§6-16",
        title: "Sending a test event",
        text:
          "A test event MUST send the latest ordered design as a sample of `design.ordered`, or a `ping` if there " +
          "is none, with `test: true` (D30).",
      },
      {
        id: "§6-17",
        title: "No retries of tests",
        text: "A test event MUST NOT be retried.",
      },
      {
        id: "§6-18",
        title: "Sending again",
        text:
          "A redelivery, started from the delivery log, MUST send the same body again with the same event id (D22, " +
          "D29).",
      },
      {
        id: "§6-19",
        title: "What fails",
        text:
          "An attempt MUST fail on an answer that is not 2xx, on a timeout (5 seconds in all, 3 seconds to " +
          "connect), on a connection error and on a redirect.",
      },
      {
        id: "§6-20",
        title: "Retry schedule",
        text:
          "A failed delivery MUST be tried again 1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours and 24 hours " +
          "after the failed attempts: the first wait after the first failure, and so on (D25).",
      },
      {
        id: "§6-21",
        title: "End of retries",
        text: "A delivery whose last retry failed MUST be marked `failed`.",
      },
      {
        id: "§6-22",
        title: "Switching off",
        text: "An endpoint MUST be switched off after 20 failed attempts in a row (D27, D28).",
      },
      {
        id: "§6-23",
        title: "Public hosts only",
        text:
          "An endpoint's URL MUST be `https:` and its host public. Private and reserved network addresses MUST be " +
          "refused (D34, D35).",
      },
      {
        id: "§6-24",
        title: "When hosts are checked",
        text: "The host MUST be checked when the endpoint is added, and again before every delivery (D36).",
      },
    ],
  },
]
