/** The lines to make: lines of orders whose designs are ordered and not cancelled (D69). */
import { Effect } from "effect"
import type { Design } from "../../model/catalog/Design.ts"
import type { Instant } from "../../model/Instant.ts"
import type { Order } from "../../model/orders/Order.ts"
import type { LineOfOrder } from "../../model/orders/OrderLine.ts"
import type { Position, StoredPage } from "../../model/Page.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { type LinedOrder, linedOrders } from "../../support/LinedOrders.ts"

/** Which lines of a shop to read: of all customizers and at any time, unless it says otherwise. */
export interface ProductionQuery {
  readonly shop: string
  readonly customizer: number | null
  /** Only lines of orders placed at this instant or later. */
  readonly from: Instant | null
  /** Only lines of orders placed before this instant. */
  readonly until: Instant | null
}

/** The place of a line: how many lines of the first order after a position are before it. */
export interface LinePlace {
  readonly after: Position | null
  readonly skip: number
}

/** Pieces to make, all alike. */
export interface ToMake {
  readonly order: Order
  readonly line: LineOfOrder
  readonly design: Design
}

/** Orders and bytes that a step reads, and orders that a page looks at: few may have lines of the customizer. */
const [ordersOfStep, bytesOfStep, ordersOfPage] = [25, 512 * 1024, 500]

/** The position before the orders that were placed before an instant. */
export const beforeAll = (until: Instant | null): Position | null =>
  until === null ? null : { orderedAt: until, id: "" }

/** The lines of an order to make. */
export const toMake = (
  { lines, order }: LinedOrder,
  { customizer }: Pick<ProductionQuery, "customizer">,
): ReadonlyArray<ToMake> => {
  const designs = new Map(order.designs.map((design) => [design.id, design]))
  return lines.flatMap((line) => {
    const design = designs.get(line.designId)
    if (design === undefined || line.status !== "ordered" || line.quantity === 0) return []
    return customizer === null || design.customizer.id === customizer ? [{ order, line, design }] : []
  })
}

/**
 * Lines to make, the newest orders first: about `limit` of them, each with its place, and the place after them if there
 * may be more. A page that finds few in many orders ends early.
 */
export const readProduction = Effect.fnUntraced(function* (
  query: ProductionQuery & { readonly place: LinePlace | null; readonly limit: number },
) {
  const { from, limit, place, shop, until } = query
  const store = yield* OrderStore
  const lines: Array<ToMake & { readonly place: LinePlace }> = []
  let after = place?.after ?? beforeAll(until)
  let skip = place?.skip ?? 0
  for (let looked = 0; looked < ordersOfPage && lines.length < limit; looked += ordersOfStep) {
    const page: StoredPage = yield* store.readOrders({
      ...{ shop, limit: ordersOfStep, bytes: bytesOfStep, after, orderedAfter: from },
    })
    const wires = page.orders.map(({ wire }) => wire)
    for (const lined of yield* linedOrders(store, shop, wires)) {
      for (const [index, line] of toMake(lined, query).entries()) {
        if (index >= skip) lines.push({ ...line, place: { after, skip: index } })
      }
      skip = 0
      after = { orderedAt: Date.parse(lined.order.orderedAt), id: lined.order.id }
    }
    if (page.next === null) return { lines, next: null }
  }
  return { lines, next: { after, skip: 0 } satisfies LinePlace }
})
