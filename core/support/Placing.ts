/** The decisions of placing an order: what a report must have, and the change that it asks for (§3, D6). */
import { Effect } from "effect"
import { changeWire, type Design, type DesignRecord, fromWire } from "../model/catalog/Design.ts"
import { type Conflict, NotFound, refusedAt, TooLarge } from "../model/Errors.ts"
import { designData } from "../model/events/Event.ts"
import { OrderId } from "../model/Ids.ts"
import { reader } from "../model/Input.ts"
import { format, type Instant, parse } from "../model/Instant.ts"
import { maximumOrder } from "../model/json/JsonSize.ts"
import * as Order from "../model/orders/Order.ts"
import { linesOf, type OrderLines } from "../model/orders/OrderLine.ts"
import type { Shop } from "../model/shops/Shop.ts"
import { utf8Length } from "../model/Text.ts"
import type { OrderWithDesigns } from "../ports/OrderStore.ts"
import { StaleRevision } from "../ports/StorageError.ts"
import * as DesignState from "../rules/catalog/DesignState.ts"
import * as OrderState from "../rules/orders/OrderState.ts"
import { etagOf } from "./Etag.ts"
import { differing } from "./PlacedBefore.ts"
import { newEvent } from "./Tracing.ts"

const read = reader(Order.OrderInput)
const readId = reader(OrderId, "id")

interface Line {
  readonly designId: string
  readonly lineItemId: string
  readonly quantity?: number
}

/** A platform's report of an order, as it was read. */
export type Report = Effect.Success<ReturnType<typeof readReport>>

/** Reads the platform's report and checks what needs no other data. */
export const readReport = Effect.fnUntraced(function* (id: string, input: Order.OrderInput) {
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
      return yield* refusedAt(`lines[${index}].designId`, `The design ${JSON.stringify(designId)} is named twice`)
    }
    seen.add(designId)
  }
})

/**
 * The change that links the designs of a report to an order, new or existing, and all of the order's designs after it.
 * `records` has the stored designs of the report. Fails with `NotFound` for an unknown
 * design, with `TooLarge`, `Refused`, or with `Conflict` if the order or a design can't be ordered.
 */
export const placing = Effect.fnUntraced(function* (
  shop: Shop,
  { instant, lines, name, orderId }: Report,
  given: {
    readonly existing: OrderWithDesigns | undefined
    readonly records: ReadonlyArray<DesignRecord>
    readonly now: Instant
  },
) {
  const { existing, now, records } = given
  const linked = existing?.designs ?? []
  const before = existing === undefined ? undefined : Order.fromHead(existing.order.head)
  const status = OrderState.next(before?.status ?? null, "place")
  if (status === undefined) {
    const held = before?.status ?? ""
    const message = `The order ${JSON.stringify(orderId)} is ${held}: no design can be ordered with it`
    return yield* differing(message, { field: "status", held, given: "ordered" })
  }
  // The shop's currency may have changed since.
  const currency = before?.currency ?? shop.currency
  const drafts = yield* draftsOf(records, lines, { id: orderId, currency })
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
    return yield* refusedAt("lines", "The designs' prices add up to more than 2^53 − 1 cents")
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
  const events = yield* Effect.forEach(ordered, (design) =>
    newEvent(shop, {
      event: "design.ordered",
      data: designData(design.wire),
      now,
      subject: { order: orderId, design: design.id },
    }),
  )
  return { designs, placed: { shop: shop.id, designs: ordered, order: record, events } }
})

/**
 * The lines of an order after a caller's report, to be stored; `undefined` if they are as they were. A quantity that
 * is left out stays as it was, and is 1 for a new line.
 */
export const linesAfter = (
  order: string,
  {
    before,
    designs,
    lines,
  }: {
    readonly before: OrderLines | undefined
    readonly designs: ReadonlyArray<DesignRecord>
    readonly lines: ReadonlyArray<Line>
  },
): OrderLines | undefined => {
  const quantities = new Map(
    lines.map(({ designId, lineItemId, quantity }) => [`${designId}\n${lineItemId}`, quantity]),
  )
  const known = linesOf(designs, before)
  const after = known.map((line) => ({
    ...line,
    quantity: quantities.get(`${line.designId}\n${line.lineItemId}`) ?? line.quantity,
  }))
  const isSame = after.every(({ quantity }, index) => quantity === known[index]?.quantity)
  // Lines of new designs are added to those that are stored.
  return isSame && (before === undefined || before.lines.length === after.length)
    ? undefined
    : { order, parent: before?.parent ?? null, lines: after }
}

export const bytesOf = (designs: ReadonlyArray<DesignRecord>): number =>
  designs.reduce((bytes, { wire }) => bytes + utf8Length(wire), 0)

export const tooLarge = Effect.fail(
  new TooLarge({ message: "The designs of an order may have at most 32 MiB of JSON together" }),
)

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
    if (record === undefined) {
      const hint = "save it first; one that an open transaction has saved is there after its COMMIT"
      return new NotFound({ message: `The shop has no design ${id}: ${hint}` })
    }
    // The order did not have the design when it was read: the design was placed in between.
    if (record.orderId === order.id) return new StaleRevision({ canRetry: true })
    if (DesignState.next(record.status, "order") === undefined) {
      const held = record.orderId ?? ""
      const message = `The design ${id} is ${record.status} in the order ${JSON.stringify(held)}`
      return differing(`${message}, and can't be in ${JSON.stringify(order.id)}`, {
        ...{ field: "orderId", designId: line.designId, held, given: order.id },
      })
    }
    const { currency } = fromWire(record.wire).price
    if (currency !== order.currency) {
      const other = `the order ${JSON.stringify(order.id)} is in ${order.currency}`
      return differing(`The design ${id} is priced in ${currency}, but ${other}`, {
        ...{ field: "currency", designId: line.designId, held: order.currency, given: currency },
      })
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
