import type { Section } from "./Requirement.ts"

/** D20 to D33: signing, sending, retrying and keeping deliveries. */
export const decisionsWebhooks: ReadonlyArray<Section> = [
  {
    id: "decisions-webhooks",
    title: "Decisions on webhooks",
    from: "decision",
    rows: [
      {
        id: "D20",
        title: "Secret and key",
        text:
          "A signing secret MUST be `whsec_` and the base64 of 32 random bytes. The key of the HMAC is the UTF-8 " +
          "bytes of the whole secret, its prefix included. Secrets MUST be stored encrypted: AES-256-GCM, with a " +
          "ring of keys whose newest comes first.",
        unobservable: "How a secret is encrypted: an adapter gets it sealed, and no answer shows it.",
      },
      {
        id: "D20a",
        title: "Case of header names",
        text:
          "The names of the headers MUST be sent in the case in which §6 prints them (`X-Service-Signature`), for " +
          "receivers that compare by case.",
      },
      {
        id: "D21",
        title: "One body",
        text:
          "The body MUST be serialised once, when the event happens, kept as text, and sent byte for byte on every " +
          "attempt and every redelivery. Between attempts only the timestamp differs, and so the signature. `test` " +
          "MUST always be present.",
      },
      {
        id: "D22",
        title: "Delivery id",
        text:
          "There is one delivery, with one id, for each event and endpoint, and the id MUST be the same on every " +
          "retry. A redelivery MUST be a new delivery: another delivery id, the same event id, the same body.",
      },
      {
        id: "D23",
        title: "Atomic with the change",
        text:
          "An event and its deliveries MUST be stored in the same transaction as the change that caused them, or " +
          "not at all.",
      },
      {
        id: "D24",
        title: "Current destination",
        text: "An attempt MUST use the URL and the secret that the endpoint has at that time.",
      },
      {
        id: "D25",
        title: "Timing of retries",
        text:
          "A wait of the retry schedule (§6-20) MUST begin at the end of the failed attempt. A retry MUST NOT come " +
          "earlier, and no random time is added. There are 7 attempts in all. A `Retry-After`, a 410 or a 429 of " +
          "the receiver MUST change nothing.",
      },
      {
        id: "D26",
        title: "What success is",
        text:
          "The status line decides: a 2xx within 5 seconds of the start of the attempt is success. The 5 seconds " +
          "cover DNS, connecting, TLS and the request; connecting may take 3 seconds. Of the response's body at " +
          "most the first 1,024 bytes MUST be read, within the same 5 seconds, and kept as text. The request asks " +
          "for it unencoded (`Accept-Encoding: identity`).",
      },
      {
        id: "D90",
        title: "Malformed answers",
        text:
          "A complete status line within the time MUST be the outcome of an attempt also if what follows it is malformed " +
          "or too long. The response's start is what could be read, and the connection MUST NOT be used again.",
      },
      {
        id: "D27",
        title: "Twenty in a row",
        text:
          "The count that switches an endpoint off (§6-22) MUST cover automatic attempts and attempts of " +
          "redeliveries, over all events of the endpoint and atomically over all workers. A 2xx resets the count, " +
          "and so does turning on an endpoint that is off; one that is on stays as it is. Test events MUST neither " +
          "count nor reset. An attempt whose address is refused counts. A fault of the service's own (its store is " +
          "down, a worker is stopped, its sender has a defect, its proxy does not work) does not count and is not an " +
          "attempt.",
      },
      {
        id: "D28",
        title: "Switched-off endpoints",
        text:
          "Nothing but a test event (D30) may be sent to an endpoint that is switched off. Its pending deliveries " +
          "MUST be held and continue when the owner turns it on: overdue ones at once, as fast as the endpoint is " +
          "normally served. New events MUST NOT make a delivery for it; turning it on answers how many it missed " +
          "since it went off, and offers to recover them. Recovering an endpoint since a time MUST make deliveries " +
          "for the events since then that are kept, that are of its kinds and that it has not received.",
      },
      {
        id: "D29",
        title: "Redelivering from the log",
        text:
          "Any delivery in the log can be redelivered, a successful one too. A redelivery MUST be retried as any " +
          "delivery is. A redelivered test delivery stays a test and MUST NOT be retried.",
      },
      {
        id: "D30",
        title: "Test events",
        text:
          "The latest ordered design is the one with the newest `orderedAt` among the designs whose status is " +
          '`ordered`. The `data` of `ping` is `{"message": "…"}`. A test event MUST have an event id of its own ' +
          "and `test: true`. It MUST work whatever kinds the endpoint receives, and also while the endpoint is " +
          "switched off.",
      },
      {
        id: "D31",
        title: "Endpoints of a shop",
        text:
          "The kinds of an endpoint are a non-empty subset of `design.ordered`, `order.cancelled` and " +
          "`design.created`; when left out, the first two. A shop has at most 5 endpoints, which MUST be checked " +
          "atomically. Deleting an endpoint MUST end its pending deliveries. A pending delivery of a kind that the " +
          "endpoint no longer receives MUST NOT be sent: the log shows it as `dropped`, and so it stays if the kind is " +
          "chosen again. An attempt that is under way is shown, but not repeated. Tests and later redeliveries are sent.",
      },
      {
        id: "D32",
        title: "Delivery log",
        text:
          "The log of an endpoint holds its newest 50 deliveries with every attempt: time, status code, duration, " +
          "and the first 1,024 bytes of the response or why there was none (dns, connect, tls, timeout, redirect, " +
          "address refused, reset). A setting of the host keeps finished deliveries for a time alongside these. " +
          "Trimming the log MUST NOT drop a pending delivery.",
      },
      {
        id: "D33",
        title: "Retention of events",
        text: "An event MUST be kept for 30 days, and longer as long as a delivery of it is pending or in a log.",
        unobservable: "The 30 days: they are a setting of the host, and cases prune up to a time that they name.",
      },
      {
        id: "D33a",
        title: "The store's time",
        text:
          "Whatever ends by time (what is dropped, tokens, kept answers, leases, links, rate windows) MUST end by the " +
          "clock of the store, which all processes share. A process whose machine's clock differs from it by more " +
          "than a minute MUST say so and MUST NOT be ready until it is right.",
      },
      {
        id: "D33b",
        title: "Readiness of a process",
        text:
          "`/readyz` MUST be 503 while the store takes no changes, e.g. because its disk is full, or reads fail for " +
          "5 seconds, and 200 again once that has healed.",
      },
    ],
  },
]
