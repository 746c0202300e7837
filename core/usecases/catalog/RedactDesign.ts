import { Effect, Option } from "effect"
import type { Design, DesignRecord } from "../../model/catalog/Design.ts"
import * as Order from "../../model/orders/Order.ts"
import { WireForm } from "../../model/WireForm.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { StaleRevision } from "../../ports/StorageError.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { etagOf } from "../../support/Etag.ts"
import { makeRedact, redactEvents, redactRecord } from "../../support/Redacting.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { designOf, findOrder } from "../../support/ShopRecords.ts"

/**
 * Replaces the buyer's texts and uploads by `[redacted]` in a design, whatever its status, and in the kept events that
 * contain it (D43). Codes and prices stay, its tag and its order's tag change, nothing is sent, and it can't be
 * undone. Redacting twice changes nothing. A draft may be saved again afterwards.
 *
 * Returns the current design. Fails with `NotFound`, and with `Conflict` if the caller's transaction lost a race with
 * another change. If it fails otherwise, e.g. because the store is down, it may be half done: call it again.
 */
export const redactDesign = Effect.fn("RedactDesign.redactDesign")(
  function* (shopId: string, id: string) {
    const { design, shop } = yield* designOf(shopId, id)
    const redact = yield* makeRedact(shop.id)
    const redacted = yield* redactRecord(design, redact)
    if (redacted !== design) {
      const order = design.orderId === null ? null : yield* orderWith(shop.id, design.orderId, redacted)
      const audit = AuditRules.done(yield* newOccasion, shop.id, "design.redacted", { type: "design", id: design.id })
      yield* OrderStore.use((store) => store.commit({ shop: shop.id, designs: [redacted], order, events: [], audit }))
      yield* logEntry(audit)
    }
    yield* redactEvents(shop.id, new Set([design.id]), redact)
    return new WireForm<Design>(redacted.wire, redacted.etag)
  },
  (effect) => retryStale(effect),
)

/** The next record of an order in which one design has changed. */
const orderWith = Effect.fnUntraced(function* (shop: string, id: string, changed: DesignRecord) {
  const found = yield* findOrder(shop, id)
  // The design was read before: its shop may have been removed since.
  if (Option.isNone(found)) return yield* new StaleRevision({ canRetry: true })
  const { designs, order } = found.value
  const now = designs.map((design) => (design.id === changed.id ? changed : design))
  return { ...order, etag: yield* etagOf(Order.wire(order, now)), revision: order.revision + 1 }
})
