import { compareIds } from "../Ids.ts"
import type { Instant } from "../Instant.ts"
import type { Position } from "../Page.ts"
import type { OrderRecord, OrderStatus } from "./Order.ts"

/** A search for the beginning of a text looks at this many orders by their id, and as many by their name, at most. */
export const searchReach = 1_000

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

/** Some of a shop's orders, newest first. */
export interface FoundOrders {
  readonly orders: ReadonlyArray<ListedOrder>
  /** The last order's position, if more follow. */
  readonly next: Position | null
  /** Whether more than {@link searchReach} ids or names begin with the text, so that some were not looked at. */
  readonly isCut: boolean
}

/** The query for an order by its id, with some of its designs. */
export const orderById = (shop: string, id: string, designs: DesignsShown): OrderSearch => ({
  ...{ shop, ids: [id], text: null, status: null, from: null, until: null, after: null, limit: 1, designs },
})

/** The form of a name, and of a text to find, in which a search compares them. */
export const searchKey = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
