import { Array as Arr, Clock, Effect, Option } from "effect"
import { changeWire, type Design, type DesignRecord, fromWire } from "../../model/Design.ts"
import { Conflict, NotFound, Refused, TooLarge } from "../../model/Errors.ts"
import { designData } from "../../model/Event.ts"
import { OrderId } from "../../model/Ids.ts"
import { reader } from "../../model/Input.ts"
import { format, type Instant, parse } from "../../model/Instant.ts"
import { maximumOrder } from "../../model/JsonSize.ts"
import * as Order from "../../model/Order.ts"
import type { InboxItem } from "../../model/orders/InboxItem.ts"
import type { Shop } from "../../model/Shop.ts"
import { utf8Length } from "../../model/Text.ts"
import { WireForm } from "../../model/WireForm.ts"
import { type Change, OrderStore, type OrderWithDesigns } from "../../ports/OrderStore.ts"
import { StaleRevision } from "../../ports/StorageError.ts"
import * as DesignState from "../../rules/DesignState.ts"
import * as OrderState from "../../rules/OrderState.ts"
import { cancelling } from "../../support/Cancelling.ts"
import { etagOf } from "../../support/Etag.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { shopAnd, shopOf } from "../../support/ShopOf.ts"
import { newEvent } from "../../support/Tracing.ts"

const read = reader(Order.OrderInput)
const readId = reader(OrderId, "id")

interface Line {
  readonly designId: string
  readonly lineItemId: string
}

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
 * Fails with `NotFound` for an unknown shop or design, `InvalidInput`, `Refused` for a design that is named twice,
 * `TooLarge` if its designs have more than 32 MiB together, and `Conflict` if
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
 * {@link placeOrder} with some lines, in a shop that was just read, as was the order with this id: none if the shop
 * does not have it. Also fails with `StaleRevision`: then the order has to be read again.
 */
export const placeBeside = Effect.fn("PlaceOrder.placeBeside")(function* (
  { found, shop }: { readonly shop: Shop; readonly found: Option.Option<OrderWithDesigns> },
  id: string,
  input: Order.OrderInput,
) {
  const report = yield* readReport(id, input)
  return yield* place(shop, report, { ...(yield* beforePlacing(shop.id, report)), found })
})

/**
 * {@link placeOrder} with some lines, together with the platform's event that brings the order, which is stored as
 * applied (D57). Returns that event, or `undefined` if the shop has the order or another currency. Also fails with
 * `StaleRevision`, e.g. if another event about the order is kept.
 */
export const placeWithEvent = Effect.fn("PlaceOrder.placeWithEvent")(function* (
  item: InboxItem,
  { currency, id, ...input }: Order.OrderInput & { readonly id: string; readonly currency: string },
) {
  const report = yield* readReport(id, input)
  const [shop, before] = yield* shopAnd(
    item.shop,
    OrderStore.use((store) =>
      Effect.all({ found: store.order(item.shop, id), read: beforePlacing(item.shop, report) }, { concurrency: 2 }),
    ),
  )
  if (Option.isSome(before.found) || currency !== shop.currency) return undefined
  const { body, ...entry } = { ...item, state: "applied" as const, reason: null, designId: null }
  yield* place(shop, report, { ...before.read, found: before.found, inboxItem: { ...entry, body } })
  return entry
})

