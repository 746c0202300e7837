import { Clock, Effect, Option } from "effect"
import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import type { EventRecord } from "../../../core/model/events/Event.ts"
import { compareIds } from "../../../core/model/Ids.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import { type OrderRecord, type UnstoredOrder, wire } from "../../../core/model/orders/Order.ts"
import type { Position } from "../../../core/model/Page.ts"
import { utf8Length } from "../../../core/model/Text.ts"
import {
  type Change,
  type DesignsPage,
  type DesignsQuery,
  OrderStore,
  type Withdrawal,
} from "../../../core/ports/OrderStore.ts"
import { StaleRevision } from "../../../core/ports/StorageError.ts"
import { deliveryId, isFor, pendingDelivery } from "../../../core/rules/webhooks/DeliveryState.ts"
import { addEntry } from "../audit/Audit.ts"
import { designsOf } from "../catalog/DesignsOf.ts"
import { makeDrafts } from "../catalog/Drafts.ts"
import { redactEvents } from "../events/Events.ts"
import { keepEvent } from "../events/Feed.ts"
import { ignoreCancellations, isFirstOfOrder, putItem } from "../ingest/Inbox.ts"
import { holdingsOf, type ShopState, type State } from "../State.ts"
import { addDelivery } from "../webhooks/EndpointQueue.ts"
import { wakeWorkers } from "../webhooks/Signals.ts"
import { makeOrderSearch } from "./OrderSearch.ts"

/** Designs and orders in memory. */
export const makeOrders = (state: State): OrderStore["Service"] => {
  return OrderStore.of({
    ...makeOrderSearch(state),
    ...makeDrafts(state),

    designs: (shop, ids) =>
      Effect.sync(() => {
        const designs = state.holdings.get(shop)?.designs
        return [...new Set(ids)].flatMap((id) => designs?.get(id) ?? [])
      }),

    order: (shop, id) =>
      Effect.sync(() => {
        const holdings = state.holdings.get(shop)
        const order = holdings?.orders.get(id)
        if (holdings === undefined || order === undefined) return Option.none()
        return Option.some({ order, designs: designsOf(holdings, order) })
      }),

    commit: (change) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const holdings = holdingsOf(state, change.shop)
        if (!isCurrent(holdings, change)) return Effect.fail(new StaleRevision({ canRetry: true }))
        apply(state, holdings, { ...change, now })
        return Effect.void
      }),

    commitOrders: makeCommitOrders(state),

    remove: ({ audit, events, id, revision, shop }) =>
      Effect.suspend(() => {
        const holdings = state.holdings.get(shop)
        if (holdings?.designs.get(id)?.revision !== revision) {
          return Effect.fail(new StaleRevision({ canRetry: true }))
        }
        holdings.designs.delete(id)
        holdings.saved.delete(id)
        addEntry(state, audit)
        redactEvents(holdings, events)
        return Effect.void
      }),

    unstoredOrder: (shop, id) => Effect.sync(() => Option.fromUndefinedOr(state.holdings.get(shop)?.unstored.get(id))),

    keepUnstored: (report, now) => Effect.sync(() => keepUnstored(state, report, now)),

    withdrawCancellation: (withdrawal) => Effect.sync(() => withdrawCancellation(state, withdrawal)),

    linesOf: (shop, ids) =>
      Effect.sync(() => [...new Set(ids)].flatMap((id) => state.holdings.get(shop)?.lines.get(id) ?? [])),
    orderLines: (shop, id) => Effect.sync(() => Option.fromUndefinedOr(state.holdings.get(shop)?.lines.get(id))),

    existing: (shop, of, ids) =>
      Effect.sync(() => [...new Set(ids)].filter((id) => state.holdings.get(shop)?.[of].has(id) === true)),

    readDesign: (shop, id) =>
      Effect.sync(() =>
        Option.map(Option.fromUndefinedOr(state.holdings.get(shop)?.designs.get(id)), ({ etag, wire }) => ({
          wire,
          etag,
        })),
      ),

    latestOrderedDesign: (shop) =>
      Effect.sync(() => {
        const holdings = state.holdings.get(shop)
        if (holdings === undefined) return Option.none()
        for (const { id } of holdings.positions.toReversed()) {
          const order = holdings.orders.get(id)
          const design = order && designsOf(holdings, order).find((design) => design.status === "ordered")
          if (design !== undefined) return Option.some(design.wire)
        }
        return Option.none()
      }),

    readDesigns: (query) => Effect.sync(() => readDesigns(state, query)),

    readOrders: ({ shop, limit, bytes, after, orderedAfter }) =>
      Effect.sync(() => {
        const holdings = state.holdings.get(shop)
        if (holdings === undefined) return { orders: [], total: 0, next: null }
        const { positions } = holdings
        const first = orderedAfter === null ? 0 : placeOf(positions, { orderedAt: orderedAfter, id: "" })
        const end = after === null ? positions.length : placeOf(positions, after)
        const candidates = positions.slice(Math.max(first, end - limit), Math.max(first, end)).reverse()
        const orders = fitting(holdings, candidates, bytes)
        const last = positions[end - orders.length]
        return {
          orders,
          total: positions.length - first,
          next: last !== undefined && end - orders.length > first ? last : null,
        }
      }),
  })
}

