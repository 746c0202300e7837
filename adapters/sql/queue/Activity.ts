import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { DeliveryStatus } from "../../../core/model/Delivery.ts"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { Activity, EndpointActivity } from "../../../core/ports/DeliveryLog.ts"
import { milliseconds } from "../statements/Rows.ts"

interface Row {
  readonly endpointId: string
  readonly latest: number | null
  readonly hour: number | null
  readonly status: DeliveryStatus | null
  readonly deliveries: number | null
}

/** `DeliveryLog.activity`. */
export const activity = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  shop: string,
  { limit, since }: { readonly since: Instant; readonly limit: number },
) {
  const begin = sql`${format(since)}::timestamptz`
  const recent = sql`(
  SELECT n.* FROM designwire.endpoints o CROSS JOIN LATERAL (
    SELECT d.endpoint_id, d.status, d.attempt_log, floor(extract(epoch FROM d.created_at - ${begin}) / 3600)::int4 AS hour
    FROM designwire.deliveries d WHERE d.shop = o.shop AND d.endpoint_id = o.id AND d.created_at >= ${begin}
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}::int4
  ) n WHERE o.shop = ${shop}
)`
  const rows = yield* sql<Row>`SELECT e.id AS "endpointId", c.hour, c.status, c.deliveries, (
  SELECT ${sql.literal(milliseconds("d.created_at"))} FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id
  ORDER BY d.created_at DESC, d.id DESC LIMIT 1
) AS latest
FROM designwire.endpoints e
LEFT JOIN (SELECT endpoint_id, hour, status, count(*)::int4 AS deliveries FROM ${recent} r GROUP BY 1, 2, 3) c ON c.endpoint_id = e.id
WHERE e.shop = ${shop}`
  const [durations] = yield* sql<{
    median: number | null
  }>`SELECT (percentile_disc(0.5) WITHIN GROUP (ORDER BY a."durationMs"))::int4 AS median
FROM ${recent} r CROSS JOIN LATERAL jsonb_to_recordset(r.attempt_log) a ("durationMs" int4)`
  const answer: Activity = {
    endpoints: [...Map.groupBy(rows, ({ endpointId }) => endpointId)].map(
      ([endpointId, own]): EndpointActivity => ({
        endpointId,
        latest: own[0]?.latest ?? null,
        counts: own.flatMap(({ deliveries, hour, status }) =>
          hour === null || status === null || deliveries === null ? [] : [{ hour, status, deliveries }],
        ),
      }),
    ),
    medianMs: durations?.median ?? null,
  }
  return answer
})
