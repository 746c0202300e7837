import { Effect, Option, Schema } from "effect"
import type { Definition } from "../model/Definition.ts"
import { type Design, type DesignRecord, fromWire, wire } from "../model/Design.ts"
import { NotFound } from "../model/Errors.ts"
import type { EventRecord } from "../model/Event.ts"
import { OrderId } from "../model/Ids.ts"
import { quoteId } from "../model/Json.ts"
import * as Order from "../model/Order.ts"
import { WireForm } from "../model/WireForm.ts"
import { CustomizerStore } from "../ports/CustomizerStore.ts"
import { EventStore } from "../ports/EventStore.ts"
import { OrderStore } from "../ports/OrderStore.ts"
import { redactDesign } from "../rules/Redaction.ts"
import { etagOf } from "../support/Etag.ts"
import { retryStale } from "../support/RetryStale.ts"
import { shopOf } from "../support/ShopOf.ts"

const isOrderId = Schema.is(OrderId)

/** Events are looked through in pages of so many. */
const pageSize = 50

/**
 * Replaces what buyers wrote and uploaded in an order's designs, and in the kept events that hold these designs, by `[redacted]` (D43). Codes and prices stay,
 * tags change, nothing is sent, and it can't be undone. Redacting twice changes nothing.
 *
 * Answers the order as it is now. Fails with `NotFound`, and within a transaction of the caller's with `Conflict` where another change came between. Where it fails
 * otherwise, e.g. with a store that is down, it may be half done: call it again.
 */
export const redactOrder = Effect.fn("RedactOrder.redactOrder")(
  function* (shopId: string, id: string) {
    const shop = yield* shopOf(shopId)
    const store = yield* OrderStore
    const found = isOrderId(id) ? yield* store.order(shop.id, id) : Option.none()
    if (Option.isNone(found)) return yield* new NotFound({ message: `The shop has no order ${quoteId(id)}` })
    const { designs, order } = found.value
    const redact = yield* makeRedact(shop.id)
    const changed = yield* Effect.forEach(designs, (record) => redactRecord(record, redact))
    const isChanged = changed.some((record, index) => record !== designs[index])
    const record: Order.OrderRecord = isChanged
      ? { ...order, etag: yield* etagOf(Order.wire(order, changed)), revision: order.revision + 1 }
      : order
    if (isChanged) {
      const replaced = changed.filter((record, index) => record !== designs[index])
      yield* store.commit({ shop: shop.id, designs: replaced, order: record, events: [] })
    }
    const ids = new Set(designs.map((design) => design.id))
    // Again until nothing is found: an event may have been made of a design as it was before.
    while (yield* redactEvents(shop.id, ids, redact));
    return new WireForm<Order.Order>(Order.wire(record, changed), record.etag)
  },
  (effect) => retryStale(effect),
)

type Redact = Effect.Success<ReturnType<typeof makeRedact>>

/** Makes what redacts designs of a shop, each by its own version of its customizer, which is kept for ever. */
const makeRedact = Effect.fnUntraced(function* (shop: string) {
  const customizers = yield* CustomizerStore
  const definitions = new Map<string, Definition>()
  return Effect.fnUntraced(function* (design: Design) {
    const { id, version } = design.customizer
    const key = `${id}/${version}`
    const definition =
      definitions.get(key) ??
      (JSON.parse(Option.getOrThrow(yield* customizers.definition(shop, id, version))) as Definition)
    definitions.set(key, definition)
    return redactDesign(design, definition)
  })
})

const redactRecord = Effect.fnUntraced(function* (record: DesignRecord, redact: Redact) {
  const text = wire(yield* redact(fromWire(record.wire)))
  return text === record.wire
    ? record
    : { ...record, wire: text, etag: yield* etagOf(text), revision: record.revision + 1 }
})

/** Redacts the events that hold one of these designs. Answers whether there was anything to do. */
const redactEvents = Effect.fnUntraced(function* (shop: string, designIds: ReadonlySet<string>, redact: Redact) {
  const events = yield* EventStore
  let changedAny = false
  let after: string | null = null
  for (;;) {
    const page: ReadonlyArray<EventRecord> = yield* events.ofDesigns({
      shop,
      designIds: [...designIds],
      after,
      limit: pageSize,
    })
    const redacted = yield* Effect.forEach(page, ({ body, id }) =>
      Effect.map(redactBody(body, designIds, redact), (after) => ({ id, body: after })),
    )
    const changed = redacted.filter(({ body }, index) => body !== page[index]?.body)
    if (changed.length > 0) {
      yield* events.redact(shop, changed)
      changedAny = true
    }
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize) return changedAny
  }
})

/** What the body of an event may hold. */
interface Envelope {
  readonly data: { readonly design?: Design; readonly order?: Order.Order }
}

/** A body with these designs redacted. What is read and written again is the same to the byte: it was written in this way. */
const redactBody = Effect.fnUntraced(function* (body: string, designIds: ReadonlySet<string>, redact: Redact) {
  const redactIf = (design: Design) => (designIds.has(design.id) ? redact(design) : Effect.succeed(design))
  const envelope = JSON.parse(body) as Envelope
  const { design, order } = envelope.data
  if (design !== undefined) return JSON.stringify({ ...envelope, data: { design: yield* redactIf(design) } })
  if (order === undefined) return body
  return JSON.stringify({
    ...envelope,
    data: { order: { ...order, designs: yield* Effect.forEach(order.designs, redactIf) } },
  })
})
