import type { Section } from "./Requirement.ts"

/** What owners see and change, and who is allowed to. */
export const decisionsShops: ReadonlyArray<Section> = [
  {
    id: "decisions-shops",
    title: "Decisions on shops, access and the settings app",
    from: "decision",
    rows: [
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
        id: "D45",
        title: "Isolation of shops",
        text:
          "Endpoints that hang, fail or answer slowly, however many, MUST NOT delay the deliveries of another shop " +
          "by more than the attempts that are already under way. An endpoint is proven when its last attempt " +
          "succeeded in less than two seconds; until then it has one slot of a worker. All endpoints that are not " +
          "proven have half of the slots together, so that the other half is kept for those that are, and a shop " +
          "has at most half of the slots. Endpoints that were slow, or failed again before a success, leave a part of " +
          "that half to newcomers: endpoints that were never tried, were just turned on, or failed once after successes. " +
          "While newcomers wait, the oldest attempts at newcomers leave their slots and stay under way: at most eight for " +
          "each slot. A newcomer that a signal named last waits a quarter of a second at most, however many of them hang.",
        tests: [
          "core/usecases/dispatch/SlotShares.test.ts > MUST be shared: half for endpoints that are not proven, one each",
          "core/usecases/dispatch/SlotShares.test.ts > MUST serve a new endpoint, and one that failed once, at once",
          "core/usecases/dispatch/SlotShares.test.ts > MUST serve a new endpoint within 250 ms while hundreds of new",
          "core/usecases/dispatch/SlotShares.test.ts > A shop MUST have at most half of a worker's slots",
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
    ],
  },
]
