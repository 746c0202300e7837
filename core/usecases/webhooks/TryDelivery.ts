import { Clock, Effect, Option } from "effect"
import { Conflict, NotFound } from "../../model/Errors.ts"
import { isStorable } from "../../model/Text.ts"
import { view } from "../../model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { DeliveryQueue, type TrialOutcome } from "../../ports/DeliveryQueue.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { endpointOf, requireWebhooks } from "../../support/ShopRecords.ts"

const noDelivery = new NotFound({ message: "The endpoint has no such delivery" })

const refusals: Readonly<Record<Exclude<TrialOutcome, "due" | "suspended" | "unknown">, string>> = {
  under_way: "An attempt is under way: nothing was changed. Look at its outcome before you try again",
  behind: "The delivery waits for another one about the same order or design: nothing was changed. Try that one",
  finished: "The delivery is finished and is not attempted any more. Redeliver it to send its event again",
}

const suspended = ({ status }: EndpointRecord): Conflict =>
  new Conflict({
    message: `The endpoint is ${status === "paused" ? "paused" : "switched off"}: enable it, and its deliveries continue`,
  })

/**
 * Attempts a pending delivery now instead of at the time of its retry. The retry schedule continues after it: the
 * attempt has the next number, and if it fails, the wait is the one after that number (D25). Returns the delivery.
 *
 * Fails with `NotFound`; with `Conflict` if an attempt is under way, if the delivery is finished or waits for another
 * one (D53), or if its endpoint is paused or switched off (D28, D51); with `PlanRequired` if the shop's plan does not
 * include webhooks (D8).
 */
export const tryDelivery = Effect.fn("TryDelivery")(function* (shopId: string, endpointId: string, id: string) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  if (!isStorable(id)) return yield* noDelivery
  yield* requireWebhooks(shop)
  const now = yield* Clock.currentTimeMillis
  const audit = AuditRules.done(yield* newOccasion, shop.id, "delivery.tried", { type: "delivery", id })
  const trial = { shop: shop.id, endpointId: endpoint.id, id, now, audit }
  const outcome = yield* DeliveryQueue.use((queue) => queue.tryNow(trial))
  if (outcome === "unknown") return yield* noDelivery
  if (outcome === "suspended") {
    // What suspends it may have changed just now.
    const current = yield* endpointOf(shopId, endpointId)
    yield* requireWebhooks(current.shop)
    return yield* suspended(current.endpoint)
  }
  if (outcome !== "due") return yield* new Conflict({ message: refusals[outcome] })
  yield* logEntry(audit)
  const found = yield* DeliveryLog.use((log) => log.find(shop.id, endpoint.id, id))
  return Option.isSome(found) ? view(found.value.delivery) : yield* noDelivery
})
