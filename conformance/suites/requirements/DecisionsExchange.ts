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
          "`orderedAfter` alone misses.",
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
          "an id and a trigger of its own. An event that the store has refused for an hour to carry out MUST fail. An event that no store can keep or that can't be read MUST fail, with a reason of at " +
          "most 500 characters without controls. Events that wait MUST be tried shop by shop, in turns. A shop MUST " +
          "have a bound of events and of their bytes; beyond it, its events are 429 with `Retry-After`, and the " +
          "operator is told by the log, a counter and an alert.",
        tests: [
          "core/rules/ingest/ReadEvent.test.ts > MUST take the design from the property with the configured name",
          "core/rules/ingest/ReadEvent.test.ts > MUST read a cancelled order as cancelled, in any topic",
          "core/rules/ingest/ReadEvent.test.ts > MUST read a deletion, which has the id alone, as a cancellation",
          "core/rules/ingest/ReadEvent.test.ts > MUST NOT read an order as cancelled by its topic, which nobody has",
          "core/rules/ingest/ReadEvent.test.ts > MUST read no deletion from a body with more than an id, and no order",
          "core/rules/ingest/Recency.test.ts > MUST decide by the second, and within it by the trigger if both are known",
          "core/usecases/ingest/OtherTopics.test.ts > %s with the body of %s MUST cancel, redact and remove nothing",
          "core/usecases/ingest/OtherTopics.test.ts > %s of another shop MUST fail, with both domains (D57)",
          "core/usecases/ingest/EqualTimes.test.ts > MUST all be applied in the sequence in which they come, but for",
          "core/usecases/ingest/EqualTimes.test.ts > MUST all count if an order returns to one of them, but not as often",
          "core/usecases/ingest/Poison.test.ts > MUST fail once the store has refused for an hour to carry it out, and",
          "core/usecases/ingest/EqualTimes.test.ts > MUST be told if they open a cancelled order again, and change",
          "core/usecases/ingest/Poison.test.ts > %s MUST come to an end, with a reason that can be stored and shown",
          "core/usecases/ingest/Poison.test.ts > MUST be carried out if it names 60,000 orders, and say how many of",
          "core/usecases/ingest/Poison.test.ts > MUST be applied shop by shop in turns: slow events of one shop delay",
          "core/usecases/ingest/Poison.test.ts > MUST NOT be held up by one that never ends: it waits on, and those",
          "core/usecases/ingest/Poison.test.ts > MUST refuse further ones at %j, count that, and take those of another",
          "core/usecases/ingest/Poison.test.ts > MUST be counted between measurements, with bodies only of events that",
          "hosts/cli/deploy/Alerts.test.ts > MUST have a place in the runbook that says what to do, and when it is over",
          "hosts/ingest/Ingest.test.ts > MUST be answered 429 with Retry-After if the shop's events take all their room",
          "hosts/ingest/Ingest.test.ts > MUST be kept as failed if no store could keep an id in them, and be redacted",
          "hosts/ingest/Ingest.test.ts > MUST break ties of one second by the time at which Shopify's message was",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST place the order that it is about, and be kept without its",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST be applied once, however often it comes",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST place a new order together with itself, without being kept",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST add lines to its order, and change nothing if a newer",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST wait for its design, and be applied once that exists",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST say why it can't be applied, and be applied when it is",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST cancel its order, whatever came before or comes after",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST be applied with its order if it comes before, also after",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST redact the named orders of a buyer, and what the inbox",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST be kept if the store fails meanwhile, and be applied later",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST remove the shop that it names by its domain, and be done if",
          "core/usecases/ingest/ReceiveEvent.test.ts > MUST be kept with the reason if it is to remove another shop, or",
          "hosts/ingest/Ingest.test.ts > MUST be refused with 401 without a signature of their body, whether or not the",
          "hosts/ingest/Ingest.test.ts > MUST be taken under either of two secrets, and with headers without x-",
          "hosts/ingest/Ingest.test.ts > MUST NOT be acknowledged unless they are kept",
          "hosts/ingest/Ingest.test.ts > MUST be taken once with the id of the delivery, and once with the same content",
          "adapters/postgres/Commit.test.ts > a platform's event whose change goes on after a stale commit MUST store",
          "hosts/ingest/Crash.test.ts > hosts killed while they receive orders MUST lose none that they acknowledged, and",
          "core/usecases/ingest/ReadInbox.test.ts > MUST be listed newest first, by state and by page, without bodies",
          "core/usecases/ingest/ReadInbox.test.ts > MUST apply it once its cause is gone, and have an entry with its",
          "core/usecases/ingest/ReadInbox.test.ts > MUST have an entry of it if it fails again, and none if it stays as",
          "core/rules/NoticeRules.test.ts > MUST say how many events were dropped and what the oldest was, without its",
          "core/rules/NoticeRules.test.ts > MUST drop whole days in UTC, so that there is one notice a day (D57)",
          "hosts/manage/Inbox.test.ts > MUST list a platform's events by state and page, and try one again, with an",
          "hosts/manage/Inbox.test.ts > MUST be 404 for an unknown shop or event or one of another shop, and 400 with a",
          "hosts/settings/Inbox.test.ts > MUST be listed by state with their reason, and be tried again by a button",
          "hosts/settings/Inbox.test.ts > MUST lead from page to page, each small and harmless whatever the platform",
          "hosts/settings/Inbox.test.ts > MUST be shown to a read-only visitor, and tried again by none (D57, D58)",
        ],
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
        id: "D75",
        title: "Bulk in and out",
        text:
          "An import reads customizers, designs or orders from a file of JSON lines with their ids, and stores many of " +
          "them in one commit. What it leaves MUST be what a call for each line in turn would leave, events included, " +
          "also if other calls change the same objects meanwhile. Run again, it MUST continue after the last line that " +
          "is done, and lose and double nothing if it was killed; it MUST refuse a file of another length, or whose done " +
          "lines are others. It MUST change nothing that is stored with the same content, and keep lines that can't be " +
          "imported beside the file, each with the reason. A byte order mark at the beginning of the file is none of its " +
          "text. An export MUST have all orders or " +
          "designs of a shop, from a time on if one is given, as the objects of the REST API or as a table with a line " +
          "for each design and a column for each production key, and hold a page of them at a time. If the removal " +
          "of the shop begins before its end, it MUST end with an error, so that it does not look whole, also to a " +
          "client of HTTP/1.0. Texts that a " +
          "spreadsheet would run as a formula begin with an apostrophe in it.",
      },
    ],
  },
]
