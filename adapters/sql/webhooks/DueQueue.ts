/** Reads the queue `due` (DeliveryRules.ts), whose index is ordered by shop, then endpoint, then due time. */
import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { hintFewInGenericPlan } from "../statements/Rows.ts"

/** Before every shop. */
export const beginning = ""

/** Restricts to deliveries due at an instant or later; no restriction without an instant. */
export const dueSince = (sql: SqlClient.SqlClient, scanFrom: Instant | null): Statement.Fragment =>
  scanFrom === null ? sql`` : sql` AND d.next_attempt_at >= ${format(scanFrom)}::timestamptz`

/**
 * A table of a `WITH RECURSIVE`, `due_shops`: the first shops after a given one with deliveries in the queue. Each shop
 * takes one step in the index, whatever its number of deliveries. Skips deliveries due before `scanFrom`.
 */
export const dueShops = (
  sql: SqlClient.SqlClient,
  { after, limit, scanFrom }: { readonly after: string; readonly limit: number; readonly scanFrom: Instant | null },
): Statement.Fragment => sql`due_shops AS (
  SELECT ${after}::text COLLATE "C" AS shop, 0 AS step
  UNION ALL
  SELECT n.shop, w.step + 1 FROM due_shops w CROSS JOIN LATERAL (
    SELECT d.shop FROM designwire.deliveries d
    WHERE d.queue = 'due' AND d.shop > w.shop${dueSince(sql, scanFrom)} ORDER BY d.shop LIMIT 1
  ) n WHERE w.step < ${limit}::int4 AND ${hintFewInGenericPlan(sql, "w.shop")}
)`
