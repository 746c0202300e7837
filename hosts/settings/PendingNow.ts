import { Effect } from "effect"
import type { Endpoint } from "../../core/model/webhooks/Endpoint.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { CurrentShop, Visit } from "./Visit.ts"

/** The pending deliveries of an endpoint of the current store, as a sentence for the end of a message. */
export const pendingNow = Effect.fnUntraced(function* ({ id, status }: Pick<Endpoint, "id" | "status">) {
  const { shop } = yield* CurrentShop
  const { texts } = yield* Visit
  const waiting = yield* DeliveryLog.use((log) => log.waiting(shop.id))
  const count = waiting.find(({ endpointId }) => endpointId === id)?.pending ?? 0
  return texts.repair.pending(count, status === "active")
})
