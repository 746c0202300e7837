import { Array as Arr, Clock, Effect, Option } from "effect"
import type { DesignRecord } from "../../model/catalog/Design.ts"
import type { Instant } from "../../model/Instant.ts"
import type { InboxItem } from "../../model/ingest/InboxItem.ts"
import { maximumOrder } from "../../model/json/JsonSize.ts"
import * as Order from "../../model/orders/Order.ts"
import type { OrderLines } from "../../model/orders/OrderLine.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { WireForm } from "../../model/WireForm.ts"
import { type Change, OrderStore, type OrderWithDesigns } from "../../ports/OrderStore.ts"
import * as OrderState from "../../rules/orders/OrderState.ts"
import { cancelling } from "../../support/Cancelling.ts"
import { refuseOtherContent, refuseSharedLines } from "../../support/PlacedBefore.ts"
import { bytesOf, linesAfter, placing, type Report, readReport, tooLarge } from "../../support/Placing.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { shopAnd, shopOf } from "../../support/ShopRecords.ts"

/**
 * Places an order of the platform: its designs become ordered and frozen, with an event `design.ordered` for each (§3,
 * D6), all in one change.
 *
 * Platforms report one order again and again. The same content changes nothing; further designs are linked; a line that
 * is left out stays linked. Returns the current order, or `undefined` if the report has no lines: then no order is
 * stored, but for 24 hours that it came (D50), and an order that was placed before stays as it is.
 *
 * An order that was cancelled in the 24 hours before it came is cancelled in the same change (D50): `order.cancelled`
 * follows its `design.ordered`.
 *
 * Fails with `NotFound` for an unknown shop or design, `InvalidInput`, `Refused` for a design that is named twice or a
 * line with two designs, in one report or in two (D81), `TooLarge` if its designs have more than 32 MiB together, and
 * `Conflict`, with the field and both values, if
 *
 * - a design belongs to another order, is cancelled or is priced in another currency than the order (D6a);
 * - the order was placed with another name, time or line item for one of these designs;
 * - the caller's transaction lost a race with another change.
 */
export const placeOrder = Effect.fn("PlaceOrder.placeOrder")(
  function* (shopId: string, id: string, input: Order.OrderInput) {
    const report = yield* Effect.tapError(readReport(id, input), () => shopOf(shopId))
    const store = yield* OrderStore
    // Most orders of a platform have no custom items.
    if (report.lines.length === 0) {
      yield* noteEmpty(store, shopId, report.orderId)
      return undefined
    }
    // In parallel, because a new order needs them all. If one of them changes in between, the commit is stale.
    const [shop, [found, before]] = yield* shopAnd(
      shopId,
      Effect.all([store.order(shopId, report.orderId), beforePlacing(shopId, report)], { concurrency: 2 }),
    )
    return yield* place(shop, report, { ...before, found })
  },
  (effect) => retryStale(effect),
)

/**
 * {@link placeOrder} with some lines, together with the platform's event that brings the order, which is stored as
 * applied (D57). Returns that event, or `undefined` if the shop has the order, or knows a cancellation of it.
 * `reportedLines`: the lines to store, if they say more than the designs. Also fails with `StaleRevision`, e.g. if
 * another event about the order is kept.
 */
export const placeWithEvent = Effect.fn("PlaceOrder.placeWithEvent")(function* (
  item: InboxItem,
  { id, ...input }: Order.OrderInput & { readonly id: string },
  reportedLines: OrderLines | undefined,
) {
  const report = yield* readReport(id, input)
  const [shop, before] = yield* shopAnd(
    item.shop,
    OrderStore.use((store) =>
      Effect.all({ found: store.order(item.shop, id), read: beforePlacing(item.shop, report) }, { concurrency: 2 }),
    ),
  )
  if (Option.isSome(before.found) || Option.exists(before.read.unstored, ({ isCancelled }) => isCancelled)) {
    return undefined
  }
  const { body, ...entry } = { ...item, state: "applied" as const, reason: null, designId: null }
  yield* place(shop, report, { ...before.read, found: before.found, inboxItem: { ...entry, body }, reportedLines })
  return entry
})

/** The records that are read before an order is placed. */
interface Before {
  /** The order, if it was placed before. */
  readonly found: Option.Option<OrderWithDesigns>
  /** The designs that the report names. */
  readonly records: ReadonlyArray<DesignRecord>
  readonly unstored: Option.Option<Order.UnstoredOrder>
  /** The platform's event that brings the order, to be stored with it. */
  readonly inboxItem?: InboxItem
  /** The lines of a new order, if they say more than the designs. */
  readonly reportedLines?: OrderLines | undefined
}

