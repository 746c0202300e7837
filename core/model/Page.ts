import { Schema } from "effect"
import type { Instant } from "./Instant.ts"
import { Order } from "./orders/Order.ts"

/** The end of a page of a list. */
export const Pagination = Schema.Struct({
  limit: Schema.Int.annotate({ description: "Page size applied" }),
  nextCursor: Schema.NullOr(Schema.String).annotate({
    description: "Pass as after for the next page; null on the last page",
  }),
})
export type Pagination = typeof Pagination.Type

/** A page of a list. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: Pagination
}

/** The end of a page of orders: the last order on it. The next page begins after it (D14). */
export interface Position {
  readonly orderedAt: Instant
  readonly id: string
}

/** One page of `GET /orders` as a store gives it (§4, D14). */
export interface StoredPage {
  /** Wire forms, newest first. */
  readonly orders: ReadonlyArray<{ readonly wire: string; readonly etag: string }>
  /** All orders that match the filter, on this page or not. */
  readonly total: number
  /** The last order's position, if more orders follow. */
  readonly next: Position | null
}

/** Orders on a page of `GET /orders` when the caller names no number (§8). */
export const defaultLimit = 25

/** Orders on a page of `GET /orders` at most (§8). */
export const maximumLimit = 100

/**
 * The body of a page has at most this many bytes, unless its only order has more: it ends early rather than exceed them
 * (D46).
 */
export const maximumPage = 8 * 1024 * 1024

/**
 * The entries of other pages have at most this many bytes of text, unless the only one has more. In JSON a text may
 * take six times its bytes, so that these pages stay below {@link maximumPage} too.
 */
export const maximumTexts = 1024 * 1024

/** A page of orders (§2.4). */
export const OrderPage = Schema.Struct({
  data: Schema.Array(Order),
  pagination: Schema.Struct({
    total: Schema.Int.annotate({ description: "Total number of matching orders" }),
    limit: Schema.Int.annotate({ description: "Page size applied. A page that would exceed 8 MiB ends earlier" }),
    nextCursor: Schema.NullOr(Schema.String).annotate({
      description: "Pass as cursor for the next page; null on the last page",
    }),
  }),
}).annotate({ identifier: "OrderPage" })
export type OrderPage = typeof OrderPage.Type