const keepUnstored = (state: State, report: UnstoredOrder, now: Instant): Option.Option<UnstoredOrder> => {
  const { unstored, orders } = holdingsOf(state, report.shop)
  if (orders.has(report.id)) return Option.none()
  const before = unstored.get(report.id)
  const still = before !== undefined && before.until > now
  const kept = {
    ...report,
    isCancelled: report.isCancelled || (still && before.isCancelled),
    isEmpty: report.isEmpty || (still && before.isEmpty),
  }
  unstored.set(report.id, kept)
  return Option.some(kept)
}

const readDesigns = (state: State, { after, bytes, createdFrom, limit, shop }: DesignsQuery): DesignsPage => {
  const wanted = [...(state.holdings.get(shop)?.designs.values() ?? [])]
    .filter(
      ({ createdAt, id }) => (after === null || compareIds(id, after) > 0) && createdAt >= (createdFrom ?? createdAt),
    )
    .sort((left, right) => compareIds(left.id, right.id))
  let left = bytes
  const shown = wanted.slice(0, limit).findIndex(({ wire }, index) => {
    left -= utf8Length(wire)
    return left < 0 && index > 0
  })
  const designs = wanted.slice(0, shown === -1 ? limit : shown).map(({ id, wire }) => ({ id, wire }))
  return { designs, next: wanted.length > designs.length ? (designs.at(-1)?.id ?? null) : null }
}

/** The longest prefix of orders within a number of bytes; at least one order. */
const fitting = (holdings: ShopState, places: ReadonlyArray<Position>, bytes: number) => {
  const orders: Array<ReturnType<typeof read>> = []
  let left = bytes
  for (const { id } of places) {
    const order = holdings.orders.get(id)
    if (order === undefined) continue
    const one = read(holdings, order)
    left -= utf8Length(one.wire)
    if (left < 0 && orders.length > 0) break
    orders.push(one)
  }
  return orders
}

const withdrawCancellation = (state: State, { audit, id, now, reason, shop }: Withdrawal): boolean => {
  const holdings = holdingsOf(state, shop)
  if (holdings.orders.has(id)) return false
  const report = holdings.unstored.get(id)
  if (report?.isEmpty === true) holdings.unstored.set(id, { ...report, isCancelled: false })
  else holdings.unstored.delete(id)
  const ignored = ignoreCancellations(holdings.inbox, id, reason)
  const isWithdrawn = ignored > 0 || (report?.isCancelled === true && now < report.until)
  if (isWithdrawn) addEntry(state, audit)
  return isWithdrawn
}

const read = (holdings: ShopState, order: OrderRecord) => ({
  wire: wire(order, designsOf(holdings, order)),
  etag: order.etag,
})

