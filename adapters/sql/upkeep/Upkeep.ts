import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { type Backlog, type QueueStatistics, Upkeep } from "../../../core/ports/Upkeep.ts"
import { heldSince } from "../events/Feed.ts"
import { lockIn, SchemaName } from "../schema/Schema.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import { milliseconds } from "../statements/Rows.ts"
import { inLane, inTransaction, onOwnConnection } from "../statements/Transaction.ts"
import { beginning, dueShops } from "../webhooks/DueQueue.ts"
import { isHeldBack } from "../webhooks/Paces.ts"
import { probe } from "./Probe.ts"
import { prune, pruneLock } from "./Prune.ts"
import { purgeRemoved } from "./RemoveShop.ts"

/** `Upkeep` over SQL. */
export const layerUpkeep: Layer.Layer<Upkeep, never, SqlClient.SqlClient> = Layer.effect(
  Upkeep,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lock = sql.literal(lockIn(yield* SchemaName, pruneLock))
    // Other statements must not queue behind these, which take long if very much is due or not vacuumed.
    const alone = yield* onOwnConnection(sql)
    const upkeep = inLane(sql, "upkeep")
    return {
      time: time(sql).pipe(mapped("Reading the database's clock")),
      probe: alone(probe(sql)).pipe(mapped("Probing the database")),
      prune: (step) => upkeep(prune(sql, lock, step)).pipe(mapped("Clearing the log")),
      purgeRemoved: (step) => upkeep(purgeRemoved(sql, step)).pipe(mapped("Clearing removed shops")),
      statistics: (now) =>
        Effect.flatMap(inTransaction(sql), (within) =>
          within ? statistics(sql, now) : alone(statistics(sql, now)),
        ).pipe(mapped("Counting deliveries")),
      backlog: (shop, now) =>
        Effect.flatMap(inTransaction(sql), (within) =>
          within ? shopBacklog(sql, shop, now) : alone(shopBacklog(sql, shop, now)),
        ).pipe(mapped("Counting the deliveries of a shop")),
    }
  }),
)

/** The time of the call, also within a transaction. */
const time = (sql: SqlClient.SqlClient) =>
  sql<{ now: number }>`SELECT ${milliseconds("clock_timestamp()")} AS now`.pipe(
    Effect.map((rows) => Math.floor((rows[0] as { now: number }).now)),
  )

const statistics = (sql: SqlClient.SqlClient, now: Instant): Effect.Effect<QueueStatistics, SqlError.SqlError> =>
  Effect.all({
    pending: pending(sql),
    pastDue: pastDue(sql, now),
    oldestDue: oldestDue(sql, now),
    endpoints: endpoints(sql),
    endpointsSwitchedOff: endpointsSwitchedOff(sql),
    feedHeldSince: Effect.map(heldSince(sql), ([row]) => row?.since ?? null),
    logBytes: logBytes(sql),
  })

/** Entries of an index are counted one by one up to this number. */
const countedAtMost = 1_000

/** Approximate entries per page of an index, before any vacuum. */
const perPage = 60

/**
 * Above that number, an estimate from the indexes: by their current size, and by how full a page was at the last VACUUM
 * or ANALYZE.
 */
const estimate = (...indexes: ReadonlyArray<string>) =>
  fixed(`(SELECT sum(
    CASE WHEN c.reltuples > 0 AND c.relpages > 0 THEN c.reltuples / c.relpages ELSE ${perPage} END
    * pg_relation_size(c.oid) / current_setting('block_size')::int4
  )
  FROM pg_catalog.pg_class i LEFT JOIN pg_catalog.pg_inherits p ON p.inhparent = i.oid
  JOIN pg_catalog.pg_class c ON c.oid = coalesce(p.inhrelid, i.oid)
  WHERE i.oid IN (${indexes.map((index) => `'designwire.${index}'::regclass`).join(", ")}))`)

