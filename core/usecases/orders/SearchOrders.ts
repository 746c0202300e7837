import { Effect, Option, Schema } from "effect"
import { type Design, fromWire } from "../../model/catalog/Design.ts"
import { NotFound } from "../../model/Errors.ts"
import { fromHead, type OrderHead } from "../../model/orders/Order.ts"
import type { OrderLine, OrderLines } from "../../model/orders/OrderLine.ts"
import {
  type DesignsShown,
  type FoundOrders,
  type ListedOrder,
  newestFirst,
  type OrderSearch,
  orderById,
} from "../../model/orders/OrderSearch.ts"
import { namesIn, partsIn } from "../../model/orders/SearchTexts.ts"
import { storable } from "../../model/Text.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { isOrderId } from "../../support/ShopRecords.ts"

/** Wire forms with more bytes are left out of a list of designs. */
const longestListed = 32 * 1024

/** An order with some of its designs. */
export interface OrderView {
  readonly order: OrderHead
  /** How many designs the order has. */
  readonly total: number
  /** Some of them, in line order; `design` is `null` if its wire form has more than 32 KiB. */
  readonly designs: ReadonlyArray<{ readonly id: string; readonly design: Design | null }>
}

const isText = Schema.is(storable(1, 255))

const viewOf = ({ designs, order, total }: ListedOrder): OrderView => ({
  order: fromHead(order.head),
  total,
  designs: designs.map(({ id, wire }) => ({ id, design: wire === null ? null : fromWire(wire) })),
})

const textsOf = (text: string): ReadonlyArray<string | null> => (text === "" ? [null] : namesIn(text).filter(isText))

/** The first `limit` orders of several searches, newest first. */
const merged = (found: ReadonlyArray<FoundOrders>, limit: number): FoundOrders => {
  const byId = new Map(found.flatMap(({ orders }) => orders).map((listed) => [listed.order.id, listed]))
  const all = [...byId.values()].toSorted((one, other) => newestFirst(one.order, other.order))
  // Beyond it, one of the searches has not looked yet.
  const [end = null] = found.flatMap(({ next }) => next ?? []).toSorted(newestFirst)
  const seen = end === null ? all : all.filter(({ order }) => newestFirst(order, end) <= 0)
  const orders = seen.slice(0, limit)
  const last = seen.length > limit ? orders.at(-1)?.order : undefined
  return {
    orders,
    next: last === undefined ? end : { orderedAt: last.orderedAt, id: last.id },
    isCut: found.some(({ isCut }) => isCut),
    totals: found[0]?.totals,
  }
}

/**
 * A page of the shop's orders, newest first, each with its first `designs` designs (D69). A `text` of only spaces is
 * none; a number finds orders whose name begins with `#` and the number, too. A text that finds none, e.g. a sentence
 * or a URL, finds the orders of its parts (`partsIn`).
 */
export const searchOrders = Effect.fnUntraced(function* (
  query: Omit<OrderSearch, "designs"> & { readonly designs: number },
) {
  const designs = { skip: 0, limit: query.designs, bytes: longestListed }
  const search = (texts: ReadonlyArray<string | null>, exact = query.exact === true) =>
    Effect.forEach(texts, (text) => OrderStore.use((orders) => orders.search({ ...query, exact, text, designs })), {
      concurrency: "unbounded",
    }).pipe(Effect.map((found) => merged(found, query.limit)))
  const asked = query.text?.trim() ?? ""
  const whole = yield* search(textsOf(asked))
  const parts = whole.orders.length > 0 ? [] : partsIn(asked).flatMap(namesIn).filter(isText)
  const found = parts.length === 0 ? whole : yield* search(parts, true)
  return { ...found, orders: found.orders.map(viewOf) }
})

/** Few and short: a list of orders only names the products of their first designs. */
const named = { skip: 0, limit: 4, bytes: 8 * 1024 }

/**
 * The names of some orders by their ids, of the first 100, and of the products of their first designs by the designs'
 * ids. An order that is not stored has none, nor has a design of more than 8 KiB.
 */
export const orderNames = Effect.fnUntraced(function* (shop: string, ids: ReadonlyArray<string | null>) {
  const asked = [...new Set(ids)]
    .filter((id) => id !== null)
    .filter(isOrderId)
    .slice(0, 100)
  const query = { shop, ids: asked, text: null, status: null, from: null, until: null, after: null, designs: named }
  const { orders } =
    asked.length === 0
      ? { orders: [] }
      : yield* OrderStore.use((store) => store.search({ ...query, limit: asked.length }))
  const views = orders.map(viewOf)
  const designs = views.flatMap((view) => view.designs)
  return {
    orders: new Map(views.map(({ order }) => [order.id, order.name])),
    products: new Map(designs.flatMap(({ design, id }) => (design === null ? [] : [[id, design.customizer.title]]))),
  }
})

const linesOfView = (
  { design, id: designId }: OrderView["designs"][number],
  stored: OrderLines | undefined,
): ReadonlyArray<LineView> => {
  const status = design?.status ?? null
  const lines = stored?.lines.filter((line) => line.designId === designId) ?? []
  if (lines.length > 0) return lines.map((line) => ({ ...line, status }))
  return [{ lineItemId: design?.order?.lineItemId ?? null, designId, quantity: 1, copyOf: null, status }]
}

/** A line of an order (D81). Of a design that is too large for a list only what was stored of its lines is known. */
export type LineView = Pick<OrderLine, "designId" | "quantity" | "copyOf"> & {
  readonly lineItemId: string | null
  readonly status: Design["status"] | null
}

/** An order of the shop with some of its designs, and their lines. Fails with `NotFound`. */
export const readOrderView = Effect.fnUntraced(function* (
  shop: string,
  id: string,
  designs: Omit<DesignsShown, "bytes">,
) {
  const query = orderById(shop, id, { ...designs, bytes: longestListed })
  const [order] = isOrderId(id) ? (yield* OrderStore.use((orders) => orders.search(query))).orders : []
  if (order === undefined) return yield* new NotFound({ message: "There is no such order" })
  const stored = Option.getOrUndefined(yield* OrderStore.use((orders) => orders.orderLines(shop, id)))
  const view = viewOf(order)
  return { ...view, lines: view.designs.flatMap((design) => linesOfView(design, stored)) }
})
