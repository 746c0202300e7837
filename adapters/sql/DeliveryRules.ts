/**
 * The rules of `core/rules/DeliveryState` in SQL, each once. They speak of the shop `s`, its endpoint `e`, an event `ev` and a delivery `d`.
 */
import type { SqlClient, Statement } from "effect/sql"
import { plansWithApi } from "../../core/model/Shop.ts"

const hasWebhooks = `s.plan IN (${plansWithApi.map((plan) => `'${plan}'`).join(", ")})`

/** `DeliveryState.isFor`: whether an event that happens is to be delivered to the endpoint. */
export const isFor = `(${hasWebhooks} AND e.status = 'active' AND ev.event = ANY(e.kinds))`

/** `DeliveryState.maySend`: whether a pending delivery may be sent as things stand. */
export const maySend = `(${hasWebhooks} AND (d.test OR e.status = 'active'))`

/** `DeliveryState.hasMissed`: whether the endpoint has missed an event of its shop. */
export const hasMissed = `(NOT ev.test AND ev.event = ANY(e.kinds) AND NOT EXISTS (
  SELECT 1 FROM designwire.deliveries k
  WHERE k.shop = ev.shop AND k.event_id = ev.id AND k.endpoint_id = e.id AND k.status <> 'failed'
))`

/** When a delivery can be claimed: when it is due, or null where it is held or no longer pending. `outcome` has its status and next attempt. */
export const availableAt = (outcome = "d"): string =>
  `CASE WHEN ${outcome}.status = 'pending' AND ${maySend} THEN ${outcome}.next_attempt_at END`

/** `DeliveryState.deliveryId`. */
export const deliveryId = "'dlv_' || substr(ev.id, 5) || substr(e.id, 5)"

/** `DeliveryState.recoveredId`. */
export const recoveredId = (sql: SqlClient.SqlClient, run: string): Statement.Fragment =>
  sql`'dlv_' || ${run} || substr(ev.id, 5)`

/** Adds the deliveries that `made` selects: pending, with their `next_attempt_at`, available as the rules say. */
export const insertDeliveries = (sql: SqlClient.SqlClient, made: Statement.Fragment) =>
  sql`INSERT INTO designwire.deliveries
  (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, available_at, attempts)
SELECT d.shop, d.id, d.endpoint_id, d.event_id, d.event, d.test, d.status, d.created_at, d.next_attempt_at, ${sql.literal(availableAt())}, 0
FROM (${made}) d
JOIN designwire.endpoints e ON e.shop = d.shop AND e.id = d.endpoint_id
JOIN designwire.shops s ON s.id = d.shop
FOR KEY SHARE OF e`

/** Makes the pending deliveries of some endpoints, those that `which` says, available or held as the rules say now. */
export const applyAvailability = (sql: SqlClient.SqlClient, which: Statement.Fragment) => {
  const available = sql.literal(availableAt())
  return sql`UPDATE designwire.deliveries d SET available_at = ${available}
FROM designwire.endpoints e JOIN designwire.shops s ON s.id = e.shop
WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.status = 'pending' AND ${which} AND d.available_at IS DISTINCT FROM ${available}`
}
