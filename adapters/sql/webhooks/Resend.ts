/** Sends deliveries of the log again (`DeliveryQueue.resend`, `DeliveryLog.resendable`). */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { ResendFilter } from "../../../core/model/webhooks/Resend.ts"
import type { ResendStep, ResendStepDone } from "../../../core/ports/DeliveryQueue.ts"
import { milliseconds } from "../statements/Rows.ts"
import { deliveriesOf, insertDeliveries, objectOf, recoveredId } from "./DeliveryRules.ts"

/** Whether the filter finds the delivery `d`; with `of`, another delivery. */
const isFound = (sql: SqlClient.SqlClient, filter: ResendFilter, of = "d"): Statement.Fragment => {
  const { from, ids, kind, state, tests, until } = filter
  const d = sql.literal(of)
  return sql`${d}.queue IS NULL AND ${d}.created_at < ${format(until)}::timestamptz
    ${from === null ? sql`` : sql`AND ${d}.created_at >= ${format(from)}::timestamptz`}
    ${state === null ? sql`` : sql`AND ${d}.status = ${state}`}
    ${kind === null ? sql`` : sql`AND ${d}.event = ${kind}`}
    ${tests ? sql`` : sql`AND NOT ${d}.test`}
    ${ids === null ? sql`` : sql`AND ${d}.id = ANY(${[...ids]}::text[])`}`
}

/**
 * The deliveries `d` of an endpoint `e` for which a run sends their events `ev` again (`DeliveryState.resentFor`):
 * `FROM` and `WHERE` of a statement.
 */
const resentFor = (
  sql: SqlClient.SqlClient,
  {
    endpointId,
    filter,
    run,
    shop,
  }: Pick<ResendStep, "shop" | "endpointId" | "filter"> & { readonly run: string | null },
): Statement.Fragment => {
  const waits =
    run === null ? sql`o.queue IS NOT NULL` : sql`(o.queue IS NOT NULL AND o.id <> ${recoveredId(sql, run)})`
  const prevents = sql`(${waits} OR (${isFound(sql, filter, "o")} AND (o.created_at, o.id) < (d.created_at, d.id)))`
  const other = (which: string) =>
    sql`NOT EXISTS (
    SELECT 1 FROM designwire.deliveries o WHERE ${sql.literal(which)} AND o.endpoint_id = e.id AND ${prevents}
  )`
  const { first, later } = deliveriesOf("o")
  return sql`FROM designwire.endpoints e JOIN designwire.deliveries d ON d.shop = e.shop AND d.endpoint_id = e.id
  JOIN designwire.events ev ON ev.shop = d.shop AND ev.id = d.event_id
  WHERE e.shop = ${shop} AND e.id = ${endpointId} AND ${isFound(sql, filter)} AND ${other(first)} AND ${other(later)}`
}

/** Counts what a new run would add. */
export const countResendable = (sql: SqlClient.SqlClient, shop: string, endpointId: string, filter: ResendFilter) =>
  Effect.map(
    sql<{ found: number }>`SELECT count(*)::int4 AS found ${resentFor(sql, { shop, endpointId, filter, run: null })}`,
    (rows) => rows[0]?.found ?? 0,
  )

interface Row {
  readonly sent: number
  readonly added: number
  readonly isMore: boolean
  readonly createdAt: Instant | null
  readonly id: string | null
}

/** Takes a step within a transaction. */
export const resendStep = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, step: ResendStep) {
  const { after, limit, now, run, shop } = step
  const at = sql`${format(now)}::timestamptz`
  const later =
    after === null
      ? sql``
      : sql` AND (d.created_at, d.id) > (${format(after.createdAt)}::timestamptz, ${after.id}::text COLLATE "C")`
  const made = sql`SELECT t.shop, t.id, t.endpoint_id, t.event_id, t.event, t.test, 'pending' AS status,
    ${at} AS created_at, ${at} AS next_attempt_at, t.object, NULL::bigint AS place FROM taken t`
  const [row] = yield* sql<Row>`WITH found AS MATERIALIZED (
  SELECT d.shop, ${recoveredId(sql, run)} AS id, d.endpoint_id, d.event_id, d.event, d.test,
    d.created_at AS log_time, d.id AS log_id, ${objectOf} AS object
  ${resentFor(sql, step)}${later}
  ORDER BY d.created_at, d.id LIMIT ${limit}::int4 + 1 FOR KEY SHARE OF ev
), taken AS MATERIALIZED (
  SELECT * FROM found f ORDER BY f.log_time, f.log_id LIMIT ${limit}::int4
), added AS (
  ${insertDeliveries(sql, shop, made)}
  ON CONFLICT (shop, id) DO NOTHING RETURNING 1
)
SELECT (SELECT count(*)::int4 FROM taken) AS sent, (SELECT count(*)::int4 FROM added) AS added,
  (SELECT count(*) FROM found) > (SELECT count(*) FROM taken) AS "isMore", l.created_at AS "createdAt", l.id
FROM (SELECT 1) one LEFT JOIN (
  SELECT ${milliseconds("t.log_time")} AS created_at, t.log_id AS id
  FROM taken t ORDER BY t.log_time DESC, t.log_id DESC LIMIT 1
) l ON true`
  const { added = 0, createdAt = null, id = null, isMore = false, sent = 0 } = row ?? {}
  const done: ResendStepDone = {
    sent,
    added,
    after: !isMore || createdAt === null || id === null ? null : { createdAt, id },
  }
  return done
})
