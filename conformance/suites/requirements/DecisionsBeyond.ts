import type { Section } from "./Requirement.ts"

/** D39 to D50: what the service offers and guards beyond the specification. */
export const decisionsBeyond: ReadonlyArray<Section> = [
  {
    id: "decisions-beyond",
    title: "Decisions beyond the specification",
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
        tests: [
          "hosts/server/Events.test.ts > MUST answer {data, pagination: {limit, nextCursor, hasMore}}, oldest first",
          "adapters/postgres/Feed.test.ts > a reader MUST find the commits of",
          "core/support/FeedCursors.test.ts > MUST reveal nothing of the position, which counts the events of all",
          "core/support/FeedCursors.test.ts > MUST also be opened in its earlier form, which no longer opens for",
        ],
      },
      {
        id: "D40",
        title: "Rotating a secret",
        text:
          "Rotating MUST make a new signing secret, which is shown once. `X-Service-Signature` MUST be made with " +
          "the old secret until the owner promotes the new one or the overlap is over (24 hours when left out, 0 " +
          "to 7 days), and with the new one from then on. An overlap of 0 replaces the secret at once, for one " +
          "that has leaked. The receiver kit MUST take a list of secrets.",
        tests: [
          "core/usecases/dispatch/Rotation.test.ts > MUST sign with the old secret for a day, and then with the new",
          "core/usecases/dispatch/Rotation.test.ts > MUST replace a leaked secret at once, even during a rotation",
          "hosts/manage/SigningSecrets.test.ts > MUST answer 200 Endpoint with the new secret, only once",
          "hosts/manage/SigningSecrets.test.ts > MUST refuse with 400 an overlap that is not whole seconds up to 7",
          "hosts/receiver/index.test.ts > MUST be accepted with any of several secrets, and refused with two others",
        ],
      },
      {
        id: "D41",
        title: "Standard Webhooks headers",
        text:
          "An endpoint may ask for the headers of Standard Webhooks beside the service's own; by default it gets " +
          "none. They MUST be `webhook-id` (the event id), `webhook-timestamp` and `webhook-signature`: `v1,` and " +
          "the base64 HMAC-SHA256 of `id.timestamp.body` under the base64-decoded part of the secret. During a " +
          "rotation there is a signature for each of both secrets, separated by a space.",
        tests: [
          "core/usecases/dispatch/StandardWebhooks.test.ts > MUST be left out unless the endpoint turns them on",
          "core/usecases/dispatch/StandardWebhooks.test.ts > MUST be accepted by the library with both secrets",
          "hosts/receiver/StandardWebhooks.test.ts > MUST be accepted with either secret of a rotation, whichever",
        ],
      },
      {
        id: "D42",
        title: "Notices to the owner",
        text:
          "The owner MUST be notified, through a port, when an endpoint has failed 10 times in a row, when it is " +
          "switched off, and when a delivery is given up: once each, after it is settled. A notice that fails MUST " +
          "be sent again by the schedule of deliveries, under the same id. Test events cause no notice.",
        tests: [
          "core/usecases/notices/SendNotices.test.ts > MUST send a notice again on the schedule if it could not be sent",
          "core/usecases/notices/SendNotices.test.ts > MUST send each notice once",
        ],
      },
      {
        id: "D43",
        title: "Erasing shops and texts",
        text:
          "Deleting a shop (`DELETE /shops/{shop}` of the management API) MUST remove everything of it. What calls " +
          "that are under way store afterwards is gone within a minute, whether a worker runs or not. Redacting " +
          "an order (`POST …/orders/{platformOrderId}/redact`) MUST replace the texts and upload ids in its " +
          "designs and in the events that are kept by `[redacted]`. It keeps codes and prices, changes the `ETag`, " +
          "sends nothing and cannot be undone. It is the one change of a frozen design beside its status. A single " +
          "design can be redacted likewise, whatever its status (`POST …/designs/{id}/redact`). A draft can be " +
          "deleted (`DELETE …/designs/{id}`, 204), and its kept events are redacted in the same step; an ordered or " +
          "cancelled one is 409.",
        tests: [
          "hosts/manage/Erasure.test.ts > MUST redact a design of any status: 200 with it, and new tags of it and its",
          "hosts/manage/Erasure.test.ts > MUST delete a draft: 204, once, with the texts in its kept events",
          "hosts/server/RemovedShops.test.ts > MUST be gone within a minute on a server without a worker",
          "hosts/server/RemovedShops.test.ts > MUST be gone within a minute on a worker without a server",
          "hosts/embed/Runtime.test.ts > What runs in the background MUST begin once, with the first call on a",
          "hosts/embed/Erasure.test.ts > deleting a draft MUST remove every text and upload of its buyer",
          "core/usecases/orders/RedactOrder.test.ts > MUST replace buyers' texts in its designs, leave everything else",
          "core/usecases/orders/RedactOrder.test.ts > MUST commit only designs that change, send nothing",
          "core/usecases/orders/RedactEvents.test.ts > MUST redact every kept event of its designs",
          "core/rules/Redaction.test.ts > MUST replace each text and upload id, and keep codes, prices",
        ],
      },
      {
        id: "D44",
        title: "Values kept as given",
        text:
          "`variantId` is a string or an integer and MUST be kept as given. The object of a text answer may have " +
          "further keys beside `text`: they MUST be kept in `selection` and are used for nothing.",
      },
      {
        id: "D45",
        title: "Isolation of shops",
        text:
          "Endpoints that hang, fail or answer slowly, however many, MUST NOT delay the deliveries of another shop " +
          "by more than the attempts that are already under way. An endpoint is proven when its last attempt " +
          "succeeded in less than two seconds; until then it has one slot of a worker. All endpoints that are not " +
          "proven have half of the slots together, so that the other half is kept for those that are, and a shop " +
          "has at most half of the slots. Endpoints that were slow, or failed again before a success, leave a part of " +
          "that half to newcomers: endpoints that were never tried, were just turned on, or failed once after successes.",
        tests: [
          "core/usecases/dispatch/SlotShares.test.ts > MUST be shared: half for endpoints that are not proven, one each",
          "core/usecases/dispatch/SlotShares.test.ts > MUST serve a new endpoint, and one that failed once, at once",
          "core/usecases/dispatch/SlotShares.test.ts > A shop MUST have at most half of a worker's slots",
        ],
      },
      {
        id: "D46",
        title: "Byte budgets",
        text:
          "A page of orders MUST end early, with a `nextCursor`, rather than exceed 8 MiB of body. A definition " +
          "has at most 200 steps, the wire form of a design at most 256 KiB, and the designs of an order at most 32 " +
          "MiB together. An answer MUST list at most 100 " +
          "problems and say how many more there are. At most two pages of a shop, and four of all shops, are read " +
          "and prepared at once by a process; more wait, and too many that wait are 503 with `Retry-After`. No other " +
          "read waits behind one, and a page whose client has left is cancelled at the database. " +
          "The answers that a process reads, prepares and sends have at most 64 MiB, of which one shop takes half at " +
          "most: beyond it its pages wait up to 5 seconds and are then 503 with `Retry-After`, as its other long " +
          "answers are at once; other shops' requests go on. The " +
          "compiled definitions that a process keeps have at most 64 MiB.",
        tests: [
          "core/rules/ShapeCheck.test.ts > 201 steps (D46)",
          "core/usecases/designs/SaveDesignAgain.test.ts > MUST have at most 256 KiB of wire form, counted in bytes",
          "core/model/Input.test.ts > MUST list at most 100 problems and say how many more there are",
          "core/rules/PublishCheckHostile.test.ts > MUST list 100 problems of 10,000 wrong questions and count them all",
          "core/api/PagesUnderWay.test.ts > MUST be at most two of one shop, while another shop's go on",
          "core/api/PagesUnderWay.test.ts > MUST refuse with 503 and Retry-After those that are too many to wait",
          "core/api/PagesUnderWay.test.ts > MUST be interrupted if its client leaves, and give its place to the next",
          "adapters/postgres/PageReads.test.ts > pages that wait MUST leave half of the connections to others",
          "adapters/postgres/PageReads.test.ts > an interrupted page of",
          "adapters/postgres/PageReads.test.ts > an order of many megabytes MUST be read like a page",
          "core/api/AnswerBytes.test.ts > MUST be held by one shop up to half, and there MUST be room for others",
          "core/api/PagesUnderWay.test.ts > MUST wait up to 5 seconds for room beside unread answers of its shop",
          "core/api/PagesUnderWay.test.ts > MUST be refused with 503 and Retry-After, alone of all shops",
          "core/api/PagesUnderWay.test.ts > MUST take no place of other shops while they wait for room",
          "core/api/CountedBody.test.ts > a body that nothing is taken of for 10 seconds MUST be dropped",
          "hosts/server/UnreadAnswers.test.ts > an answer that its client does not read MUST leave no room for more",
          "hosts/server/UnreadAnswers.test.ts > a fetch handler MUST count bodies that are not read",
          "hosts/server/LongText.test.ts > a long text MUST arrive as it is",
          "adapters/pglite/PageReads.test.ts > pages that are interrupted MUST give the connection back",
          "hosts/server/Pages.test.ts > MUST be at most two of one shop, and other reads go on",
          "core/usecases/orders/PlaceOrder.test.ts > MUST refuse more than 32 MiB of designs before it has read them all",
          "core/support/CompiledDefinition.test.ts > MUST be kept up to 64 MiB, the least recently used dropped",
        ],
      },
      {
        id: "D47",
        title: "Denied networks",
        text:
          "An operator can deny networks beside the allowed ones (D37); if a network is both, denied MUST win. " +
          "The addresses of the machine's own network interfaces MUST be refused unless they are allowed.",
        tests: [
          "adapters/node/OwnNetworks.test.ts > MUST refuse the addresses of the machine's interfaces, even public",
          "adapters/node/OwnNetworks.test.ts > MUST let an operator allow them (D47)",
          "core/rules/PublicHost.test.ts > MUST be refused even if they are allowed too: denied wins (D47)",
        ],
      },
      {
        id: "D48",
        title: "Unknown fields",
        text:
          "A field that does not exist MUST be refused in every body of the management API (422), naming it and the " +
          "nearest field that exists, and nothing is stored. Objects that the specification lets grow stay open: the " +
          "further keys of a definition (F-15) and of a text answer (D44).",
        tests: [
          "hosts/manage/UnknownFields.test.ts > MUST be refused with 422 in every body, naming it and the nearest",
          "hosts/manage/UnknownFields.test.ts > MUST be found within the lines of an order",
          "hosts/embed/Errors.test.ts > MUST be InvalidInput for fields that do not exist, naming the nearest",
        ],
      },
      {
        id: "D49",
        title: "Changes of unknown outcome",
        text:
          "A request to change something that is answered 503 may have been carried out, because it took too " +
          "long or the connection to the store was lost. The answer MUST say that nothing was stored, or that " +
          "it is not known. What waits for a lock when a request to the management API is answered so MUST NOT " +
          "take effect afterwards. Every POST " +
          "of the management API takes `Idempotency-Key`, 1 to 255 characters, by shop: for 24 hours the same " +
          "request with the same key MUST get the first answer again, byte for byte and on every host, and " +
          "change nothing. With another body or path the key MUST be 422, and 409 while the first request is " +
          "under way. A change and its answer are stored together or not at all, also if a process is killed; " +
          "answers are kept sealed. After a 503 nothing is kept, and the request may be sent again with its " +
          "key.",
        tests: [
          "hosts/server/Server.test.ts > MUST say that the outcome of a change is not known if it takes too long",
          "adapters/sql/statements/Outcome.test.ts > a COMMIT MUST count as refused only if the server has said so",
          "hosts/server/LockedTables.test.ts > a change that the database refuses MUST be answered with 503 that says",
          "hosts/server/LockedTables.test.ts > a change whose connection is lost MUST be answered with 503",
          "hosts/server/LockedTables.test.ts > a change MUST NOT take effect after it was answered with 503",
          "hosts/manage/IdempotencyKey.test.ts > MUST get the first answer again, on every host, and change nothing",
          "hosts/manage/IdempotencyKey.test.ts > MUST be refused with 422 if another body or path had its key",
          "hosts/manage/IdempotencyKey.test.ts > MUST be carried out once if it is sent many times at the same time",
          "hosts/manage/IdempotencyKey.test.ts > MUST keep no secret in readable form, and nothing of a shop that",
          "hosts/manage/IdempotencyKills.test.ts > a server killed at any step MUST leave both the change and its answer",
          "core/usecases/AnswerOnce.test.ts > the answer MUST be the first one for 24 hours, with upkeep in between",
          "core/usecases/AnswerOnce.test.ts > a refusal MUST be kept like an answer, and another failure MUST leave the",
        ],
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
          "`design.ordered` events before `order.cancelled`. Later it is not applied.",
        tests: [
          "core/usecases/orders/CancelOrder.test.ts > MUST be kept for 24 hours and applied in the change that",
          "core/usecases/orders/CancelOrder.test.ts > MUST be nothing for 24 hours if the order came without custom",
          "core/usecases/orders/CancelOrder.test.ts > MUST NOT be applied after 24 hours, counted from the last",
          "hosts/embed/Postgres.test.ts > MUST keep the cancellation of an order that has not come, and apply it",
          "hosts/embed/Facade.test.ts > MUST be cancelled when they are placed, if their cancellation came before",
          "hosts/manage/Manage.test.ts > POST …/orders/{id}/cancel MUST answer 200 Order, 202 to an unknown order",
        ],
      },
      {
        id: "D51",
        title: "Paused endpoints",
        text:
          "The owner may pause an endpoint. Until it is enabled, nothing but test events MUST be sent to it: its " +
          "pending deliveries are held as if it were switched off (D28), and new events make none. Nobody gets a " +
          "notice. Enabling a paused endpoint MUST say how many events it has missed. Pausing one that is off " +
          "already changes nothing.",
        tests: [
          "hosts/manage/States.test.ts > MUST pause an endpoint, hold what is pending, and say what it missed",
          "hosts/settings/Webhooks.test.ts > MUST pause an endpoint and enable it again, and say what it missed",
        ],
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
        tests: [
          "core/rules/deliveries/Ordering.test.ts > MUST be the order of the event, or else its design",
          "adapters/postgres/Lines.test.ts > MUST NOT change in a transaction that can't see what others have added to them",
          "hosts/worker/Ordering.test.ts > three workers MUST keep the order of each object over SIGKILLs, redeliveries " +
            "and pauses, and hold up no other (D53)",
        ],
      },
      {
        id: "D54",
        title: "Pace of an endpoint",
        text:
          "At most `maxPerSecond` (1 to 1,000) attempts to an endpoint MUST begin in any second, and at most " +
          "`maxConcurrent` (1 to 8) MUST be under way at the same time, over all workers. Deliveries that wait for it " +
          "MUST NOT count as attempts or failures, nor as past due, and MUST NOT hold up those to other endpoints. Time " +
          "in which nothing was sent is not made up for. By default an endpoint has none.",
        tests: [
          "core/usecases/dispatch/Pace.test.ts > MUST space the attempts of two workers evenly, within the limit of any " +
            "second (D54)",
          "core/usecases/dispatch/Pace.test.ts > MUST give back an attempt that is too late for its start, and make it " +
            "later (D54)",
          "core/usecases/dispatch/Pace.test.ts > MUST be waited for by a drain, until its deadline (D54)",
          "hosts/worker/Pace.test.ts > three workers MUST keep the pace of an endpoint over SIGKILLs, and deliver " +
            "everything (D54)",
        ],
      },
      {
        id: "D55",
        title: "Authentication of deliveries",
        text:
          "An endpoint may have up to ten headers of its owner's, which its deliveries MUST have beside those of the " +
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
        tests: [
          "core/model/deliveries/OwnHeaders.test.ts > MUST NOT be what the connection or the service sets",
          "core/model/deliveries/OwnHeaders.test.ts > MUST be ten at most, none twice whatever its case",
          "core/usecases/dispatch/EndpointOptions.test.ts > MUST send its owner's headers, kept sealed and shown by",
          "core/model/deliveries/ClientCredentials.test.ts > MUST have a token URL, an id and a secret of visible",
          "core/rules/deliveries/AccessToken.test.ts > MUST authenticate the client as RFC 6749 §2.3.1 says",
          "core/rules/deliveries/AccessToken.test.ts > MUST last until a minute before its end",
          "core/rules/deliveries/AccessToken.test.ts > MUST say why there is none, by a code of RFC 6749",
          "core/rules/deliveries/AccessToken.test.ts > MUST have one Authorization, whatever the case of another",
          "core/usecases/dispatch/AccessTokens.test.ts > MUST fail the attempt with the reason if there is none",
          "core/usecases/dispatch/AccessTokens.test.ts > MUST be requested with the client's secret, sent, and never",
          "core/usecases/dispatch/AccessTokens.test.ts > MUST be requested once by attempts at the same time",
          "core/usecases/dispatch/AccessTokens.test.ts > MUST be dropped after a 401, which is the attempt's outcome",
          "core/usecases/dispatch/AccessTokens.test.ts > MUST NOT be set beside a header Authorization",
          "core/usecases/dispatch/EndpointOptions.test.ts > MUST present its client certificate, kept sealed and",
          "adapters/node/CertificateReader.test.ts > MUST be read with its subject and its end",
          "adapters/node/CertificateReader.test.ts > MUST be refused with the reason, and without the key",
          "hosts/settings/Webhooks.test.ts > MUST set a client certificate, keep it if the field is left empty",
          "hosts/worker/AccessTokens.test.ts > MUST be asked once by 20 attempts at the same time",
          "hosts/settings/Webhooks.test.ts > MUST set an OAuth client, keep it if its secret is left empty",
        ],
      },
      {
        id: "D56",
        title: "Tokens of a shop",
        text: "A shop MUST have at most 100 tokens: creating one more is refused, also if requests race.",
        tests: [
          "hosts/manage/Manage.test.ts > POST …/tokens MUST answer 409 with a reason beyond a hundred tokens",
          "hosts/settings/Settings.test.ts > MUST say why a store with a hundred tokens gets no other",
        ],
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
          "redact orders is carried out, and one to remove the shop if it names the shop's domain.",
        tests: [
          "core/rules/ingest/ReadEvent.test.ts > MUST take the design from the property with the configured name",
          "core/rules/ingest/ReadEvent.test.ts > MUST read a cancelled order as cancelled, in any topic",
          "core/rules/ingest/ReadEvent.test.ts > MUST read a deletion, which has the id alone, as a cancellation",
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
        id: "D58",
        title: "Settings link",
        text:
          "A link to the settings app is for one store and names the person whom its changes are logged for. It ends " +
          "after 15 minutes, or when its maker says, at most 24 hours later. It may name the page to begin with, and " +
          "may be read-only: nothing can be changed then, but definitions can be checked and choices tried. Opening a " +
          "link MUST change nothing: its page has a button, and only the request of that button begins the session, " +
          "once, also if requests race. Sessions and their end MUST hold in every process: signing out ends one, " +
          "signing out everywhere all of a person's.",
        tests: [
          "hosts/settings/Link.test.ts > MUST show a button, and begin a session for its store only, with its person and",
          "hosts/settings/Link.test.ts > MUST NOT be used up by programs that open it before a person does",
          "hosts/settings/Link.test.ts > MUST open the settings once, and say where to get a new link afterwards",
          "hosts/settings/Link.test.ts > MUST end after fifteen minutes, or when its maker says",
          "hosts/settings/Link.test.ts > MUST let a read-only visitor see every page, and change nothing",
          "hosts/settings/Link.test.ts > MUST let a read-only visitor check a definition and try choices, and publish",
          "hosts/settings/Link.test.ts > MUST be refused if it is forged, of another store, another installation or",
          "hosts/settings/Link.test.ts > MUST be logged with its person when it is made and used, and its secret never",
          "hosts/embed/SettingsLink.test.ts > MUST return a link that lets its person in once, at the page it names, as",
          "hosts/embed/SettingsLink.test.ts > MUST open the pages of its store alone, beside authorize, to a browser that",
          "hosts/embed/SettingsLink.test.ts > MUST fail with Conflict without the option settings, NotFound without the",
          "hosts/settings/Link.test.ts > MUST end all sessions of its person in the store when they sign out everywhere,",
          "hosts/settings/Sessions.test.ts > MUST survive a restart, and end in every process when they are signed out",
        ],
      },
      {
        id: "D59",
        title: "Audit of changes",
        text:
          "Every change of a shop's settings by a person or a key MUST have an entry: when, by whom, what, and the " +
          "fields that changed, before and after, without secrets. A URL has its origin, its path and the names in its " +
          "query there: user info and values in the query may be secrets, so that they are in no entry and in no line " +
          "of the log. The entry MUST be stored in the transaction of the " +
          "change: both or neither. A change that changes nothing has none. Entries MUST be kept for 400 days, and go " +
          "with their shop. That the service sees an endpoint fail, and switches it off, is among them. Orders and " +
          "designs that a platform sends are data, and have none unless they are redacted or deleted.",
        tests: [
          "core/usecases/ReadAudit.test.ts > MUST have an entry for every change, with the actor and the fields that",
          "core/usecases/ReadAudit.test.ts > MUST NOT have a secret, a token or a digest in any entry, whatever is",
          "core/usecases/ReadAudit.test.ts > MUST have URLs without the values in their queries, in entries and in the",
          "core/usecases/ReadAudit.test.ts > MUST be kept for 400 days (D59)",
          "core/rules/audit/RecordedUrl.test.ts > MUST have its origin, its path and the names in its query alone (D59)",
          "core/usecases/ReadAudit.test.ts > MUST be refused with the name of a parameter that is wrong",
          "hosts/manage/Audit.test.ts > MUST list changes with the management key as their actor, page by page",
          "hosts/embed/Audit.test.ts > MUST name the actor of a call, and the application without one",
          "hosts/settings/Audit.test.ts > MUST show every change with its time, its actor, and what it changed",
          "hosts/settings/Audit.test.ts > MUST tell on the page of an endpoint what happened to it, newest first, and",
        ],
      },
      {
        id: "D60",
        title: "Figures of deliveries",
        text:
          "Figures of what an endpoint was sent MUST come from counts, not from the log: by endpoint and hour of " +
          "the attempts' beginning, deliveries that succeeded, attempts that failed, deliveries that were given up, " +
          "and durations in fixed classes. An attempt MUST be counted exactly once, in the transaction that settles " +
          "it, whatever workers do at the same time. Tests are counted. Counts MUST be kept for 30 days, and go with " +
          "their endpoint. What is pending MUST be counted whenever it was created.",
        tests: [
          "core/model/activity/AttemptCounts.test.ts > MUST put a duration into the first class whose bound it does not exceed",
          "core/model/activity/AttemptCounts.test.ts > MUST count a success, a failed attempt with a retry, and one that gives",
          "core/usecases/ReadActivity.test.ts > MUST cover %s in %i steps, from %s to the end of the step that is not",
          "core/usecases/ReadActivity.test.ts > MUST add up endpoints, and count what is pending, whenever it was",
          "hosts/manage/Deliveries.test.ts > MUST count what an endpoint was sent by the hour, exactly, whatever its log",
          "hosts/settings/browser/Flows.test.ts > MUST sign in with the management key, choose a store, and show its",
        ],
      },
      {
        id: "D69",
        title: "Pages of the catalogue",
        text:
          "Orders MUST be found by the beginning of their id or their name, whose letters A to Z may be in either " +
          "case, by status and by time, newest first, in time that does not grow with the number of orders; only the " +
          "first 1,000 ids and names that begin with a text are looked at, and a page MUST report if there are more. " +
          "A search for a whole id or name MUST find every order that has it. A number MUST also find the names that " +
          "are `#` and the number, or begin so. " +
          "Customizers and their versions MUST be listed. A definition MUST be shown in words and evaluated without " +
          "anything being stored; every problem of one that is about to be published MUST be named with its line, " +
          "column and path. Definitions MUST be published only by those whom the operator or `authorize` allows.",
        tests: [
          "core/model/json/JsonPlaces.test.ts > MUST find %s at line %i, column %i",
          "core/usecases/customizers/CheckDefinition.test.ts > MUST name each problem with its place in the text, a missing",
          "core/usecases/orders/SearchOrders.test.ts > A number MUST find the orders whose name is or begins with the number",
          "core/usecases/orders/SearchOrders.test.ts > Pages of a number MUST have each order once, newest first (D69)",
          "hosts/settings/Catalog.test.ts > MUST find orders by number, name, state and date, newest first, and page",
          "hosts/settings/Catalog.test.ts > MUST page through all orders of one name from the search for it, more than a",
          "hosts/settings/Catalog.test.ts > MUST list customizers, their versions, and a definition in words",
          "hosts/settings/Catalog.test.ts > MUST show validity, price, summary and production data of the choices in",
          "hosts/settings/Catalog.test.ts > MUST show the problems at their questions, which questions are visible,",
          "hosts/settings/browser/CatalogFlows.test.ts > MUST publish a definition once it is mended, and not before, and",
          "hosts/settings/Embedded.test.ts > MUST let those publish for whom authorize returns publish, and others only",
        ],
      },
      {
        id: "D70",
        title: "Traces up to receivers",
        text:
          "With a tracer, an event MUST be stored, in its transaction, with the trace in which it happened, and every " +
          "attempt to deliver it MUST be a span of that trace and carry `traceparent` with that span, and the " +
          "`tracestate` that came with the request. No other header of a trace is sent. Without a tracer, or if an " +
          "option says so, receivers MUST NOT get these headers, and what came with a request is not passed on. A " +
          "malformed `traceparent` MUST be ignored, and a malformed `tracestate` dropped. Spans MUST NOT have secrets, " +
          "values of queries, or more of a receiver's URL than scheme, host and port.",
        tests: [
          "core/model/traces/TraceContext.test.ts > MUST write the context of a span as W3C Trace Context does, and read it",
          "core/model/traces/TraceContext.test.ts > MUST ignore a malformed traceparent",
          "core/model/traces/TraceContext.test.ts > MUST drop a malformed tracestate",
          "hosts/cli/Traces.test.ts > an order's trace MUST go on from the request through its event to every attempt",
          "hosts/cli/Traces.test.ts > receivers MUST NOT get a trace if the host does not export, or if an",
          "hosts/embed/Telemetry.test.ts > MUST continue the application's active span through its transaction to the",
          "hosts/embed/Telemetry.test.ts > MUST NOT send receivers a trace if traceReceivers is false",
        ],
      },
      {
        id: "D71",
        title: "Later by Retry-After",
        text:
          "An endpoint may heed `Retry-After` (`heedRetryAfter`). A retry after a 429 or 503 with that header, in " +
          "seconds or as a date, MUST then be no earlier than it asks, and at most 24 hours after the attempt, " +
          "unless the schedule's own wait is longer. The number of attempts stays the same. By default, and after " +
          "any other answer or a malformed header, nothing changes the schedule (D25).",
        tests: [
          "core/rules/deliveries/RetryAfter.test.ts > MUST put off the retry of an endpoint that heeds it",
          "core/rules/deliveries/RetryAfter.test.ts > MUST put it off by 24 hours at most, and not shorten a longer wait",
          "core/rules/deliveries/RetryAfter.test.ts > MUST be ignored unless the endpoint heeds it and the status is 429 or 503",
          "core/usecases/dispatch/EndpointOptions.test.ts > MUST let a receiver put off a retry if it heeds",
        ],
      },
      {
        id: "D72",
        title: "References instead of objects",
        text:
          'An endpoint may ask for `payload: "reference"`. The `data` of its deliveries MUST then have the ids of ' +
          "its design, or of its order and the order's designs, and nothing else of them; the rest of the envelope, " +
          "its signatures and its headers are as usual. A change of it holds from the next attempt on. " +
          "The default is `full`, as specified.",
        tests: [
          "core/rules/deliveries/Reference.test.ts > MUST have the ids of its objects alone if it wants references",
          "core/rules/deliveries/Reference.test.ts > MUST be the envelope byte for byte if the endpoint wants whole objects",
          "core/usecases/dispatch/EndpointOptions.test.ts > MUST send the ids of objects alone, signed as sent",
        ],
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
          "imported beside the file, each with the reason. An export MUST have all orders or " +
          "designs of a shop, from a time on if one is given, as the objects of the REST API or as a table with a line " +
          "for each design and a column for each production key, and hold a page of them at a time. Texts that a " +
          "spreadsheet would run as a formula begin with an apostrophe in it.",
        tests: [
          "hosts/cli/bulk/Bulk.test.ts > import MUST read customizers, designs and orders, and change nothing the second " +
            "time (D75)",
          "hosts/cli/bulk/Bulk.test.ts > import MUST put lines that can't be imported into a file beside, each with the " +
            "reason (D75)",
          "hosts/cli/bulk/Bulk.test.ts > import MUST go on where it was killed, and refuse a file that has changed " +
            "meanwhile (D75)",
          "hosts/cli/bulk/Bulk.test.ts > import MUST lose and double nothing if it is killed between the commits of its " +
            "lines (D75)",
          "core/usecases/bulk/Import.test.ts > MUST be stored as by a call for each, with the same events, many in one " +
            "commit (D75)",
          "core/usecases/bulk/Import.test.ts > MUST reject only the records that a call would refuse (D75)",
          "core/usecases/bulk/Import.test.ts > MUST come one after the other if they name the same design or order (D75)",
          "core/usecases/bulk/Import.test.ts > MUST change nothing that is stored already, whatever has become of it " +
            "since (D75)",
          "core/usecases/bulk/Import.test.ts > MUST be stored alone if another call changes one of them at the same time " +
            "(D75)",
          "core/usecases/bulk/Import.test.ts > MUST fail if the store does, rather than be rejected (D75)",
          "hosts/cli/bulk/Bulk.test.ts > export MUST write the objects of the REST API, or a line for each design with " +
            "its production codes (D75)",
          "hosts/manage/Export.test.ts > MUST answer with all orders or designs, byte for byte as the REST API has them " +
            "(D75)",
        ],
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
        tests: [
          "core/rules/deliveries/Wanted.test.ts > MUST be all of its kinds if it names no customizers, without a look",
          "core/rules/deliveries/Wanted.test.ts > MUST show a design of a customizer that it names",
          "core/rules/deliveries/Wanted.test.ts > MUST show one such design at least, if they are about an order",
          "core/usecases/webhooks/ManageEndpoints.test.ts > MUST name 1 to 100 customizers, each once, or all, and refuse",
          "core/usecases/ReadAudit.test.ts > MUST have the customizers of an endpoint before and after a change, and",
          "hosts/settings/Webhooks.test.ts > MUST set how deliveries are made, keep headers that are left empty, and",
        ],
      },
      {
        id: "D77",
        title: "Ends and scopes of tokens",
        text:
          "A token may have an end (`expiresAt`), later than its creation; by default it has none. From its end on it " +
          "MUST be refused like an unknown token, by the same bytes and at once on every host, and its use is not " +
          "recorded. A token may have some of the scopes `orders:read`, `designs:read`, `customizers:read` and " +
          "`events:read`, at least one, none twice; by default it has all. A request to a path of which the token " +
          "lacks the scope MUST be answered with 403 and a message that names the scope, with `WWW-Authenticate: " +
          'Bearer error="insufficient_scope"` (RFC 6750): after the 401 and the 403 of the plan, before everything ' +
          "else, whatever the method and whatever is there. It does not count (D16). Documents and unknown addresses " +
          "need no scope. Orders and events show the designs that they hold. " +
          "Seven days before the end of a token, or when it is created if it has less, there MUST be one notice " +
          "(`token.ending`, D42), unless the token was deleted before.",
        tests: [
          "core/usecases/tokens/Authenticate.test.ts > MUST refuse a token from its end on, even if it is known",
          "core/usecases/tokens/ManageTokens.test.ts > MUST have the end and the scopes of their input, and be refused",
          "core/rules/NoticeRules.test.ts > MUST be due once seven days before the end, or at once if the token has less",
          "core/usecases/notices/SendNotices.test.ts > MUST send the notice of a token's end seven days before, once,",
          "hosts/server/Access.test.ts > MUST answer 403 out of scope after 401 and the plan's 403, before all else, and",
          "hosts/server/Access.test.ts > MUST answer the same bytes to a token at its end as to an unknown one, at once",
          "hosts/manage/Manage.test.ts > POST …/tokens MUST store and show an end and scopes, and refuse others with 400",
          "hosts/client/Answers.test.ts > MUST be scope_required if its challenge says so, and plan_required otherwise",
          "hosts/settings/Tokens.test.ts > MUST get the chosen end and scopes, and show them and whether they have",
        ],
      },
      {
        id: "D78",
        title: "Upgrades without a stop",
        text:
          "A version and the next one MUST work together on one database while it is migrated: no request fails, and no " +
          "event is lost or delivered twice. A migration MUST declare which hosts go on beside it; if the hosts of the " +
          "version before do, it MUST only add to the schema. A host MUST go on beside migrations that it does not " +
          "know if they declare that it can, and otherwise MUST stop and name them.",
        tests: [
          "adapters/sql/schema/KnownMigrations.test.ts > from the twelfth on MUST say which hosts go on beside",
          "adapters/sql/schema/KnownMigrations.test.ts > MUST only add to the schema if older hosts go on, unless",
          "adapters/buckets/NewerSchema.test.ts > hosts MUST go on over buckets that the next version has expanded",
          "hosts/cli/Upgrade.test.ts > old and new hosts MUST serve together on",
        ],
      },
    ],
  },
]
