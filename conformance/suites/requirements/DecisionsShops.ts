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
          "sends nothing and cannot be undone. It is the one change of a frozen design alongside its status. A single " +
          "design can be redacted likewise, whatever its status (`POST …/designs/{id}/redact`). A draft can be " +
          "deleted (`DELETE …/designs/{id}`, 204), and its kept events are redacted in the same step; an ordered or " +
          "cancelled one is 409.",
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
      },
      {
        id: "D56",
        title: "Tokens of a shop",
        text: "A shop MUST have at most 100 tokens: creating one more is refused, also if requests race.",
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
      },
      {
        id: "D60",
        title: "Figures of deliveries",
        text:
          "Figures of what an endpoint was sent MUST come from counts, not from the log: by endpoint and hour of " +
          "the attempts' beginning, deliveries that succeeded, attempts that failed, deliveries that were given up, " +
          "and durations in fixed classes, of which a figure MUST NOT say more than the class. An attempt MUST be " +
          "counted exactly once, in the transaction that settles " +
          "it, whatever workers do at the same time. Tests MUST NOT be counted. Counts MUST be kept for 30 days, and go with " +
          "their endpoint. What is pending MUST be counted whenever it was created.",
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
          "column and path. Definitions MUST be published only by those whom the operator or `authorize` allows. " +
          "Lines to make MUST be listed, and exported as a table, by customizer and day of the order: each line of " +
          "an order whose design is ordered and not cancelled, with its quantity and production codes, and no other. A " +
          "text of a buyer MUST be shown for production as it was entered, with every character that can't be seen. An " +
          "archive of an order's pictures, and of its uploads whose ids are addresses, MUST hold each that can be read " +
          "and name each other with the reason. Connections for it MUST go only to addresses that webhooks may be sent " +
          "to (D34–D37), and end when its reader leaves. Days by which lists are filtered MUST be of the browser's zone " +
          "if a script has named it, else of UTC.",
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
      },
    ],
  },
]