/** The first entries of an index, in its order, counted. */
const counted = (from: string, order: string) =>
  fixed(`(SELECT count(*) FROM (SELECT 1 FROM ${from} ORDER BY ${order} LIMIT ${countedAtMost}) x)`)

const pending = (sql: SqlClient.SqlClient) => {
  const inQueues = (queues: string) => counted(`designwire.deliveries WHERE queue IN (${queues})`, "shop, endpoint_id")
  return sql<{ count: number }>`WITH counted AS MATERIALIZED (
  SELECT ${inQueues("'due'")} AS due, ${inQueues("'scheduled', 'suspended'")} AS not_due,
    ${inQueues("'behind', 'joining'")} AS behind
)
SELECT (CASE
  WHEN greatest(due, not_due, behind) < ${sql.literal(String(countedAtMost))} THEN due + not_due + behind
  ELSE greatest(due + not_due + behind, ${estimate("deliveries_due", "deliveries_not_due", "deliveries_behind")})
END)::int4 AS count FROM counted`.pipe(Effect.map(countOf))
}

/** Whether a delivery `d` of the queue `due` or `scheduled` can be claimed. The rules keep others out of both. */
const isPastDue = (sql: SqlClient.SqlClient, now: Instant) => {
  const at = sql`${format(now)}::timestamptz`
  return sql`d.next_attempt_at <= ${at} AND (d.leased_until IS NULL OR d.leased_until <= ${at})`
}

const pastDue = (sql: SqlClient.SqlClient, now: Instant) => {
  const most = sql.literal(String(countedAtMost))
  const free = sql`NOT ${isHeldBack(sql, now)}`
  return sql<{ count: number }>`WITH due AS MATERIALIZED (
  SELECT d.shop, d.endpoint_id FROM designwire.deliveries d
  WHERE d.queue = 'due' AND ${isPastDue(sql, now)} ORDER BY d.shop, d.endpoint_id LIMIT ${most}
), scheduled AS MATERIALIZED (
  SELECT d.shop, d.endpoint_id FROM designwire.deliveries d
  WHERE d.queue = 'scheduled' AND ${isPastDue(sql, now)} ORDER BY d.next_attempt_at LIMIT ${most}
), counted AS MATERIALIZED (
  SELECT (SELECT count(*) FROM due) AS seen, (SELECT count(*) FROM due d WHERE ${free}) AS due,
    (SELECT count(*) FROM scheduled d WHERE ${free}) AS scheduled
)
SELECT (scheduled + CASE
  WHEN seen < ${most} THEN due ELSE greatest(seen, ${estimate("deliveries_due")}) * due / seen
END)::int4 AS count FROM counted`.pipe(Effect.map(countOf))
}

const countOf = ([row]: ReadonlyArray<{ readonly count: number }>): number => row?.count ?? 0

/** The oldest is looked for among the endpoints of this many shops. */
const shopsAsked = 1_000

/** Joins to shops `w` the longest-due delivery of each endpoint, unless its pace holds it back. */
const firstPastDue = (sql: SqlClient.SqlClient, now: Instant) =>
  sql`CROSS JOIN LATERAL (
    SELECT r.endpoint_id, r.is_active FROM designwire.receivers r WHERE r.shop = w.shop OFFSET 0
  ) r CROSS JOIN LATERAL (
    SELECT d.shop, d.endpoint_id, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = r.endpoint_id AND d.queue = 'due' AND ${isPastDue(sql, now)}
      AND CASE WHEN r.is_active THEN true ELSE d.test END
    ORDER BY d.next_attempt_at, d.id LIMIT 1
  ) d WHERE NOT ${isHeldBack(sql, now)}`

/** The oldest delivery that is due, or has become due since the last walk. */
const oldestDue = (sql: SqlClient.SqlClient, now: Instant) =>
  sql<{ due: number | null }>`WITH RECURSIVE ${dueShops(sql, { after: beginning, limit: shopsAsked, scanFrom: null })}
SELECT ${milliseconds("min(next_attempt_at)")} AS due FROM (
  SELECT d.next_attempt_at FROM due_shops w ${firstPastDue(sql, now)}
  UNION ALL (
    SELECT d.next_attempt_at FROM designwire.deliveries d
    WHERE d.queue = 'scheduled' AND ${isPastDue(sql, now)} AND NOT ${isHeldBack(sql, now)}
    ORDER BY d.next_attempt_at LIMIT 1
  )
) d`.pipe(Effect.map(([row]) => row?.due ?? null))

