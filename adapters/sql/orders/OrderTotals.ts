/** What the orders of a search come to. */
import type { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import {
  customizerMark,
  designsCounted,
  type OrderSearch,
  type OrderTotals,
} from "../../../core/model/orders/OrderSearch.ts"
import { hasStatus } from "../schema/LaterMigrations.ts"
import { fixed } from "../statements/Fixed.ts"

const counted = fixed(String(designsCounted))

/** The conditions of a search for orders `o`, but for its text and its customizer. */
export const conditionsOf = (sql: SqlClient.SqlClient, { after, from, ids, shop, status, until }: OrderSearch) =>
  sql.and([
    sql`o.shop = ${shop}`,
    ...(ids === undefined ? [] : [sql`o.id = ANY(${ids}::text[])`]),
    ...(status === null ? [] : [fixed(hasStatus("o.head", status))]),
    ...(from === null ? [] : [sql`o.ordered_at >= ${format(from)}::timestamptz`]),
    ...(until === null ? [] : [sql`o.ordered_at < ${format(until)}::timestamptz`]),
    ...(after === null ? [] : [sql`(o.ordered_at, o.id) < (${format(after.orderedAt)}::timestamptz, ${after.id})`]),
  ])

/** Whether a design `d` is of a customizer. */
export const isOf = (sql: SqlClient.SqlClient, customizer: number | null) =>
  customizer === null ? sql`true` : sql`strpos(d.wire, ${customizerMark(customizer)}) > 0`

/** Totals of orders from the newest on. The laterals keep each part within its limit, whatever the planner thinks. */
export const totals = (sql: SqlClient.SqlClient, query: OrderSearch) => sql<OrderTotals>`WITH newest AS MATERIALIZED (
  SELECT o.id FROM designwire.orders o WHERE ${conditionsOf(sql, query)}
  ORDER BY o.ordered_at DESC, o.id DESC LIMIT ${counted} + 1
), listed AS MATERIALIZED (
  SELECT d.* FROM newest o CROSS JOIN LATERAL (
    SELECT d.order_id, d.id, ${isOf(sql, query.customizer ?? null)} AS fits FROM designwire.designs d
    WHERE d.shop = ${query.shop} AND d.order_id = o.id ORDER BY d.position LIMIT ${counted} + 1
  ) d LIMIT ${counted} + 1
), pieces AS (
  SELECT o.order_id, e.line ->> 'designId' AS id, sum((e.line ->> 'quantity')::int4) AS pieces
  FROM (SELECT DISTINCT order_id FROM listed) o CROSS JOIN LATERAL (
    SELECT l.lines FROM designwire.order_lines l WHERE l.shop = ${query.shop} AND l.order_id = o.order_id LIMIT 1
  ) l CROSS JOIN json_array_elements(l.lines::json) e(line) GROUP BY 1, 2
)
SELECT count(DISTINCT d.order_id)::int4 AS orders, count(*)::int4 AS designs,
  coalesce(sum(coalesce(p.pieces, 1)), 0)::float8 AS pieces,
  (SELECT count(*) FROM listed) > ${counted} AS "isMore"
FROM (SELECT * FROM listed LIMIT ${counted}) d LEFT JOIN pieces p USING (order_id, id)
WHERE d.fits`
