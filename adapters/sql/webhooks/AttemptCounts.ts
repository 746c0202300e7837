import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import {
  type ActivityStep,
  countedWaiting,
  type EndpointView,
  recentAttempts,
  type SpanInSteps,
  type Waiting,
} from "../../../core/ports/DeliveryLog.ts"
import { durationColumns } from "../schema/LaterMigrations.ts"
import { fixed } from "../statements/Fixed.ts"
import { milliseconds } from "../statements/Rows.ts"
import { attemptOf } from "./DeliveryPages.ts"

const counted = ["succeeded", "failed_attempts", "given_up", ...durationColumns]

/**
 * A common table expression that counts the attempts of `stored`, without tests: rows with shop, endpoint_id, hour,
 * test, status and class, which a statement has just settled. Its endpoints are locked, so nothing waits for these
 * rows only, nor in another order.
 */
export const countAttempts = fixed(`counted AS (
  INSERT INTO designwire.attempt_counts AS c (shop, endpoint_id, hour, ${counted.join(", ")})
  SELECT shop, endpoint_id, hour, count(*) FILTER (WHERE status = 'succeeded'),
    count(*) FILTER (WHERE status <> 'succeeded'), count(*) FILTER (WHERE status = 'failed'),
    ${durationColumns.map((_, index) => `count(*) FILTER (WHERE class = ${index})`).join(", ")}
  FROM stored WHERE NOT test GROUP BY shop, endpoint_id, hour ORDER BY shop, endpoint_id, hour
  ON CONFLICT (shop, endpoint_id, hour) DO UPDATE SET
    ${counted.map((name) => `${name} = c.${name} + excluded.${name}`).join(", ")}
)`)

const within = (sql: SqlClient.SqlClient, { from, until }: SpanInSteps) =>
  sql`hour >= ${format(from)}::timestamptz AND hour < ${format(until)}::timestamptz`

/** The number of an endpoint's pending deliveries that are in these queues: it reads only an index of them. */
const countIn = (queues: string) => `(
  SELECT count(*) FROM (
    SELECT FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.queue IN (${queues})
    LIMIT ${countedWaiting}
  ) d
)`

/** The ids of an endpoint's last deliveries by a time: it reads only an index of them. */
const recentDeliveries = (time: string, condition: string) => `(
      SELECT d.id FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id AND ${condition}
      ORDER BY d.${time} DESC, d.id DESC LIMIT ${recentAttempts}
    )`

/** The pending deliveries and the newest attempts of an endpoint `e`, as the columns of `Waiting`. */
const waitingColumns =
  fixed(`e.id AS "endpointId", (${countIn("'due'")} + ${countIn("'scheduled', 'suspended'")} + ${countIn("'behind', 'joining'")})::int4 AS pending, coalesce((
  SELECT json_agg(r.attempt ORDER BY r.at DESC, r.id DESC, r.nth DESC) FROM (
    SELECT a.at, d.id, l.nth, l.attempt || jsonb_build_object('responseStart', left(l.attempt ->> 'responseStart', 100)) AS attempt
    FROM (${recentDeliveries("created_at", "true")} UNION ${recentDeliveries("next_attempt_at", "d.queue IN ('scheduled', 'suspended')")}) n
    JOIN designwire.deliveries d ON d.shop = e.shop AND d.id = n.id AND NOT d.test
    CROSS JOIN LATERAL jsonb_array_elements(d.attempt_log) WITH ORDINALITY l (attempt, nth)
    CROSS JOIN LATERAL (SELECT (l.attempt ->> 'at')::float8 AS at) a
    ORDER BY a.at DESC, d.id DESC, l.nth DESC LIMIT ${recentAttempts}
  ) r
), '[]') AS recent`)

/** The beginning of a step and the sums of its {@link counted}. */
type StepSums = readonly [at: number, succeeded: number, failed: number, givenUp: number, ...durations: Array<number>]

const stepOf = ([at, succeeded, failedAttempts, givenUp, ...durations]: StepSums): ActivityStep => ({
  ...{ at, succeeded, failedAttempts, givenUp, durations },
})

/** `DeliveryLog.activity`. */
export const activity = (sql: SqlClient.SqlClient, shop: string, span: SpanInSteps) =>
  Effect.map(
    sql<Waiting & { readonly steps: ReadonlyArray<StepSums> }>`SELECT ${waitingColumns}, coalesce((
  SELECT json_agg(s.sums) FROM (
    SELECT json_build_array(${sql.literal([milliseconds("c.step"), ...counted.map((name) => `sum(c.${name})`)].join(", "))}) AS sums
    FROM (
      SELECT *, date_bin(${span.step}::float8 * interval '1 millisecond', hour, ${format(span.from)}::timestamptz) AS step
      FROM designwire.attempt_counts WHERE shop = e.shop AND endpoint_id = e.id AND ${within(sql, span)}
    ) c GROUP BY c.step
  ) s
), '[]') AS steps
FROM designwire.endpoints e WHERE e.shop = ${shop}`,
    (rows) =>
      rows.map(
        ({ steps, ...waiting }): EndpointView => ({
          ...waiting,
          pending: Math.min(waiting.pending, countedWaiting),
          recent: waiting.recent.map(attemptOf),
          steps: steps.map(stepOf),
        }),
      ),
  )
