/** The queries of lists. Made from core/model/queries by `npm run functions`: change those. */
import type { EndpointKind } from "../../core/model/Resources.ts"

/** The orders to list. */
export interface OrdersQuery {
  /** Orders on a page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** pagination.nextCursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * Only orders placed at or after this time: an RFC 3339 date-time with an offset or Z, or a date. Of the other
   * forms of ISO 8601 only the basic form and times without seconds are accepted.
   */
  readonly orderedAfter?: string | Date | undefined
}

/** The part of the event feed to read. */
export interface EventsQuery {
  /**
   * pagination.nextCursor of an earlier page. Without it the feed begins with the oldest stored event. `latest`
   * begins with the next event.
   */
  readonly after?: string | undefined
  /** Events on a page, 1 to 100. Default: 25. */
  readonly limit?: number | undefined
  /** Only events of these kinds. Default: all. */
  readonly types?: ReadonlyArray<EndpointKind> | undefined
}

export const ordersParameters = ["cursor", "limit", "orderedAfter"] as const

export const eventsParameters = ["after", "limit", "types"] as const
