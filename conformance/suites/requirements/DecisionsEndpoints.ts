import type { Section } from "./Requirement.ts"

/** Options of endpoints, and what their owners are notified of. */
export const decisionsEndpoints: ReadonlyArray<Section> = [
  {
    id: "decisions-endpoints",
    title: "Decisions on endpoints",
    from: "decision",
    rows: [
      {
        id: "D40",
        title: "Rotating a secret",
        text:
          "Rotating MUST make a new signing secret, which is shown once. `X-Service-Signature` MUST be made with " +
          "the old secret until the owner promotes the new one or the overlap is over (24 hours when left out, 0 " +
          "to 7 days), and with the new one from then on. An overlap of 0 replaces the secret at once, for one " +
          "that has leaked. The receiver kit MUST take a list of secrets.",
      },
      {
        id: "D41",
        title: "Standard Webhooks headers",
        text:
          "An endpoint may ask for the headers of Standard Webhooks alongside the service's own; by default it gets " +
          "none. They MUST be `webhook-id` (the event id), `webhook-timestamp` and `webhook-signature`: `v1,` and " +
          "the base64 HMAC-SHA256 of `id.timestamp.body` under the base64-decoded part of the secret. During a " +
          "rotation there is a signature for each of both secrets, separated by a space.",
      },
      {
        id: "D42",
        title: "Notices to the owner",
        text:
          "The owner MUST be notified, through a port, when an endpoint has failed 10 times in a row, when it is " +
          "switched off, and when a delivery is given up: once each, after it is settled. A notice that fails MUST " +
          "be sent again by the schedule of deliveries, under the same id. Test events cause no notice.",
      },
      {
        id: "D51",
        title: "Paused endpoints",
        text:
          "The owner may pause an endpoint. Until it is enabled, nothing but test events MUST be sent to it: its " +
          "pending deliveries are held as if it were switched off (D28), and new events make none. Nobody gets a " +
          "notice. Enabling a paused endpoint MUST say how many events it has missed. Pausing one that is off " +
          "already changes nothing.",
      },
      {
        id: "D53",
        title: "Order per object",
        text:
          'For an endpoint with `ordering: "object"`, deliveries of events about one order, and about one unordered ' +
          "design, MUST go out one at a time in the order of the feed: the next when the one before succeeded, was " +
          "given up or dropped. They MUST NOT hold back deliveries about anything else. Redeliveries stand behind what is " +
          "pending of their object. A change of the ordering holds for pending deliveries, too. By default there is " +
          "no order.",
      },
      {
        id: "D54",
        title: "Pace of an endpoint",
        text:
          "At most `maxPerSecond` (1 to 1,000) attempts to an endpoint MUST begin in any second, and at most " +
          "`maxConcurrent` (1 to 8) MUST be under way at the same time, over all workers. Deliveries that wait for it " +
          "MUST NOT count as attempts or failures, nor as past due, and MUST NOT hold up those to other endpoints. Time " +
          "in which nothing was sent is not made up for. By default an endpoint has none.",
      },
      {
        id: "D55",
        title: "Authentication of deliveries",
        text:
          "An endpoint may have up to ten headers of its owner's, which its deliveries MUST have alongside those of the " +
          "service. They are kept sealed as signing secrets are (D20), and MUST NOT be shown or logged: an answer has " +
          "their names. Names that HTTP, the connection, a trace or the service uses MUST be refused, and so is a " +
          "value that is not visible ASCII of at most 1024 characters. A change replaces all of them; `null` removes " +
          "them. Or it may have an OAuth 2.0 client, whose secret is kept and hidden in the same way: its deliveries " +
          "MUST then have an access token of the client's (RFC 6749, client credentials) in `Authorization`. The token " +
          "URL is judged as the endpoint's own (D34 to D36). A token is kept until a minute before its end, MUST be " +
          "requested once by attempts at the same time, and is dropped after a 401 of the receiver, which stays the " +
          "outcome of that attempt. An attempt without a token fails with `token` and the reason, and nothing is sent. " +
          "An endpoint may also have a client certificate with its key, kept and hidden in the same way, which its " +
          "deliveries MUST present over TLS, on connections that no others use. One that TLS can't use, whose key is " +
          "another's, or that has ended MUST be refused; its subject and its end are shown.",
      },
      {
        id: "D71",
        title: "Later by Retry-After",
        text:
          "An endpoint may heed `Retry-After` (`heedRetryAfter`). A retry after a 429 or 503 with that header, in " +
          "seconds or as a date, MUST then be no earlier than it asks, and at most 24 hours after the attempt, " +
          "unless the schedule's own wait is longer. The number of attempts stays the same. By default, and after " +
          "any other answer or a malformed header, nothing changes the schedule (D25).",
      },
      {
        id: "D72",
        title: "References instead of objects",
        text:
          'An endpoint may ask for `payload: "reference"`. The `data` of its deliveries MUST then have the ids of ' +
          "its design, or of its order and the order's designs, and nothing else of them; the rest of the envelope, " +
          "its signatures and its headers are as usual. A change of it holds from the next attempt on. " +
          "The default is `full`, as specified.",
      },
      {
        id: "D76",
        title: "Customizers of an endpoint",
        text:
          "An endpoint may name the customizers whose designs it wants (`customizers`): 1 to 100 ids, each once, of " +
          "customizers that exist or do not yet exist; by default, and with `null`, it wants all. It MUST get an event " +
          "of its kinds (D31) if the design of the event is of one of them, or at least one design of the event's " +
          "order; the order comes whole. Test events come always. A change MUST drop pending deliveries that the " +
          "endpoint no longer wants, as a change of its kinds does (D31). Recoveries and the count of what it has " +
          "missed (D28) have the events that it wants at that time; deliveries that its owner resends (D29) are sent " +
          "whatever it names.",
      },
    ],
  },
]
