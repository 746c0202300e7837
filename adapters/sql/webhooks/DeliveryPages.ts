import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Subject } from "../../../core/model/events/Event.ts"
import { format } from "../../../core/model/Instant.ts"
import type { Attempt } from "../../../core/model/webhooks/Delivery.ts"
import type {
  DeliveryPage,
  DeliveryPlace,
  LoggedDelivery,
  WaitingCause,
  WaitingCount,
} from "../../../core/model/webhooks/LoggedDelivery.ts"
import {
  countedWaiting,
  type DeliveriesOfEvents,
  type DeliveriesQuery,
  type FilteredDeliveries,
  lookedAt,
  type PendingDeliveries,
} from "../../../core/ports/DeliveryLog.ts"
import { subjectColumns } from "../events/Subjects.ts"
import { fixed } from "../statements/Fixed.ts"
import { milliseconds } from "../statements/Rows.ts"
import { as, select } from "../statements/Table.ts"
import { deliveriesOfEvent, deliveryFields, hasWebhooks } from "./DeliveryRules.ts"

interface Row extends Omit<LoggedDelivery, "subject" | "lastAttempt">, Subject {
  /** JSON of an {@link Attempt}. */
  readonly lastAttempt: string | null
}

/** Columns of a delivery `d` and its event `ev` that say how it stands. */
export const standingColumns = fixed(
  [
    as(milliseconds("d.leased_until"), "claimedUntil"),
    as("coalesce(d.queue IN ('behind', 'joining'), false)", "isBehind"),
    subjectColumns,
  ].join(", "),
)

/** Columns of a delivery `d` and its event `ev`. */
const columns = fixed(
  [
    select("d", { ...deliveryFields, attempts: "int4" }),
    as("(d.attempt_log -> -1)::text", "lastAttempt"),
    standingColumns,
  ].join(", "),
)

export const withEvent = fixed("JOIN designwire.events ev ON ev.shop = d.shop AND ev.id = d.event_id")

/** The database stores the members of an object in its own order. */
export const attemptOf = ({ at, durationMs, error, number, responseStart, statusCode }: Attempt): Attempt => ({
  number,
  at,
  statusCode,
  durationMs,
  responseStart,
  error,
})

const loggedDelivery = ({ design, lastAttempt, order, ...row }: Row): LoggedDelivery => ({
  ...row,
  subject: { order, design },
  lastAttempt: lastAttempt === null ? null : attemptOf(JSON.parse(lastAttempt) as Attempt),
})

/**
 * A page of `DeliveryLog`. A shop has few endpoints: each list is merged from one part of an index for each.
 */
export const pageOfDeliveries = (sql: SqlClient.SqlClient, query: DeliveriesQuery) => {
  if ("filter" in query) return filtered(sql, query)
  return "pending" in query ? pending(sql, query) : ofEvents(sql, query)
}

/** A time, or an end of time. The ends aren't parameters: postgres.js makes a `Date` of each, and there is none. */
const timeOr = (sql: SqlClient.SqlClient, at: number | undefined, end: "infinity" | "-infinity"): Statement.Fragment =>
  at === undefined ? fixed(`'${end}'::timestamptz`) : sql`${format(at)}::timestamptz`

/** A place after `after`, as the values of a row. */
const beyond = (sql: SqlClient.SqlClient, after: DeliveryPlace | null, first: "infinity" | "-infinity") =>
  sql`${timeOr(sql, after?.at, first)}, ${after?.id ?? ""}`

/** One row more than the limit was asked for. */
const pageOf = (
  rows: ReadonlyArray<Row>,
  limit: number,
  placeOf: (last: LoggedDelivery) => DeliveryPlace,
): DeliveryPage => {
  const deliveries = rows.slice(0, limit).map(loggedDelivery)
  const last = deliveries.at(-1)
  return { deliveries, next: last === undefined || rows.length <= limit ? null : placeOf(last) }
}

const created = ({ createdAt, id }: LoggedDelivery): DeliveryPlace => ({ at: createdAt, id })

const due = ({ createdAt, id, nextAttemptAt }: LoggedDelivery): DeliveryPlace => ({
  at: nextAttemptAt ?? createdAt,
  id,
})

interface Horizon {
  readonly horizonAt: number | null
  readonly horizonId: string | null
}

/** A row of a page; without a delivery if nothing was found. */
type FoundRow = (Row & Horizon) | ({ readonly id: null } & Horizon)