/** What is read before an order is placed. */
interface Before {
  /** The order, if it was placed before. */
  readonly found: Option.Option<OrderWithDesigns>
  /** The designs that the report names. */
  readonly records: ReadonlyArray<DesignRecord>
  readonly unstored: Option.Option<Order.UnstoredOrder>
  /** The platform's event that brings the order, to be stored with it. */
  readonly inboxItem?: InboxItem
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
  { instant, lines, name, orderId }: Report,
  { found, inboxItem, records, unstored: unstoredBefore }: Before,
) {
  const store = yield* OrderStore
  const existing = Option.getOrUndefined(found)
  if (existing !== undefined) yield* refuseOtherContent(existing, { name, orderedAt: instant, lines })

  const linked = existing?.designs ?? []
  const already = new Set(linked.map((design) => design.id))
  const added = lines.filter((line) => !already.has(line.designId))
  if (existing !== undefined && added.length === 0) {
    return new WireForm<Order.Order>(Order.wire(existing.order, existing.designs), existing.order.etag)
  }

  const before = existing === undefined ? undefined : Order.fromHead(existing.order.head)
  const status = OrderState.next(before?.status ?? null, "place")
  if (status === undefined) {
    return yield* new Conflict({ message: `The order ${JSON.stringify(orderId)} is ${before?.status}` })
  }
  // The shop's currency may have changed since.
  const currency = before?.currency ?? shop.currency
  const drafts = yield* draftsOf(records, added, { id: orderId, currency })
  const ordered = yield* Effect.forEach(drafts, ({ line, record }, index) =>
    order(record, {
      order: { id: orderId, name, lineItemId: line.lineItemId },
      orderedAt: format(instant),
      position: linked.length + index,
    }),
  )
  const designs = [...linked, ...ordered]
  if (bytesOf(designs) > maximumOrder) return yield* tooLarge
  const total = designs.reduce((sum, design) => sum + fromWire(design.wire).price.total, 0)
  if (!Number.isSafeInteger(total)) {
    return yield* refused("lines", "The designs' prices add up to more than 2^53 − 1 cents")
  }
  const head = Order.wireHead({
    id: orderId,
    name,
    status,
    currency,
    total,
    orderedAt: format(instant),
  })
  const record: Order.OrderRecord = {
    shop: shop.id,
    id: orderId,
    orderedAt: instant,
    head,
    etag: yield* etagOf(Order.wire({ head }, designs)),
    revision: (existing?.order.revision ?? 0) + 1,
  }
  const now = yield* Clock.currentTimeMillis
  const events = yield* Effect.forEach(ordered, (design) =>
    newEvent(shop, {
      event: "design.ordered",
      data: designData(design.wire),
      now,
      subject: { order: orderId, design: design.id },
    }),
  )
  const placed = { shop: shop.id, designs: ordered, order: record, events, ...(inboxItem && { inboxItem }) }
  const unstored = existing === undefined ? Option.getOrUndefined(unstoredBefore) : undefined
  if (unstored === undefined) {
    yield* store.commit(placed)
    return new WireForm<Order.Order>(Order.wire(record, designs), record.etag)
  }
  const isCancelled = OrderState.isCancelledEarly(unstored, now)
  const change = { ...(isCancelled ? yield* cancelledEarly(shop, placed, now) : placed), unstored }
  yield* store.commit(change)
  return new WireForm<Order.Order>(Order.wire(change.order, change.designs), change.order.etag)
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

const bytesOf = (designs: ReadonlyArray<DesignRecord>): number =>
  designs.reduce((bytes, { wire }) => bytes + utf8Length(wire), 0)

const tooLarge = Effect.fail(
  new TooLarge({ message: "The designs of an order may have at most 32 MiB of JSON together" }),
)

const refused = (path: string, message: string) => new Refused({ message, problems: [{ path, message }] })

/** What a platform reports of an order. */
type Report = Effect.Success<ReturnType<typeof readReport>>

/** Reads the platform's report and checks what needs no other data. */
const readReport = Effect.fnUntraced(function* (id: string, input: Order.OrderInput) {
  const orderId = yield* Effect.fromResult(readId(id))
  const { lines, name, orderedAt } = yield* Effect.fromResult(read(input))
  yield* refuseRepeated(lines)
  // The schema has validated it.
  return { orderId, name, instant: parse(orderedAt) as Instant, lines }
})

const refuseRepeated = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
  const seen = new Set<string>()
  for (const [index, { designId }] of lines.entries()) {
    if (seen.has(designId)) {
      return yield* refused(`lines[${index}].designId`, `The design ${JSON.stringify(designId)} is named twice`)
    }
    seen.add(designId)
  }
})

/** A placed order is a fact: a report may repeat its data and its lines, but not change them. */
const refuseOtherContent = Effect.fnUntraced(function* (
  existing: OrderWithDesigns,
  again: { readonly name: string; readonly orderedAt: Instant; readonly lines: ReadonlyArray<Line> },
) {
  const id = JSON.stringify(existing.order.id)
  const before = Order.fromHead(existing.order.head)
  if (before.name !== again.name) {
    return yield* new Conflict({ message: `The order ${id} was placed as ${JSON.stringify(before.name)}` })
  }
  if (existing.order.orderedAt !== again.orderedAt) {
    return yield* new Conflict({ message: `The order ${id} was placed at ${before.orderedAt}` })
  }
  const lines = new Map(again.lines.map((line) => [line.designId, line.lineItemId]))
  for (const record of existing.designs) {
    const given = lines.get(record.id)
    const lineItemId = fromWire(record.wire).order?.lineItemId
    if (given !== undefined && given !== lineItemId) {
      const where = `the design ${JSON.stringify(record.id)} with the line item ${JSON.stringify(lineItemId)}`
      return yield* new Conflict({ message: `The order ${id} was placed with ${where}, which can't be changed` })
    }
  }
})

interface Draft {
  readonly line: Line
  readonly record: DesignRecord
}

const draftsOf = (
  records: ReadonlyArray<DesignRecord>,
  lines: ReadonlyArray<Line>,
  order: { readonly id: string; readonly currency: string },
) => {
  const byId = new Map(records.map((record) => [record.id, record]))
  return Effect.forEach(lines, (line): Effect.Effect<Draft, Conflict | NotFound | StaleRevision> => {
    const record = byId.get(line.designId)
    const id = JSON.stringify(line.designId)
    if (record === undefined) return new NotFound({ message: `The shop has no design ${id}` })
    // The order did not have the design when it was read: the design was placed in between.
    if (record.orderId === order.id) return new StaleRevision({ canRetry: true })
    if (DesignState.next(record.status, "order") === undefined) {
      return new Conflict({
        message: `The design ${id} is ${record.status} in the order ${JSON.stringify(record.orderId)}`,
      })
    }
    const { currency } = fromWire(record.wire).price
    if (currency !== order.currency) {
      const other = `the order ${JSON.stringify(order.id)} is in ${order.currency}`
      return new Conflict({ message: `The design ${id} is priced in ${currency}, but ${other}` })
    }
    return Effect.succeed({ line, record })
  })
}

/** A design after its order: only the fields that §3 names change. */
const order = Effect.fnUntraced(function* (
  record: DesignRecord,
  change: { readonly order: NonNullable<Design["order"]>; readonly orderedAt: string; readonly position: number },
) {
  const text = changeWire(record.wire, { status: "ordered", order: change.order, orderedAt: change.orderedAt })
  return {
    ...record,
    status: "ordered" as const,
    orderId: change.order.id,
    position: change.position,
    wire: text,
    etag: yield* etagOf(text),
    revision: record.revision + 1,
  }
})
