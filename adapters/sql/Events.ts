import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { EventRecord } from "../../core/model/Event.ts"
import { format } from "../../core/model/Instant.ts"
import { notifyWorkers } from "./Signals.ts"

/** Keeps events. */
export const insertEvents = (sql: SqlClient.SqlClient, events: ReadonlyArray<EventRecord>) =>
  sql`INSERT INTO designwire.events (shop, id, event, test, created_at, body)
SELECT * FROM ${unnestEvents(sql, events)}`

/** Keeps events of a shop with a pending delivery for every active endpoint that takes them. Answers how many deliveries. */
export const insertEventsWithDeliveries = (sql: SqlClient.SqlClient, events: ReadonlyArray<EventRecord>) =>
  sql<{ deliveries: number }>`WITH happened AS (
  INSERT INTO designwire.events (shop, id, event, test, created_at, body)
  SELECT * FROM ${unnestEvents(sql, events)} RETURNING shop, id, event, test, created_at
), added AS (
  INSERT INTO designwire.deliveries
    (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, available_at, attempts)
  SELECT h.shop, 'dlv_' || substr(h.id, 5) || substr(e.id, 5), e.id, h.id, h.event, h.test, 'pending',
    h.created_at, h.created_at, h.created_at, 0
  FROM happened h
  JOIN designwire.endpoints e ON e.shop = h.shop AND e.status = 'active' AND h.event = ANY(e.kinds)
  JOIN designwire.shops s ON s.id = h.shop AND s.plan <> 'free'
  FOR KEY SHARE OF e
  RETURNING 1
)
SELECT deliveries, CASE WHEN deliveries > 0 THEN ${notifyWorkers(sql)} END AS told
FROM (SELECT count(*)::int4 AS deliveries FROM added) c`.pipe(Effect.map((rows) => rows[0]?.deliveries ?? 0))

const unnestEvents = (sql: SqlClient.SqlClient, events: ReadonlyArray<EventRecord>) => sql`(
  SELECT r.shop, r.id, r.event, r.test, r.created_at::timestamptz, r.body FROM unnest(
    ${events.map((event) => event.shop)}::text[],
    ${events.map((event) => event.id)}::text[],
    ${events.map((event) => event.event)}::text[],
    ${events.map((event) => event.test)}::bool[],
    ${events.map((event) => format(event.createdAt))}::text[],
    ${events.map((event) => event.body)}::text[]
  ) AS r (shop, id, event, test, created_at, body)
) AS unnested`
