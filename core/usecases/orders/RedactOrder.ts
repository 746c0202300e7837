import { Effect, Option } from "effect"
import type { Definition } from "../../model/Definition.ts"
import { changeWire, type DesignRecord, fromWire } from "../../model/Design.ts"
import { designData, type EventRecord, orderData } from "../../model/Event.ts"
import { memberOf, replaceMembers, split } from "../../model/JsonText.ts"
import * as Order from "../../model/Order.ts"
import { WireForm } from "../../model/WireForm.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { EventStore } from "../../ports/EventStore.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { redactDesign } from "../../rules/Redaction.ts"
import { etagOf } from "../../support/Etag.ts"
import { orderOf } from "../../support/OrderOf.ts"
import { retryStale } from "../../support/RetryStale.ts"

/** The size of the pages in which events are searched. */
const pageSize = 50

/**
 * Replaces buyers' texts and uploads by `[redacted]` in an order's designs and in the kept events that contain these
 * designs (D43). Codes and prices stay, tags change, nothing is sent, and it can't be undone. Redacting twice changes
 * nothing.
 *
 * Returns the current order. Fails with `NotFound`, and with `Conflict` if the caller's transaction lost a race with
 * another change. If it fails otherwise, e.g. because the store is down, it may be half done: call it again.
 */
export const redactOrder = Effect.fn("RedactOrder.redactOrder")(
  function* (shopId: string, id: string) {
    const { designs, order, shop } = yield* orderOf(shopId, id)
    const redact = yield* makeRedact(shop.id)
    const changed = yield* Effect.forEach(designs, (record) => redactRecord(record, redact))
    const isChanged = changed.some((record, index) => record !== designs[index])
    const record: Order.OrderRecord = isChanged
      ? { ...order, etag: yield* etagOf(Order.wire(order, changed)), revision: order.revision + 1 }
      : order
    if (isChanged) {
      const replaced = changed.filter((record, index) => record !== designs[index])
      yield* OrderStore.use((store) => store.commit({ shop: shop.id, designs: replaced, order: record, events: [] }))
    }
    const ids = new Set(designs.map((design) => design.id))
    // Repeated until nothing is found: an event may have been made from the design before it was redacted.
    while (yield* redactEvents(shop.id, ids, redact));
    return new WireForm<Order.Order>(Order.wire(record, changed), record.etag)
  },
  (effect) => retryStale(effect),
)

type Redact = Effect.Success<ReturnType<typeof makeRedact>>

/** Makes the function that redacts wire forms of a shop's designs, each with its own version of its customizer. */
const makeRedact = Effect.fnUntraced(function* (shop: string) {
  const customizers = yield* CustomizerStore
  const definitions = new Map<string, Definition>()
  return Effect.fnUntraced(function* (wire: string) {
    const design = fromWire(wire)
    const { id, version } = design.customizer
    const key = `${id}/${version}`
    const definition =
      definitions.get(key) ??
      (JSON.parse(Option.getOrThrow(yield* customizers.definition(shop, id, version))) as Definition)
    definitions.set(key, definition)
    const { productionData, selection, summary } = redactDesign(design, definition)
    return changeWire(wire, { selection, summary, productionData })
  })
})

const redactRecord = Effect.fnUntraced(function* (record: DesignRecord, redact: Redact) {
  const text = yield* redact(record.wire)
  return text === record.wire
    ? record
    : { ...record, wire: text, etag: yield* etagOf(text), revision: record.revision + 1 }
})

/** Redacts the events that contain one of these designs. Returns whether there were any. */
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

/** A body with these designs redacted. All its other bytes stay. */
const redactBody = Effect.fnUntraced(function* (body: string, designIds: ReadonlySet<string>, redact: Redact) {
  const redactIf = (wire: string) => (designIds.has(fromWire(wire).id) ? redact(wire) : Effect.succeed(wire))
  const data = memberOf(body, "data") ?? "{}"
  const design = memberOf(data, "design")
  if (design !== undefined) return replaceMembers(body, new Map([["data", designData(yield* redactIf(design))]]))
  const order = memberOf(data, "order")
  if (order === undefined) return body
  const designs = yield* Effect.forEach(split(memberOf(order, "designs") ?? "[]"), redactIf)
  const changed = replaceMembers(order, new Map([["designs", `[${designs.join(",")}]`]]))
  return replaceMembers(body, new Map([["data", orderData(changed)]]))
})
