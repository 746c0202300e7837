import { Effect } from "effect"
import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import { compareIds } from "../../../core/model/Ids.ts"
import { fromHead, type OrderRecord } from "../../../core/model/orders/Order.ts"
import {
  customizerMark,
  type DesignsShown,
  designsCounted,
  type ListedOrder,
  newestFirst,
  type OrderSearch,
  type OrderTotals,
  searchKey,
  searchReach,
} from "../../../core/model/orders/OrderSearch.ts"
import { utf8Length } from "../../../core/model/Text.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { designsOf } from "../catalog/DesignsOf.ts"
import type { ShopState, State } from "../State.ts"

/** The searches of `OrderStore` in memory. */
export const makeOrderSearch = (state: State): Pick<OrderStore["Service"], "search"> => ({
  search: (query) =>
    Effect.sync(() => {
      const holdings = state.holdings.get(query.shop)
      if (holdings === undefined) return { orders: [], next: null, isCut: false }
      const { isCut, orders } = candidates(holdings, query)
      const found = orders
        .filter((order) => isFound(order, query))
        .filter((order) => hasDesignOf(holdings, order, query))
        .sort(newestFirst)
      const page = found.slice(0, query.limit)
      const totals = query.isCounted === true ? totalsOf(holdings, found, query) : undefined
      const last = found.length > page.length ? page.at(-1) : undefined
      return {
        orders: page.map((order) => listed(holdings, order, query.designs)),
        next: last === undefined ? null : { orderedAt: last.orderedAt, id: last.id },
        isCut,
        totals,
      }
    }),
})

const keyOf = (order: OrderRecord): string => searchKey(fromHead(order.head).name)

/** The orders that fit a text; not all of those that begin with it if they are many. */
const candidates = (holdings: ShopState, { exact = false, text }: OrderSearch) => {
  const orders = [...holdings.orders.values()]
  if (text === null) return { orders, isCut: false }
  if (exact) {
    return { orders: orders.filter((order) => order.id === text || keyOf(order) === searchKey(text)), isCut: false }
  }
  const all = orders.map((order) => ({ order, key: keyOf(order) }))
  const numbered = all
    .filter(({ order }) => order.id.startsWith(text))
    .sort((left, right) => compareIds(left.order.id, right.order.id))
  const named = all
    .filter(({ key }) => key.startsWith(searchKey(text)))
    .sort((left, right) => compareIds(left.key, right.key) || newestFirst(left.order, right.order))
  const reached = [...numbered.slice(0, searchReach), ...named.slice(0, searchReach)].map(({ order }) => order)
  return { orders: [...new Set(reached)], isCut: numbered.length > searchReach || named.length > searchReach }
}

const isOf = (customizer: number | null, { wire }: DesignRecord): boolean =>
  customizer === null || wire.includes(customizerMark(customizer))

/** Orders without designs are found without a customizer. */
const hasDesignOf = (holdings: ShopState, order: OrderRecord, { customizer = null }: OrderSearch): boolean =>
  customizer === null || designsOf(holdings, order).some((design) => isOf(customizer, design))

const totalsOf = (
  holdings: ShopState,
  orders: ReadonlyArray<OrderRecord>,
  { customizer = null }: OrderSearch,
): OrderTotals => {
  const all = orders.flatMap((order) => designsOf(holdings, order))
  const counted = all.slice(0, designsCounted).filter((design) => isOf(customizer, design))
  const pieces = counted.map(({ id, orderId }) => {
    const lines = holdings.lines.get(orderId ?? "")?.lines.filter(({ designId }) => designId === id) ?? []
    return lines.length === 0 ? 1 : lines.reduce((sum, { quantity }) => sum + quantity, 0)
  })
  return {
    orders: new Set(counted.map(({ orderId }) => orderId)).size,
    designs: counted.length,
    pieces: pieces.reduce((sum, count) => sum + count, 0),
    isMore: all.length > designsCounted,
  }
}

const isFound = (order: OrderRecord, { after, from, ids, status, until }: OrderSearch): boolean =>
  (ids === undefined || ids.includes(order.id)) &&
  (status === null || fromHead(order.head).status === status) &&
  (from === null || order.orderedAt >= from) &&
  (until === null || order.orderedAt < until) &&
  (after === null || newestFirst(order, { ...order, ...after }) > 0)

const listed = (holdings: ShopState, order: OrderRecord, { bytes, limit, skip }: DesignsShown): ListedOrder => {
  const designs = designsOf(holdings, order)
  return {
    order,
    total: designs.length,
    designs: designs
      .slice(skip, skip + limit)
      .map(({ id, wire }) => ({ id, wire: utf8Length(wire) > bytes ? null : wire })),
  }
}