const withoutHorizon = ({ horizonAt: _at, horizonId: _id, ...row }: Row & Horizon): Row => row

/**
 * Reads only the next {@link lookedAt} deliveries of each endpoint. If these don't fill the page, it ends at the
 * horizon: the newest place up to which an endpoint was looked at and has more.
 */
const filtered = (sql: SqlClient.SqlClient, { after, filter, limit, shop }: FilteredDeliveries) => {
  const { attempts, endpoint = null, from, kind = null, status = null, test = null, until } = filter
  // One bound: with two, Postgres would read the index from the later one.
  const before = until === undefined || (after !== null && after.at < until) ? after : { at: until, id: "" }
  const endpoints = sql`designwire.endpoints e CROSS JOIN LATERAL`
  const ofShop = sql`e.shop = ${shop} AND (${endpoint ?? null}::text IS NULL OR e.id = ${endpoint ?? null})`
  const next = sql`FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id${status === "failed" ? sql` AND d.status = 'failed'` : sql``}
        AND (d.created_at, d.id) < (${beyond(sql, before, "infinity")})
        AND d.created_at >= ${timeOr(sql, from, "-infinity")}
      ORDER BY d.created_at DESC, d.id DESC`
  // Each attempt has failed but the last of a delivery that succeeded.
  const attempted =
    attempts === undefined
      ? sql``
      : sql` AND EXISTS (
      SELECT FROM jsonb_array_elements(
        CASE WHEN ${attempts.failed}::bool AND n.status = 'succeeded' THEN n.attempt_log - -1 ELSE n.attempt_log END
      ) a WHERE (a ->> 'at')::float8 >= ${attempts.from}::float8 AND (a ->> 'at')::float8 < ${attempts.until}::float8
    )`
  return sql<FoundRow>`WITH found AS MATERIALIZED (
  SELECT f.id, f.created_at FROM ${endpoints} (
    SELECT n.id, n.created_at FROM (
      SELECT d.id, d.created_at, d.status, d.event, d.test, d.attempt_log ${next} LIMIT ${lookedAt}::int4
    ) n
    WHERE (${status}::text IS NULL OR n.status = ${status}) AND (${kind}::text IS NULL OR n.event = ${kind})
      AND (${test}::bool IS NULL OR n.test = ${test})${attempted}
    ORDER BY n.created_at DESC, n.id DESC LIMIT ${limit + 1}::int4
  ) f WHERE ${ofShop} ORDER BY f.created_at DESC, f.id DESC LIMIT ${limit + 1}::int4
), horizon AS MATERIALIZED (
  SELECT h.id, h.created_at FROM ${endpoints} (
    SELECT d.id, d.created_at ${next} OFFSET ${lookedAt - 1}::int4 LIMIT 1
  ) h WHERE ${ofShop} AND (SELECT count(*) FROM found) <= ${limit}::int4 ORDER BY h.created_at DESC, h.id DESC LIMIT 1
)
SELECT ${columns}, ${select("h", { id: "text", createdAt: "timestamptz" }, { id: "horizonId", createdAt: "horizonAt" })}
FROM (SELECT 1) one LEFT JOIN horizon h ON true LEFT JOIN (
  found f JOIN designwire.deliveries d ON d.shop = ${shop} AND d.id = f.id ${withEvent}
) ON h.id IS NULL OR (f.created_at, f.id) >= (h.created_at, h.id)
ORDER BY d.created_at DESC, d.id DESC`.pipe(
    Effect.map((rows): DeliveryPage => {
      const found = rows.flatMap((row) => (row.id === null ? [] : [withoutHorizon(row)]))
      const { horizonAt = null, horizonId = null } = rows[0] ?? {}
      const { deliveries, next } = pageOf(found, limit, created)
      if (horizonAt === null || horizonId === null) return { deliveries, next }
      return { deliveries, next: { at: horizonAt, id: horizonId } }
    }),
  )
}

/** Whether an endpoint's deliveries are sent, other than tests. */
const isOpen = fixed(`(${hasWebhooks} AND e.status = 'active')`)

/** Each queue has an index of its own by due time (DeliveryRules.ts). */
const inQueue = {
  due: fixed("d.queue = 'due'"),
  later: fixed("d.queue IN ('scheduled', 'suspended')"),
  behind: fixed("d.queue IN ('behind', 'joining')"),
}

