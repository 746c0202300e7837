import { Clock, Effect, Option, Schema } from "effect"
import { DesignId, LineItemId } from "../../model/Ids.ts"
import { reader } from "../../model/Input.ts"
import { DateTime } from "../../model/Instant.ts"
import { OrderStatus } from "../../model/orders/Order.ts"
import { linesOf, type OrderLine } from "../../model/orders/OrderLine.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { storable } from "../../model/Text.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { leaving, unchanged } from "../../support/Relining.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { orderOf } from "../../support/ShopRecords.ts"
import { placeOrder } from "../orders/PlaceOrder.ts"

/** An order as an export of lines has it. Its lines stand by design, in the order of the designs. */
const ExportedOrder = Schema.Struct({
  name: storable(1, 255),
  status: OrderStatus,
  orderedAt: DateTime,
  lines: Schema.Array(
    Schema.Struct({
      lineItemId: LineItemId,
      designId: DesignId,
      copyOf: Schema.NullOr(DesignId),
      quantity: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
      status: Schema.Literals(["draft", "ordered", "cancelled"]),
    }),
  ),
})
type ExportedOrder = typeof ExportedOrder.Type

const read = reader(ExportedOrder)

/** Whether a record is one of an export of lines: orders to be placed have no status. */
export const isExported = (input: unknown): boolean => typeof input === "object" && input !== null && "status" in input

/**
 * Places an order of an export of lines (D75, D81): with its quantities, copies and removed lines; what was cancelled
 * is cancelled again, with its event. An order that is stored so already stays as it is. Fails as `placeOrder` does.
 */
export const restoreOrder = Effect.fnUntraced(function* (shop: Shop, id: string, input: unknown) {
  const order = yield* Effect.fromResult(read(input))
  const first = new Map(order.lines.toReversed().map((line) => [line.designId, line.lineItemId]))
  const lines = [...new Set(order.lines.map(({ designId }) => designId))].map((designId) => ({
    ...{ designId, lineItemId: first.get(designId) ?? "" },
  }))
  yield* placeOrder(shop.id, id, { name: order.name, orderedAt: order.orderedAt, lines })
  if (lines.length > 0) yield* retryStale(settle(shop, id, order))
})

/** Gives a placed order the quantities of its export, and cancels what is cancelled in it. */
const settle = Effect.fnUntraced(function* (shop: Shop, id: string, exported: ExportedOrder) {
  const store = yield* OrderStore
  const { designs, order } = yield* orderOf(shop.id, id)
  const stored = Option.getOrUndefined(yield* store.orderLines(shop.id, id))
  const given = new Map(exported.lines.map((line) => [keyOf(line), line]))
  const known = new Set(designs.map((design) => design.id))
  const held = linesOf(designs, stored)
  const heldKeys = new Set(held.map(keyOf))
  const added = exported.lines.filter((line) => known.has(line.designId) && !heldKeys.has(keyOf(line)))
  const after = [...held, ...added].map((line): OrderLine => {
    const { copyOf, designId, lineItemId, quantity } = given.get(keyOf(line)) ?? line
    return { lineItemId, designId, quantity, copyOf }
  })
  const isSame = JSON.stringify(after) === JSON.stringify(held.map(ordered))
  const cancelled = new Set(exported.lines.flatMap(({ designId, status }) => (status === "cancelled" ? designId : [])))
  const gone = designs.filter(({ id, status }) => status === "ordered" && cancelled.has(id)).map((design) => design.id)
  if (isSame && gone.length === 0) return
  const before = unchanged({ designs, order })
  const now = yield* Clock.currentTimeMillis
  // Without designs to cancel, `leaving` would cancel an order that has none left.
  const { all: _, ...change } = gone.length === 0 ? before : yield* leaving(shop, before, { gone, now })
  const parent = stored?.parent ?? null
  yield* store.commit({ ...change, ...(isSame ? {} : { lines: { order: order.id, parent, lines: after } }) })
})

const keyOf = ({ designId, lineItemId }: Pick<OrderLine, "designId" | "lineItemId">) =>
  JSON.stringify([designId, lineItemId])

const ordered = ({ copyOf, designId, lineItemId, quantity }: OrderLine): OrderLine => ({
  ...{ lineItemId, designId, quantity, copyOf },
})
