import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { countedWaiting, type HourCounts, type Waiting } from "../../../core/ports/DeliveryLog.ts"
import { durationColumns } from "../schema/AttemptCounts.ts"
import { milliseconds } from "../statements/Rows.ts"

const counted = ["succeeded", "failed_attempts", "given_up", ...durationColumns]

/**
 * A common table expression that counts the attempts of `stored`: rows with shop, endpoint_id, hour, status and class,
 * which a statement has just settled. Its endpoints are locked, so nothing waits for these rows alone, nor in another
 * order.
 */
export const countAttempts: string = `counted AS (
  INSERT INTO designwire.attempt_counts AS c (shop, endpoint_id, hour, ${counted.join(", ")})
  SELECT shop, endpoint_id, hour, count(*) FILTER (WHERE status = 'succeeded'),
    count(*) FILTER (WHERE status <> 'succeeded'), count(*) FILTER (WHERE status = 'failed'),
    ${durationColumns.map((_, index) => `count(*) FILTER (WHERE class = ${index})`).join(", ")}
  FROM stored GROUP BY shop, endpoint_id, hour ORDER BY shop, endpoint_id, hour
  ON CONFLICT (shop, endpoint_id, hour) DO UPDATE SET
    ${counted.map((name) => `${name} = c.${name} + excluded.${name}`).join(", ")}
)`

/** `DeliveryLog.attempts`. */
export const attempts = (
  sql: SqlClient.SqlClient,
  shop: string,
  { from, until }: { readonly from: Instant; readonly until: Instant },
) =>
  sql<HourCounts>`SELECT endpoint_id AS "endpointId", ${sql.literal(milliseconds("hour"))} AS hour, succeeded,
  failed_attempts AS "failedAttempts", given_up AS "givenUp", to_json(ARRAY[${sql.literal(durationColumns.join(", "))}]) AS durations
FROM designwire.attempt_counts
WHERE shop = ${shop} AND hour >= ${format(from)}::timestamptz AND hour < ${format(until)}::timestamptz`

/** `DeliveryLog.waiting`. Each count reads an index of pending deliveries alone. */
export const waiting = (sql: SqlClient.SqlClient, shop: string) => {
  const count = (queues: string) =>
    sql.literal(`(
  SELECT count(*) FROM (
    SELECT FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.queue IN (${queues})
    LIMIT ${countedWaiting}
  ) d
)`)
  return Effect.map(
    sql<Waiting>`SELECT e.id AS "endpointId", (${count("'due'")} + ${count("'scheduled', 'suspended'")})::int4 AS pending, (
  SELECT ${sql.literal(milliseconds("d.created_at"))} FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id
  ORDER BY d.created_at DESC, d.id DESC LIMIT 1
) AS latest
FROM designwire.endpoints e WHERE e.shop = ${shop}`,
    (rows) => rows.map((row): Waiting => ({ ...row, pending: Math.min(row.pending, countedWaiting) })),
  )
}