/** Each condition is one that bounds what is read of an index, or that is known before it is read. */
const pending = (sql: SqlClient.SqlClient, { after, limit, pending: { endpoint, why }, shop }: PendingDeliveries) => {
  const now = timeOr(sql, why?.now, "infinity")
  const shows = (...causes: ReadonlyArray<WaitingCause>) =>
    sql`${why === undefined || causes.some((cause) => why.causes.includes(cause))}::bool`
  const next = (queue: Statement.Fragment, which: Statement.Fragment) => sql`(
    SELECT d.id, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = e.shop AND d.endpoint_id = e.id AND ${queue} AND ${which}
      AND (d.next_attempt_at, d.id) > (${beyond(sql, after, "-infinity")})
    ORDER BY d.next_attempt_at, d.id LIMIT ${limit + 1}::int4
  )`
  const ofShop = sql`designwire.endpoints e JOIN designwire.shops s ON s.id = e.shop`
  const which = sql`e.shop = ${shop} AND (${endpoint ?? null}::text IS NULL OR e.id = ${endpoint ?? null})`
  const page = sql<Row>`SELECT ${columns} FROM (
  SELECT n.id FROM ${ofShop} CROSS JOIN LATERAL (
    ${next(inQueue.due, shows("due"))}
    UNION ALL ${next(
      inQueue.later,
      sql`CASE WHEN ${isOpen} THEN ${shows("due", "retry")} ELSE ${shows("held")} END
      AND d.next_attempt_at <= CASE WHEN ${isOpen} AND NOT ${shows("retry")} THEN ${now} ELSE 'infinity' END
      AND (NOT ${isOpen} OR ${shows("due")} OR d.next_attempt_at > ${now})`,
    )}
    UNION ALL ${next(inQueue.behind, sql`CASE WHEN ${isOpen} THEN ${shows("behind")} ELSE ${shows("held")} END`)}
  ) n WHERE ${which} ORDER BY n.next_attempt_at, n.id LIMIT ${limit + 1}::int4
) f JOIN designwire.deliveries d ON d.shop = ${shop} AND d.id = f.id ${withEvent}
ORDER BY d.next_attempt_at, d.id`.pipe(Effect.map((rows) => pageOf(rows, limit, due)))
  if (why === undefined) return page
  const counted = (queue: Statement.Fragment, cause: Statement.Fragment, which = sql`true`) => sql`(
    SELECT ${cause} AS cause, count(*) AS count, min(d.next_attempt_at) AS first FROM (
      SELECT d.next_attempt_at FROM designwire.deliveries d
      WHERE d.shop = e.shop AND d.endpoint_id = e.id AND ${queue} AND ${which}
      ORDER BY d.next_attempt_at LIMIT ${countedWaiting + 1}::int4
    ) d
  )`
  const dueUntil = sql`CASE WHEN ${isOpen} THEN ${now} ELSE 'infinity' END`
  const counts = sql<WaitingCount>`SELECT ${as("e.id", "endpointId")}, c.cause, sum(c.count)::int4 AS count, ${milliseconds("min(c.first)")} AS first
FROM ${ofShop} CROSS JOIN LATERAL (
  ${counted(inQueue.due, sql`'due'`)}
  UNION ALL ${counted(inQueue.later, sql`CASE WHEN ${isOpen} THEN 'due' ELSE 'held' END`, sql`d.next_attempt_at <= ${dueUntil}`)}
  UNION ALL ${counted(inQueue.later, sql`'retry'`, sql`d.next_attempt_at > ${dueUntil}`)}
  UNION ALL ${counted(inQueue.behind, sql`CASE WHEN ${isOpen} THEN 'behind' ELSE 'held' END`)}
) c WHERE ${which} AND c.count > 0 GROUP BY e.id, c.cause`
  return Effect.zipWith(page, counts, (found, counts): DeliveryPage => ({ ...found, counts }))
}

const ofEvents = (sql: SqlClient.SqlClient, { after, events, limit, shop }: DeliveriesOfEvents) =>
  sql<Row>`SELECT ${columns} FROM designwire.events ev CROSS JOIN LATERAL (
  ${deliveriesOfEvent}
) o JOIN designwire.deliveries d ON d.shop = ev.shop AND d.id = o.id
WHERE ev.shop = ${shop} AND ev.id = ANY(${events}::text[]) AND (d.created_at, d.id) < (${beyond(sql, after, "infinity")})
ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit + 1}::int4`.pipe(Effect.map((rows) => pageOf(rows, limit, created)))