const beforePlacing = (shop: string, { lines, orderId }: Report) => {
  const ids = lines.map((line) => line.designId)
  return OrderStore.use((store) =>
    Effect.all({ records: designsOf(shop, ids), unstored: store.unstoredOrder(shop, orderId) }, { concurrency: 2 }),
  )
}

/** Places an order as of what was read before. */
const place = Effect.fnUntraced(function* (
  shop: Shop,
  report: Report,
  { found, inboxItem, records, reportedLines, unstored: unstoredBefore }: Before,
) {
  const store = yield* OrderStore
  const existing = Option.getOrUndefined(found)
  if (existing !== undefined) {
    yield* refuseOtherContent(existing, { name: report.name, orderedAt: report.instant, lines: report.lines })
  }
  const already = new Set(existing?.designs.map((design) => design.id))
  const lines = report.lines.filter((line) => !already.has(line.designId))
  // Read after the order: if they change meanwhile, the commit is stale.
  const before =
    existing === undefined ? undefined : Option.getOrUndefined(yield* store.orderLines(shop.id, report.orderId))
  if (existing !== undefined && lines.length === 0) {
    yield* changeQuantities(shop, report, { existing, before })
    return new WireForm<Order.Order>(Order.wire(existing.order, existing.designs), existing.order.etag)
  }
  yield* refuseSharedLines(report, existing && { designs: existing.designs, lines: before })
  const now = yield* Clock.currentTimeMillis
  const made = yield* placing(shop, { ...report, lines }, { existing, records, now })
  const linesNow = reportedLines ?? linesAfter(report.orderId, { before, designs: made.designs, lines: report.lines })
  const placed = {
    ...made.placed,
    ...(inboxItem === undefined ? {} : { inboxItem }),
    ...(linesNow === undefined ? {} : { lines: linesNow }),
  }
  const unstored = existing === undefined ? Option.getOrUndefined(unstoredBefore) : undefined
  if (unstored === undefined) {
    yield* store.commit(placed)
    return new WireForm<Order.Order>(Order.wire(placed.order, made.designs), placed.order.etag)
  }
  const isCancelled = OrderState.isCancelledEarly(unstored, now)
  const change = { ...(isCancelled ? yield* cancelledEarly(shop, placed, now) : placed), unstored }
  yield* store.commit(change)
  return new WireForm<Order.Order>(Order.wire(change.order, change.designs), change.order.etag)
})

/** Stores other quantities of placed lines. The order's revision counts it: races are decided again. */
const changeQuantities = Effect.fnUntraced(function* (
  shop: Shop,
  { lines, orderId }: Report,
  { before, existing }: { readonly existing: OrderWithDesigns; readonly before: OrderLines | undefined },
) {
  const after = linesAfter(orderId, { before, designs: existing.designs, lines })
  if (after === undefined) return
  const order = { ...existing.order, revision: existing.order.revision + 1 }
  yield* OrderStore.use((store) => store.commit({ shop: shop.id, designs: [], order, events: [], lines: after }))
})

/** Keeps for 24 hours that an order came without custom items, unless it is stored. */
const noteEmpty = Effect.fnUntraced(function* (store: OrderStore["Service"], shopId: string, id: string) {
  const { id: shop } = yield* shopOf(shopId)
  const now = yield* Clock.currentTimeMillis
  yield* store.keepUnstored({ shop, id, isCancelled: false, isEmpty: true, until: now + OrderState.reportKept }, now)
})

/** A new order's change, followed by its cancellation, which came before it (D50). */
const cancelledEarly = Effect.fnUntraced(function* (
  shop: Shop,
  placed: Change & { readonly order: Order.OrderRecord },
  now: Instant,
) {
  const { designs, event, order } = yield* cancelling({ shop, order: placed.order, designs: placed.designs }, now)
  return { ...placed, designs, order, events: [...placed.events, event] }
})

/** Designs of a shop, read in parts: designs of too many bytes are refused before all of them are read. */
const designsOf = Effect.fnUntraced(function* (shop: string, ids: ReadonlyArray<string>) {
  const store = yield* OrderStore
  const found: Array<DesignRecord> = []
  for (const part of Arr.chunksOf(ids, 32)) {
    found.push(...(yield* store.designs(shop, part)))
    if (bytesOf(found) > maximumOrder) return yield* tooLarge
  }
  return found
})
