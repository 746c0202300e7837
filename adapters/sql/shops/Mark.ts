import type { SqlClient } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { total } from "../orders/OrderCounts.ts"

/** The number of an endpoint's newest deliveries, and of those that are due first, that a mark distinguishes. */
const newest = 60

/**
 * `ShopStore.mark`. Each part reads a few rows from the end of an index. What commits late, and is not the newest of
 * all, is among the newest.
 */
export const markOf = (sql: SqlClient.SqlClient, shop: string, now: Instant) =>
  sql<{ mark: string }>`SELECT json_build_array(
  (SELECT hashtextextended(s::text, 0) FROM designwire.shops s WHERE s.id = ${shop}),
  (SELECT hashtextextended(string_agg(e::text, ' ' ORDER BY e.id), 0) FROM designwire.endpoints e WHERE e.shop = ${shop}),
  (SELECT hashtextextended(string_agg(concat_ws(' ', d.id, d.queue), ' ' ORDER BY d.id), 0)
    FROM designwire.endpoints e CROSS JOIN LATERAL (
      SELECT d.id, d.queue FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id
      ORDER BY d.created_at DESC, d.id DESC LIMIT ${sql.literal(String(newest))}
    ) d WHERE e.shop = ${shop}),
  (SELECT hashtextextended(string_agg(d.claim_token, ' ' ORDER BY d.id), 0)
    FROM designwire.endpoints e CROSS JOIN LATERAL (
      SELECT d.id, d.claim_token FROM designwire.deliveries d
      WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.queue = 'due'
      ORDER BY d.next_attempt_at, d.id LIMIT ${sql.literal(String(newest))}
    ) d WHERE e.shop = ${shop}),
  (SELECT json_agg(c) FROM designwire.endpoints e CROSS JOIN LATERAL (
      SELECT c.hour, c.succeeded, c.failed_attempts, c.given_up FROM designwire.attempt_counts c
      WHERE c.shop = e.shop AND c.endpoint_id = e.id ORDER BY c.hour DESC LIMIT 2
    ) c WHERE e.shop = ${shop}),
  (SELECT hashtextextended(string_agg(t.id, ' ' ORDER BY t.id), 0) FROM designwire.tokens t WHERE t.shop = ${shop}),
  (SELECT json_agg(ev.id) FROM (
      SELECT ev.id FROM designwire.events ev WHERE ev.shop = ${shop} ORDER BY ev.created_at DESC, ev.id DESC LIMIT 5
    ) ev),
  (SELECT json_agg(n.id) FROM (
      SELECT n.id FROM designwire.notices n WHERE n.shop = ${shop} AND n.created_at <= ${format(now)}::timestamptz
      ORDER BY n.created_at DESC, n.id DESC LIMIT 5
    ) n),
  (SELECT json_agg(o.etag) FROM (
      SELECT o.etag FROM designwire.orders o WHERE o.shop = ${shop} ORDER BY o.ordered_at DESC, o.id DESC LIMIT 5
    ) o),
  ${total(sql, shop, null)}
)::text AS mark`
