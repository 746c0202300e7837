import { Effect, Option, Schema } from "effect"
import { type Design, fromWire } from "../../model/Design.ts"
import { NotFound } from "../../model/Errors.ts"
import { storable } from "../../model/fields/Storable.ts"
import { fromHead, type OrderHead } from "../../model/Order.ts"
import type { DesignsShown, ListedOrder, OrderSearch } from "../../model/orders/OrderSearch.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { isOrderId } from "../../support/OrderOf.ts"

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

/**
 * A page of the shop's orders, newest first, each with its first `designs` designs (D69). A `text` of spaces alone is
 * none.
 */
export const searchOrders = Effect.fnUntraced(function* (
  query: Omit<OrderSearch, "designs"> & { readonly designs: number },
) {
  const text = query.text?.trim() ?? ""
  if (text !== "" && !isText(text)) return { orders: [], next: null, isCut: false }
  const found = yield* OrderStore.use((orders) =>
    orders.search({
      ...query,
      text: text === "" ? null : text,
      designs: { skip: 0, limit: query.designs, bytes: longestListed },
    }),
  )
  return { ...found, orders: found.orders.map(viewOf) }
})

/** An order of the shop with some of its designs. Fails with `NotFound`. */
export const readOrderView = Effect.fnUntraced(function* (
  shop: string,
  id: string,
  designs: Omit<DesignsShown, "bytes">,
) {
  const found = isOrderId(id)
    ? yield* OrderStore.use((orders) => orders.listed(shop, id, { ...designs, bytes: longestListed }))
    : Option.none()
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such order" })
  return viewOf(found.value)
})
