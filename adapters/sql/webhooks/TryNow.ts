import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import type { Trial, TrialOutcome } from "../../../core/ports/DeliveryQueue.ts"
import { maySend } from "./DeliveryRules.ts"

/**
 * Makes a pending delivery due within a transaction (`DeliveryQueue.tryNow`).
 *
 * It locks the endpoint and then the delivery, like a settlement, so that neither waits for the other. A claim that has
 * the delivery locked commits its lease before this reads it.
 */
export const tryNow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { endpointId, id, now, shop }: Trial,
): Effect.fn.Return<TrialOutcome, SqlError.SqlError> {
  const at = sql`${format(now)}::timestamptz`
  yield* sql`SELECT 1 AS locked FROM designwire.endpoints WHERE shop = ${shop} AND id = ${endpointId} FOR NO KEY UPDATE`
  const [found] = yield* sql<{ outcome: TrialOutcome }>`SELECT CASE WHEN d.status <> 'pending' THEN 'finished'
  WHEN d.leased_until > ${at} THEN 'under_way'
  WHEN d.queue IN ('behind', 'joining') THEN 'behind' WHEN NOT ${maySend} THEN 'suspended' ELSE 'due' END AS outcome
FROM designwire.deliveries d JOIN designwire.endpoints e ON e.shop = d.shop AND e.id = d.endpoint_id
JOIN designwire.shops s ON s.id = d.shop
WHERE d.shop = ${shop} AND d.endpoint_id = ${endpointId} AND d.id = ${id} FOR NO KEY UPDATE OF d`
  if (found?.outcome !== "due") return found?.outcome ?? "unknown"
  yield* sql`UPDATE designwire.deliveries SET next_attempt_at = least(next_attempt_at, ${at}), queue = 'due'
WHERE shop = ${shop} AND id = ${id}`
  return "due"
})
