import type { Section } from "./Requirement.ts"

/** D1 to D10: designs, orders and their wire form. */
export const decisionsResources: ReadonlyArray<Section> = [
  {
    id: "decisions-resources",
    title: "Decisions on resources",
    from: "decision",
    rows: [
      {
        id: "D1",
        title: "Timestamps in UTC",
        text:
          "Timestamps MUST be kept and compared as UTC instants with millisecond precision, and written with three " +
          "decimals and a numeric offset, always: `2026-10-05T14:48:00.000+00:00`. Input may be any RFC 3339 " +
          "date-time with an offset or `Z`. Decimals after the third MUST be cut off, never rounded.",
      },
      {
        id: "D2",
        title: "Nulls of a draft",
        text:
          "`order` and `orderedAt` of a design MUST be present as `null` until it is ordered, and MUST stay set " +
          "after a cancellation.",
      },
      {
        id: "D3",
        title: "Cancelled designs",
        text:
          "Cancelling an order MUST cancel its designs in the same atomic change, and the `order.cancelled` event " +
          "MUST already show them as `cancelled`. The order's `total` stays the sum of all its designs. Cancelling " +
          "again MUST change nothing and send nothing.",
      },
      {
        id: "D4",
        title: "Saving again",
        text:
          "A draft may be saved again under the same id until it is ordered. It MUST be evaluated again, and there " +
          "MUST NOT be a second `design.created`. Saving an ordered or cancelled design MUST be refused with 409 " +
          "(`DesignFrozen`). Nothing about such a frozen design changes but its status (D43 will be the one " +
          "exception).",
      },
      {
        id: "D5",
        title: "Version of a design",
        text:
          "A design is bound to the version of its customizer that was published when the design was last saved. " +
          "It MUST keep that version when a newer one is published.",
      },
      {
        id: "D6",
        title: "Placing an order",
        text:
          "Placing an order names its designs with their line items. A platform reports the same order many times, " +
          "so placing MUST be repeatable: with the same content it changes and sends nothing; with more designs it " +
          "links those and updates `total`; a line that is left out stays linked. A different `name`, `orderedAt` " +
          "or line item for what is linked already MUST be refused with 409, with the field and both values in the " +
          "message and, for programs, in `conflict`. A design that is missing (404), " +
          "belongs to another order or is cancelled (409) MUST refuse the whole change, so that nothing of it is " +
          "stored. `lines: []` MUST be accepted and store no order (204), because a platform also reports orders " +
          "without custom items. `lines` left out is 400.",
      },
      {
        id: "D6a",
        title: "Currency of an order",
        text:
          "A design's price MUST keep the currency that the shop had when the design was last saved. An order has " +
          "one currency: the shop's when the order was first placed. A design in another currency MUST " +
          "refuse the order with 409, and the message names both currencies.",
      },
      {
        id: "D81",
        title: "Lines of an order",
        text:
          "A line of an order has at most one design. Two designs with one line item MUST be refused with 422, in one " +
          "report or in two. Nothing is stored then, and the message " +
          "names the line item and the designs. A line has a quantity, 1 by default, which MUST be reported with it. Of the " +
          "lines of a platform's order that name one design those that are shipped MUST count, if any is.",
      },
      {
        id: "D7",
        title: "Image URLs",
        text:
          "`images` MUST have one URL for each view of the definition, " +
          "`{imageBase}/designs/{designId}/{view}.png`, with the views in the order in which the steps name them. " +
          "`thumbnail` is `{imageBase}/designs/{designId}/{firstView}_thumb.png`. Who embeds the library may " +
          "supply another URL function. A URL MUST NOT change once it was given: a draft that is saved again keeps " +
          "the URLs of the views that it still has. A definition MUST have at least one step, and no view may be " +
          "named `<first view>_thumb`.",
      },
      {
        id: "D8",
        title: "What a plan allows",
        text:
          "A shop has the plan `free`, `pro` or `plus`; `pro` when left out. On `free` the REST API MUST answer " +
          "403 `{message}` to a valid token, tokens and endpoints cannot be created, sending a test event, " +
          "redelivering and recovering MUST be refused with 409, and nothing is sent. Leaving `free` MUST wake the " +
          "workers, so that waiting deliveries continue.",
      },
      {
        id: "D9",
        title: "Forms of ids",
        text:
          "Ids MUST begin with: `cmz_` for tokens, `whsec_` for signing secrets, `evt_` for events, `dlv_` for " +
          "deliveries, `whe_` for endpoints, `tok_` for token records, `dsn_` for designs whose id is generated. " +
          "Order ids of the platform, and design ids that the caller gives, are any 1 to 255 characters without " +
          "control characters. Ids belong to their shop: two shops may both have an order `1001`.",
      },
      {
        id: "D10",
        title: "Wire form",
        text:
          "A design or an order MUST be the same bytes in answers of the REST API and in the bodies of webhooks: " +
          "the fields in the order of §2, and no others.",
      },
    ],
  },
]