const endpoints = (sql: SqlClient.SqlClient) =>
  sql<{ count: number }>`WITH counted AS MATERIALIZED (
  SELECT ${counted("designwire.endpoints", "shop, id")} AS count
)
SELECT (CASE
  WHEN count < ${sql.literal(String(countedAtMost))} THEN count
  ELSE greatest(count, ${estimate("endpoints_pkey")})
END)::int4 AS count FROM counted`.pipe(Effect.map(countOf))

const endpointsSwitchedOff = (sql: SqlClient.SqlClient) =>
  sql<{ count: number }>`SELECT count(*)::int4 AS count FROM designwire.endpoints WHERE status = 'switched_off'`.pipe(
    Effect.map(countOf),
  )

const logTables = fixed(
  ["events", "deliveries", "received", "attempt_counts"].map((table) => `'designwire.${table}'::regclass`).join(", "),
)

/** A table that is partitioned has no bytes of its own. */
const logBytes = (sql: SqlClient.SqlClient) =>
  sql<{ bytes: number }>`SELECT sum(pg_total_relation_size(coalesce(p.inhrelid, t.oid)))::float8 AS bytes
  FROM unnest(ARRAY[${logTables}]) t(oid)
  LEFT JOIN pg_catalog.pg_inherits p ON p.inhparent = t.oid`.pipe(Effect.map(([row]) => row?.bytes))

/** Deliveries of a shop are counted up to this number in each queue. */
const countedOfShop = 10_000

const shopBacklog = (
  sql: SqlClient.SqlClient,
  shop: string,
  now: Instant,
): Effect.Effect<Backlog, SqlError.SqlError> => {
  const most = sql.literal(String(countedOfShop))
  return sql<Backlog>`WITH due AS MATERIALIZED (
  SELECT d.shop, d.endpoint_id, ${isPastDue(sql, now)} AS past FROM designwire.deliveries d
  WHERE d.shop = ${shop} AND d.queue = 'due' ORDER BY d.endpoint_id LIMIT ${most}
), not_due AS MATERIALIZED (
  SELECT d.shop, d.endpoint_id, d.next_attempt_at, d.queue = 'scheduled' AND ${isPastDue(sql, now)} AS past
  FROM designwire.deliveries d WHERE d.shop = ${shop} AND d.queue IN ('scheduled', 'suspended') ORDER BY d.endpoint_id LIMIT ${most}
), behind AS MATERIALIZED (
  SELECT FROM designwire.deliveries d
  WHERE d.shop = ${shop} AND d.queue IN ('behind', 'joining') ORDER BY d.endpoint_id LIMIT ${most}
), first AS (
  SELECT d.next_attempt_at FROM (SELECT ${shop}::text AS shop) w ${firstPastDue(sql, now)}
), past AS (
  SELECT d.next_attempt_at FROM not_due d WHERE past AND NOT ${isHeldBack(sql, now)}
)
SELECT ((SELECT count(*) FROM due) + (SELECT count(*) FROM not_due) + (SELECT count(*) FROM behind))::int4 AS pending,
  (
    (SELECT count(*) FROM due d WHERE past AND NOT ${isHeldBack(sql, now)}) + (SELECT count(*) FROM past)
  )::int4 AS "pastDue",
  (SELECT ${milliseconds("min(next_attempt_at)")} FROM (
    SELECT next_attempt_at FROM first UNION ALL SELECT next_attempt_at FROM past
  ) d) AS "oldestDue"`.pipe(Effect.map(([row]) => row ?? { pending: 0, pastDue: 0, oldestDue: null }))
}
