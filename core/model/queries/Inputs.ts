/** The queries of lists, as use cases take them. Made from Queries.ts by `npm run functions`: change that. */

/** Query parameters of `GET /orders`. Numbers may be text, as in a URL. */
export interface OrdersInput {
  /** Orders on a page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** pagination.nextCursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * Only orders placed at or after this time: an RFC 3339 date-time with an offset or Z, or a date. Of the other
   * forms of ISO 8601 only the basic form and times without seconds are accepted.
   */
  readonly orderedAfter?: string | undefined
}

/** Query parameters of `GET /events`. Numbers may be text, as in a URL. */
export interface EventsInput {
  /**
   * pagination.nextCursor of an earlier page. Without it the feed begins with the oldest stored event. `latest`
   * begins with the next event.
   */
  readonly after?: string | undefined
  /** Events on a page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** Only events of these kinds. Default: all. */
  readonly types?: ReadonlyArray<string> | string | undefined
}

/** Query parameters of a list of platforms' events (D57). Numbers may be text, as in a URL. */
export interface InboxInput {
  /** Events on a page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
  /** Only events in this state. */
  readonly state?: string | undefined
}

/** Query parameters of a list of drafts (D86). Numbers may be text, as in a URL. */
export interface DraftsInput {
  /** Which designs: drafts are listed; orders have the others. Default: draft. */
  readonly status?: string | undefined
  /** Drafts on a page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
  /** Only drafts of this customizer, 1 to undefined. */
  readonly customizer?: number | string | undefined
  /** Only drafts that were not saved again since this time (RFC 3339) or date. */
  readonly savedBefore?: string | undefined
}

/** Query parameters of a list of changes (D59). Numbers may be text, as in a URL. */
export interface AuditInput {
  /** Changes on a page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
  /** Only changes of things of a type, e.g. `endpoint`, or of one thing, e.g. `endpoint:whe_…`. */
  readonly subject?: string | undefined
  /** Only changes at this time (RFC 3339) or date, or later. */
  readonly from?: string | undefined
  /** Only changes before this time (RFC 3339) or date. */
  readonly to?: string | undefined
}

/** Query parameters of a delivery log. Numbers may be text, as in a URL. */
export interface LogInput {
  /** Deliveries on a page, 1 to 100. Default: 50. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
}

/** Query parameters of the list of shops. Numbers may be text, as in a URL. */
export interface ShopsInput {
  /** Shops on a page, 1 to 100. Default: 100. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
}

/** What to export of a shop (D75). */
export interface ExportInput {
  /**
   * `orders` with their designs, single `designs`, drafts included, or the `lines` of orders with their quantities.
   */
  readonly kind?: string | undefined
  /** Only orders placed, or designs created, at this time or later: a date-time, or a date in UTC. */
  readonly since?: string | undefined
  /**
   * `jsonl`: the objects of the REST API, or orders with their lines, one on each line. `csv`: a line for each
   * design, or for each line of an order. Default: jsonl.
   */
  readonly format?: string | undefined
}
