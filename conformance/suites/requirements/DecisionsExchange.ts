import type { Section } from "./Requirement.ts"

/** Events, orders and files that travel by other ways than the REST API and webhooks. */
export const decisionsExchange: ReadonlyArray<Section> = [
  {
    id: "decisions-exchange",
    title: "Decisions on the event feed, platforms and files",
    from: "decision",
    rows: [
      {
        id: "D39",
        title: "Event feed",
        text:
          "`GET /events?after&limit&types` with a token, under the same limits as the other requests, MUST answer " +
          "the shop's events, oldest first, as `{data, pagination: {limit, nextCursor, hasMore}}`. Each item is " +
          "the envelope byte for byte as it is, or would be, delivered. Test events are left out. `nextCursor` is " +
          "never `null`: a client stores it and asks again. Without `after` the feed begins with the oldest event " +
          "that is kept, after `latest` with the next that happens, and an `after` behind which an event was dropped " +
          "is 410. A cursor is opaque and bound to its shop: one that was altered, forged, or comes from another " +
          "shop is 400, and it reveals nothing about other shops. An event MUST be shown only when no transaction " +
          "that could still commit an earlier one is open, so that nothing ever appears before a position that was " +
          "already handed out. This is how a client also learns of orders that reach the service late, which " +
          "`orderedAfter` by itself misses.",
      },
      {
        id: "D50",
        title: "Cancelling what is not there",
        text:
          "Platforms send a cancellation and its order in any order, and cancel orders without custom items, which " +
          "are not stored (D6). Cancelling an order that was placed without lines in the last 24 hours MUST be 204, " +
          "like placing it. Cancelling another order that the service does not have MUST be 202 with " +
          "`{message, keptUntil}` and no error. Either way the cancellation is kept for 24 hours from the last one. " +
          "If the order is placed with lines in that time, it MUST be placed and cancelled in one change, with its " +
          "`design.ordered` events before `order.cancelled`. Later it is not applied. While the order has not come, a " +
          "cancellation can be taken back, also one of the shop's platform: the order MUST then be placed and not " +
          "cancelled. Taking it back MUST have an entry in the audit (D59), and change nothing the second time. Once " +
          "the order has come and was cancelled, it MUST be 409.",
      },
      {
        id: "D57",
        title: "Orders from shop platforms",
        text:
          "An event of a shop platform MUST have a signature of its raw body under a secret of the shop; without one it " +
          "MUST be refused with 401, and the answer MUST NOT show whether the shop exists. " +
          "An event MUST be stored before it is acknowledged, once however " +
          "often it comes, and applied exactly once together with what became of it. An older state of an " +
          "order MUST NOT change a newer one; a cancellation is final, and one that comes before its order is applied " +
          "with it. An event that can't be applied MUST say why, and be applied once its missing design exists, or " +
          "when it is tried again. Its body MUST be dropped once it is applied or ignored, and the event with the " +
          "UTC day of 30 days ago. If events are dropped that were never applied, there MUST be one notice " +
          "(`inbox.dropped`, D42) for each shop and day. The state of each event is in the management API and in the " +
          "settings app, without its body; trying one again there has an entry in the audit (D59). A request to " +
          "redact orders is carried out, and one to remove the shop, if they name the shop's domain. The topic and the " +
          "address of an event are not signed: an event MUST NOT cancel, redact or remove anything unless its body says " +
          "so. Of two states of one second the one that was triggered later MUST count, or, unless both say when, the " +
          "one that comes later; a state to which an order returns within the second MUST count again if its message has " +
          "an id and a trigger of its own. An event MUST fail once the store has refused for an hour to carry it out. An " +
          "event that no store can keep or that can't be read MUST fail, with a reason of at " +
          "most 500 characters without controls. Events that wait MUST be tried shop by shop, in turns. A shop MUST " +
          "have a bound of events and of their bytes; beyond it, its events are 429 with `Retry-After`, and the " +
          "operator is told by the log, a counter and an alert.",
      },
      {
        id: "D57a",
        title: "Bytes of a signed body",
        text:
          "A signature is over the bytes that were sent: a body that was parsed or read before the service gets it MUST " +
          "NOT be written again and compared. Whatever reads it MUST refuse it by name, with 500 and the advice to mount " +
          "the service before body parsers, unless its bytes or its text are kept. A request whose body nothing reads " +
          "MUST be answered as ever.",
      },
      {
        id: "D85",
        title: "Events that fail are seen",
        text:
          "An event of a platform that has failed, and one that has waited for 15 minutes for a design or for 24 hours " +
          "for payment, MUST be reported by a line of the log and a notice (`inbox.failed`, `inbox.waiting`, D42), once for each " +
          "event and kind, without texts of buyers. A shop MUST have at most one of a kind in an hour, which says how many " +
          "there are, the oldest and up to ten orders. They MUST be counted by gauges and on the settings app's first page, " +
          "which links to it. An event that is applied or ignored, and one that has waited for less, MUST raise nothing. " +
          "Every counter MUST be exposed from 0, with the labels that are known in advance, so that an alert sees the " +
          "first failure. A receiver of notices " +
          "MUST accept kinds that it does not know.",
      },
      {
        id: "D86",
        title: "Drafts and their end",
        text:
          "Drafts MUST be listed, those saved last first, also those of one customizer or those that were not saved " +
          "again since a time. They are kept for ever unless a setting says for how long: then those that were not saved " +
          "again for that time, by the store's clock, MUST be deleted in bounded steps, with their buyers' texts in kept " +
          "events. An ordered or cancelled design MUST NOT be deleted so, nor a draft that an event of a platform, one " +
          "that waits, has failed or is unpaid, names.",
      },
      {
        id: "D87",
        title: "A platform belongs to a shop",
        text:
          "A shop may have a connection to Shopify and to WooCommerce: a domain, which no other shop's connection to the " +
          "platform has, a secret and an access key, which are kept sealed (D20) and MUST never come back, and the states " +
          "of D80. A secret that is replaced MUST be good until its overlap ends. A webhook at the address of all shops " +
          "MUST go to the shop whose connection has the domain that its header names; unless its signature is good it " +
          "MUST be 401, whatever the header names, and otherwise 404 for an unknown domain. At the address of a shop, one " +
          "of another domain than the connection's MUST be 403. The service's secrets hold for shops without one of their " +
          "own, and Shopify's for all. A connection that the platform ends MUST be reported (D85), and resume with a later " +
          "order. Connections MUST go with their shop (D43).",
      },
      {
        id: "D88",
        title: "Found although it never came",
        text:
          "With an access key, the platform MUST be asked at least every hour, by one worker, for orders that were changed " +
          "since the last time, less a day: orders of all pages with all their lines. They MUST go through the reader and " +
          "the inbox of webhooks, marked as found; an order that is here in that state MUST add nothing. A look that was " +
          "interrupted MUST continue where it was. An order that is made here and that the platform no longer has MUST be " +
          "told once (D85) and MUST NOT be cancelled for that. Webhooks that were seen and are gone or switched off MUST " +
          "be told by a line of the log, a notice and the settings app, and so MUST an access key that is refused; an " +
          "outage by a line. Each MUST be reported once, and the platform be asked again later, after the wait that it asks " +
          "for. A look that stores nothing MUST only report. The platform MUST be asked only at addresses that webhooks " +
          "may be sent to (D34–D36). Webhooks that are registered MUST be those that are missing; the others MUST stay, and " +
          "get the connection's secret if the platform lets it be set.",
      },
      {
        id: "D75",
        title: "Bulk in and out",
        text:
          "An import reads customizers, designs or orders from a file of JSON lines with their ids, and stores many of " +
          "them in one commit. What it leaves MUST be what a call for each line in turn would leave, events included, " +
          "also if other calls change the same objects meanwhile. Run again, it MUST continue after the last line that " +
          "is done, and lose and double nothing if it was killed; it MUST refuse a file of another length, or whose done " +
          "lines are others. It MUST change nothing that is stored with the same content, and keep lines that can't be " +
          "imported alongside the file, each with the reason. A byte order mark at the beginning of the file is none of its " +
          "text. What is imported as history MUST be in the feed and the API, and be sent to no endpoint unless it is " +
          "resent by hand. An export MUST have all orders or " +
          "designs of a shop, from a time on if one is given, as the objects of the REST API or as a table with a line " +
          "for each design, its pieces, and a column for each production key. It can also have the lines of orders (D81), " +
          "which an import of orders MUST read with quantities, copies and cancellations. It MUST hold a page of them at " +
          "a time. If the removal " +
          "of the shop begins before its end, it MUST end with an error, so that it does not look whole, also to a " +
          "client of HTTP/1.0. Texts that a " +
          "spreadsheet would run as a formula begin with an apostrophe in it.",
      },
      {
        id: "D96",
        title: "Report of a check",
        text:
          "A check of a service by a profile, and of a receiver (D97), MUST be able to write a report that others " +
          "judge without the service and without a network. A profile is a fixed list of cases: another list MUST be " +
          "another version of it. The report MUST have the verdict of each case of its profile, and of a " +
          "skipped one the reason; what a service says of itself; and no secrets. The same facts MUST have the " +
          "same bytes and the same digest in every run; times, and what was asked and answered with random " +
          "names, are apart from them. The signature MUST be over both. Verifying MUST refuse a report that was " +
          "changed, is not signed, or has other cases than its profile, and MUST NOT call a profile passed of " +
          "which a case failed or a required one was skipped. Pages " +
          "for people MUST NOT have scripts, nor markup of the service.",
      },
      {
        id: "D97",
        title: "Check of a receiver",
        text:
          "A receiver of webhooks MUST be checked by what it answers to deliveries that are signed, forged, late, " +
          "repeated, out of order, large or slow, also with the headers of Standard Webhooks (D41). A case MUST fail " +
          "for a fault that it is about, and say what was answered and what should have been.",
      },
    ],
  },
]
