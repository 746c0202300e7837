import { Effect, Option } from "effect"
import { NotFound } from "../../model/Errors.ts"
import { type LineOfOrder, type LinesOfOrder, linesOf } from "../../model/orders/OrderLine.ts"
import { WireForm } from "../../model/WireForm.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { etagOf } from "../../support/Etag.ts"
import { findOrder, shopOf } from "../../support/ShopRecords.ts"

/**
 * Reads the lines of an order that have a design, in the order of the designs, then as reported (D81). Fails with
 * `NotFound`.
 */
export const readLines = Effect.fnUntraced(function* (shop: string, id: string) {
  const text = JSON.stringify({ data: yield* read(shop, id) } satisfies LinesOfOrder)
  return new WireForm<LinesOfOrder>(text, yield* etagOf(text))
})

/** {@link readLines} for a caller that names the shop. */
export const listLines = Effect.fnUntraced(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  return yield* read(shop.id, id)
})

const read = Effect.fnUntraced(function* (shop: string, id: string) {
  const found = yield* findOrder(shop, id)
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such order" })
  const { designs } = found.value
  const stored = yield* OrderStore.use((store) => store.orderLines(shop, id))
  const statuses = new Map(designs.map((design) => [design.id, design.status]))
  return linesOf(designs, Option.getOrUndefined(stored)).map(
    ({ copyOf, designId, lineItemId, quantity }): LineOfOrder => ({
      ...{ lineItemId, designId, copyOf, quantity },
      status: statuses.get(designId) ?? "ordered",
    }),
  )
})
