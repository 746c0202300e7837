import { Effect } from "effect"
import * as Order from "../../model/orders/Order.ts"
import { WireForm } from "../../model/WireForm.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { etagOf } from "../../support/Etag.ts"
import { makeRedact, redactEvents, redactRecord } from "../../support/Redacting.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { orderOf } from "../../support/ShopRecords.ts"

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
      const audit = AuditRules.done(yield* newOccasion, shop.id, "order.redacted", { type: "order", id: order.id })
      yield* OrderStore.use((store) =>
        store.commit({ shop: shop.id, designs: replaced, order: record, events: [], audit }),
      )
      yield* logEntry(audit)
    }
    const ids = new Set(designs.map((design) => design.id))
    yield* redactEvents(shop.id, ids, redact)
    return new WireForm<Order.Order>(Order.wire(record, changed), record.etag)
  },
  (effect) => retryStale(effect),
)
