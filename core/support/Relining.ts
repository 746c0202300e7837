/** The change of an order whose lines come and go (D82): designs are linked, and others are cancelled. */
import { Effect } from "effect"
import type { DesignRecord } from "../model/catalog/Design.ts"
import type { Instant } from "../model/Instant.ts"
import * as Order from "../model/orders/Order.ts"
import type { Shop } from "../model/shops/Shop.ts"
import type { Change, OrderWithDesigns } from "../ports/OrderStore.ts"
import * as OrderState from "../rules/orders/OrderState.ts"
import { cancel, cancelling, designCancelled } from "./Cancelling.ts"
import { etagOf } from "./Etag.ts"
import { placing, type Report } from "./Placing.ts"

/** A change of an order, and all its designs after it. */
export interface Relined extends Omit<Change, "order"> {
  readonly order: Order.OrderRecord
  readonly all: ReadonlyArray<DesignRecord>
}

/**
 * The change that links the designs of a report to an order, new or existing, and cancels others, `gone`. Without
 * another ordered design the order is cancelled, and `order.cancelled` is the only event of it (D82). A new order that
 * was cancelled early is cancelled in the same change (D50).
 */
export const changing = Effect.fnUntraced(function* (
  shop: Shop,
  given: {
    readonly report: Report
    readonly existing: OrderWithDesigns | undefined
    readonly records: ReadonlyArray<DesignRecord>
    readonly gone: ReadonlyArray<string>
    readonly isCancelledEarly: Order.UnstoredOrder | undefined
    readonly now: Instant
  },
) {
  const { existing, gone, isCancelledEarly, now, records, report } = given
  const linked = yield* linking(shop, { report, existing, records, now })
  const isEarly = isCancelledEarly !== undefined && OrderState.isCancelledEarly(isCancelledEarly, now)
  return yield* leaving(shop, linked, { gone, isEarly, now })
})

/** The change of a stored order that only its lines change, before designs are cancelled. */
export const unchanged = ({ designs, order }: OrderWithDesigns): Relined => ({
  ...{ shop: order.shop, designs: [], events: [], all: designs },
  order: { ...order, revision: order.revision + 1 },
})

/** A change of an order, with the cancellation of some of its designs, or of all of it if none is left. */
export const leaving = Effect.fnUntraced(function* (
  shop: Shop,
  linked: Relined,
  {
    gone,
    isEarly = false,
    now,
  }: { readonly gone: ReadonlyArray<string>; readonly isEarly?: boolean; readonly now: Instant },
) {
  const goneIds = new Set(gone)
  const stays = linked.all.some(({ id, status }) => status === "ordered" && !goneIds.has(id))
  if (isEarly || !stays) {
    const { designs, event, order } = yield* cancelling({ shop, order: linked.order, designs: linked.all }, now)
    return { ...merged(linked, designs), order, events: [...linked.events, event] } satisfies Relined
  }
  if (gone.length === 0) return linked
  const designs = yield* Effect.forEach(linked.all, (design) =>
    goneIds.has(design.id) ? cancel(design) : Effect.succeed(design),
  )
  const events = yield* Effect.forEach(
    designs.filter(({ id }) => goneIds.has(id)),
    (design) => designCancelled(shop, design, now),
  )
  const order = { ...linked.order, etag: yield* etagOf(Order.wire(linked.order, designs)) }
  return { ...merged(linked, designs), order, events: [...linked.events, ...events] } satisfies Relined
})

/** An order with the designs of a report, if any is new. */
const linking = Effect.fnUntraced(function* (
  shop: Shop,
  {
    existing,
    now,
    records,
    report,
  }: {
    readonly report: Report
    readonly existing: OrderWithDesigns | undefined
    readonly records: ReadonlyArray<DesignRecord>
    readonly now: Instant
  },
) {
  if (existing !== undefined && report.lines.length === 0) return unchanged(existing)
  const { designs, placed } = yield* placing(shop, report, { existing, records, now })
  return { ...placed, all: designs } satisfies Relined
})

/** A change with other states of its order's designs. One that the change does not have yet gets the next revision. */
const merged = (linked: Relined, designs: ReadonlyArray<DesignRecord>): Omit<Relined, "order" | "events"> => {
  const fresh = new Set(linked.designs.map(({ id }) => id))
  const all = designs.map((design, index) =>
    design === linked.all[index] || fresh.has(design.id) ? design : { ...design, revision: design.revision + 1 },
  )
  const changed = all.filter((design, index) => design !== linked.all[index] || fresh.has(design.id))
  return { shop: linked.shop, designs: changed, all }
}
