import type { SqlClient, Statement } from "effect/sql"
import type { EventRecord } from "../../../core/model/events/Event.ts"
import { redacted } from "../../../core/rules/orders/Redaction.ts"
import { rows } from "../statements/Rows.ts"
import { deliveriesOfEvent } from "../webhooks/DeliveryRules.ts"

/**
 * Tables of a `WITH` that replace the bodies of a shop's events, and the responses to their deliveries, if a condition
 * holds (D43). The last is `redacted`.
 */
export const redactionTables = (
  sql: SqlClient.SqlClient,
  shop: string,
  events: ReadonlyArray<Pick<EventRecord, "id" | "body">>,
  condition: Statement.Fragment = sql`true`,
): Statement.Fragment => sql`changed AS (
  UPDATE designwire.events ev SET body = r.body FROM ${rows("r", { id: "text", body: "text" }, events)}
  WHERE ev.shop = ${shop} AND ev.id = r.id AND ${condition} RETURNING ev.shop, ev.id
), redacted AS (
  UPDATE designwire.deliveries d SET attempt_log = (
    SELECT jsonb_agg(CASE WHEN a.attempt ->> 'responseStart' IS NULL THEN a.attempt ELSE a.attempt || jsonb_build_object('responseStart', ${redacted}::text) END ORDER BY a.place)
    FROM jsonb_array_elements(d.attempt_log) WITH ORDINALITY a (attempt, place)
  )
  FROM changed ev CROSS JOIN LATERAL (${deliveriesOfEvent}) o
  WHERE d.shop = ${shop} AND d.id = o.id AND d.attempts > 0 RETURNING 1
)`
