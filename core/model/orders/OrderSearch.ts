import { compareIds } from "../Ids.ts"
import type { Instant } from "../Instant.ts"
import type { Position } from "../Page.ts"
import type { OrderRecord, OrderStatus } from "./Order.ts"

/** A search for the beginning of a text looks at this many orders by their id, and as many by their name, at most. */
export const searchReach = 1_000

/** Totals count this many designs, of as many orders, the newest ones, at most. */
export const designsCounted = 10_000

/** The text that the wire form of a design of a customizer has, and no other: quotes in its values are escaped. */
export const customizerMark = (id: number): string => `"customizer":{"id":${id},`

/** The order in which orders are found. */
export const newestFirst = (left: Position, right: Position): number =>
  right.orderedAt - left.orderedAt || compareIds(right.id, left.id)

/** A query for some of a shop's orders. */
export interface OrderSearch {
  readonly shop: string
  /** Only the orders with these ids. */
  readonly ids?: ReadonlyArray<string>
  /** Only orders whose id or name begins with this text, or is equal to it; letters A to Z of a name in either case. */
  readonly text: string | null
  /** Only orders whose id or name is the whole text. Default: also those that begin with it. */
  readonly exact?: boolean
  readonly status: OrderStatus | null
  /**
   * Only orders with a design of this customizer. A search then looks at {@link searchReach} orders at most, and `next`
   * says where it stopped, although it may have found fewer than `limit`.
   */
  readonly customizer?: number | null
  /** Whether the totals of all pages are returned, too; only without `text` and `after`. */
  readonly isCounted?: boolean
  /** Only orders placed at this instant or later. */
  readonly from: Instant | null
  /** Only orders placed before this instant. */
  readonly until: Instant | null
  /** Only orders after that position. */
  readonly after: Position | null
  readonly limit: number
  /** The designs that are returned of each order. */
  readonly designs: DesignsShown
}

/** The designs of an order that are returned with it. */
export interface DesignsShown {
  /** How many of the first are left out. */
  readonly skip: number
  readonly limit: number
  /** A wire form with more bytes of UTF-8 is left out. */
  readonly bytes: number
}

/** A design of an order. */
export interface ListedDesign {
  readonly id: string
  /** Its wire form (§2.1); `null` if it is too long. */
  readonly wire: string | null
}

/** An order with some of its designs. */
export interface ListedOrder {
  readonly order: OrderRecord
  /** How many designs the order has. */
  readonly total: number
  /** Some of them, in line order. */
  readonly designs: ReadonlyArray<ListedDesign>
}

/** What some orders come to: with a customizer, only its designs of them. */
export interface OrderTotals {
  readonly orders: number
  readonly designs: number
  /** The quantities of their lines; one for a design that no line names. */
  readonly pieces: number
  /** Whether there are more designs than {@link designsCounted}, and the older ones were left out. */
  readonly isMore: boolean
}

/** Some of a shop's orders, newest first. */
export interface FoundOrders {
  readonly orders: ReadonlyArray<ListedOrder>
  /** The position after which more may follow; `null` at the end. */
  readonly next: Position | null
  readonly totals?: OrderTotals | undefined
  /** Whether more than {@link searchReach} ids or names begin with the text, so that some were not looked at. */
  readonly isCut: boolean
}

/** The query for an order by its id, with some of its designs. */
export const orderById = (shop: string, id: string, designs: DesignsShown): OrderSearch => ({
  ...{ shop, ids: [id], text: null, status: null, from: null, until: null, after: null, limit: 1, designs },
})

/** The form of a name, and of a text to find, in which a search compares them. */
export const searchKey = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