const isSame = (left: UnstoredOrder | undefined, right: UnstoredOrder | undefined): boolean =>
  left?.until === right?.until && left?.isCancelled === right?.isCancelled && left?.isEmpty === right?.isEmpty

/** Whether every record of a change directly follows the stored one. */
const isCurrent = (
  { inbox, unstored: kept, designs, orders }: ShopState,
  { inboxItem, unstored, order, ...change }: Change,
): boolean =>
  (inboxItem === undefined || isFirstOfOrder(inbox, inboxItem)) &&
  change.designs.every((design) => design.revision === 1 + (designs.get(design.id)?.revision ?? 0)) &&
  (order === null ||
    (order.revision === 1 + (orders.get(order.id)?.revision ?? 0) && isSame(kept.get(order.id), unstored)))

/** Returns `OrderStore.commitOrders`. */
const makeCommitOrders =
  (state: State): OrderStore["Service"]["commitOrders"] =>
  (shop, orders) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const holdings = holdingsOf(state, shop)
      const changes = orders.map((order) => ({ ...order, shop }))
      const isStale = changes.some((change) => !isCurrent(holdings, change))
      if (isStale) return Effect.fail(new StaleRevision({ canRetry: true }))
      for (const change of changes) apply(state, holdings, { ...change, now })
      return Effect.void
    })

/** Stores a change that is current. */
const apply = (state: State, holdings: ShopState, change: Change & { readonly now: Instant }): void => {
  for (const design of change.designs) {
    putDesign(holdings, design)
    holdings.saved.set(design.id, Math.trunc(change.now))
  }
  if (change.order !== null) {
    putOrder(holdings, change.order)
    holdings.unstored.delete(change.order.id)
  }
  if (change.lines !== undefined) holdings.lines.set(change.lines.order, change.lines)
  if (change.inboxItem !== undefined) putItem(holdings.inbox, change.inboxItem)
  addEntry(state, change.audit)
  if (change.isQuiet === true) {
    for (const event of change.events) keepEvent(holdings, event)
    return
  }
  const deliveries = change.events.map((event) => putEvent(state, holdings, event))
  if (deliveries.some((made) => made > 0)) wakeWorkers(state, [change.shop])
}

const putDesign = ({ designs, designsOfOrder }: ShopState, design: DesignRecord): void => {
  const before = designs.get(design.id)
  if (before !== undefined && before.orderId !== null) designsOfOrder.get(before.orderId)?.delete(design.id)
  designs.set(design.id, design)
  if (design.orderId === null) return
  const ids = designsOfOrder.get(design.orderId) ?? new Set()
  designsOfOrder.set(design.orderId, ids.add(design.id))
}

const putOrder = ({ orders, positions }: ShopState, order: OrderRecord): void => {
  const before = orders.get(order.id)
  if (before !== undefined) positions.splice(placeOf(positions, before), 1)
  orders.set(order.id, order)
  positions.splice(placeOf(positions, order), 0, { orderedAt: order.orderedAt, id: order.id })
}

/** Stores an event with a delivery for every endpoint that should get it, and returns the number of deliveries. */
const putEvent = (state: State, holdings: ShopState, event: EventRecord): number => {
  const { endpoints, queues } = holdings
  keepEvent(holdings, event)
  const shop = state.shops.get(event.shop)
  let made = 0
  for (const endpoint of endpoints.values()) {
    const queue = queues.get(endpoint.id)
    if (shop === undefined || queue === undefined || !isFor(event, endpoint, shop)) continue
    addDelivery(state, queue, pendingDelivery(deliveryId(event.id, endpoint.id), event, endpoint, event.createdAt))
    made++
  }
  return made
}

/** Number of positions, oldest first, before this one. */
const placeOf = (positions: ReadonlyArray<Position>, place: Position): number => {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = positions[middle]
    if (at !== undefined && comparePositions(at, place) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const comparePositions = (left: Position, right: Position): number =>
  left.orderedAt - right.orderedAt || compareIds(left.id, right.id)
