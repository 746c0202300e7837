import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import type { OrderRecord } from "../../../core/model/orders/Order.ts"
import type { ShopState } from "../State.ts"

/** The designs of an order, in line order. */
export const designsOf = ({ designs, designsOfOrder }: ShopState, order: OrderRecord): ReadonlyArray<DesignRecord> =>
  [...(designsOfOrder.get(order.id) ?? [])]
    .flatMap((id) => designs.get(id) ?? [])
    .sort((left, right) => left.position - right.position)
